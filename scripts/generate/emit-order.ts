import { HEADER } from "./emit-operations.ts";
import type { ContractModel } from "./model.ts";

const SHAPES = `
export type Step = (typeof order)[number]["step"];

/** The codes that a step may refuse with. */
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
 * A function for each step from \`First\` to the last, in the order of judgement. Each gets what is \`Known\` at first and what
 * the steps before it have \`Learned\` (by step), and returns what it learns itself; \`House\` goes to all. A list that lacks
 * a step, has one in another place or one too many does not compile.
 */
export type Steps<First extends Step, Known, Learned, House> = Chain<From<First, Names<typeof order>>, Known, Learned, House>;
`;

/** `order.ts`: the steps of judgement as data, and the type of a list of functions that carries them out. */
export function emitOrder({ steps }: ContractModel): string {
  return [
    HEADER,
    "/** The order of judgement: every step, what has to hold, and the codes that it refuses with otherwise. */",
    `export const order = ${JSON.stringify(steps, null, 2)} as const;`,
    SHAPES,
  ].join("\n");
}
