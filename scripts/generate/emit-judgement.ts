import { HEADER, literal } from "./emit-operations.ts";
import type { ContractModel } from "./model.ts";

const ORDER = `
export type Step = (typeof order)[number]["step"];

/** The codes that a step may reject with. */
export type RefusalOf<Name extends Step> = Extract<(typeof order)[number], { step: Name }>["refuses"][number];

type Names<Order> = { readonly [Index in keyof Order]: Order[Index] extends { step: infer Name } ? Name : never };
type From<First, Order> = Order extends readonly [infer Name, ...infer Rest] ? (Name extends First ? Order : From<First, Rest>) : [];
type LearnedIn<Name, Learned> = Name extends keyof Learned ? Learned[Name] : unknown;
type Chain<Order, Known, Learned, House> = Order extends readonly [infer Name extends Step, ...infer Rest]
  ? readonly [
      { readonly [Only in Name]: (known: Known, house: House) => LearnedIn<Name, Learned> | Promise<LearnedIn<Name, Learned>> },
      ...Chain<Rest, Known & LearnedIn<Name, Learned>, Learned, House>,
    ]
  : readonly [];

/**
 * A function for each step from \`First\` to the last, in the order of checks. Each gets what is \`Known\` at first and what
 * the steps before it have \`Learned\` (by step), and returns what it learns itself; \`House\` goes to all. A list that lacks
 * a step, has one in another place or one too many does not compile.
 */
export type Steps<First extends Step, Known, Learned, House> = Chain<From<First, Names<typeof order>>, Known, Learned, House>;
`;

/** `order.ts`: the steps of the order of checks as data, and the type of the list of functions that implement them. */
export const emitOrder = ({ steps }: ContractModel): string =>
  [
    HEADER,
    "/** The order of checks: every step, its condition, and the codes that it rejects with. */",
    `export const order = ${literal(steps)} as const;`,
    ORDER,
  ].join("\n");

const REQUIREMENTS = `import type { OperationId } from "./operations.ts";

/** A clause of the contract: what requirements follow from. */
export interface Clause {
  readonly id: string;
  readonly title: string;
  readonly decision: string;
  /** What of it has no requirement, and why; null when all of it has. */
  readonly untried: string | null;
}

/** One sentence of the contract that can be tried from outside. */
export interface Requirement {
  readonly id: string;
  readonly level: "MUST" | "SHOULD" | "MAY";
  /** \`given\`: stated by the document that the service implements. \`decided\`: chosen where that document is silent. */
  readonly origin: "given" | "decided";
  /** The clause that it follows from. */
  readonly clause: (typeof clauses)[number]["id"];
  readonly sentence: string;
  /** The operation it speaks of; null when it speaks of all. */
  readonly operation: OperationId | null;
}
`;

/** `requirements.ts`: every clause and every requirement of the spec as data. */
export const emitRequirements = ({ clauses, requirements }: ContractModel): string =>
  [
    HEADER,
    REQUIREMENTS,
    `export const clauses = ${literal(clauses)} as const satisfies readonly Clause[];\n`,
    `export const requirements = ${literal(requirements)} as const satisfies readonly Requirement[];`,
    '\nexport type RequirementId = (typeof requirements)[number]["id"];\n',
  ].join("\n");
