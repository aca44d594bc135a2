import {
  type Contract,
  membersOf,
  type Operation,
  pageItemOf,
  requirementOf,
  takesIdempotencyKey,
} from "../oracle/contract.ts";
import { uniqueMembersOf } from "../oracle/effects.ts";
import { furtherOf } from "../oracle/lists.ts";

/** What a contract has no place for: no request to its deployments could show it. */

const isCommand = ({ method }: Operation) => method === "POST";
const requiresSeveral = ({ input }: Operation) =>
  Object.values(input).filter(({ required }) => required).length > 1;
/** The parameters of a query, with the type of each. */
const parametersOf = (contract: Contract, operation: Operation) =>
  isCommand(operation)
    ? []
    : Object.entries(membersOf(contract, operation.schema)).filter(
        ([name]) => !operation.parts.includes(name),
      );

const idsFrom = (...texts: readonly string[]) => new RegExp(`^(?:${texts.join("|")})$`);
const OF_COMMANDS = idsFrom(
  "dispatch/(?:ambiguous|body-style|get-changes-nothing|missing-in-body|no-batch)",
  "http/(?:body-parts|charset|content-encoding|media-type-spelling|nesting|not-utf8|proto-member)",
  "input/(?:last-duplicate|missing-member|post-query|unknown-member|wrong-type)",
);

/** An operation that does this to a record. */
const does =
  (...kinds: readonly string[]) =>
  ({ effect }: Operation) =>
    effect !== undefined && kinds.includes(effect.kind);
/** By rule, what has an effect of its kind. */
const OF_EFFECT: Readonly<Record<string, (operation: Operation, contract: Contract) => boolean>> = {
  created: does("creates"),
  read: does("reads"),
  updated: does("updates"),
  deleted: does("deletes"),
  listed: does("lists"),
  filter: ({ filters }) => filters !== undefined,
  order: ({ order }) => order !== undefined,
  unique: (operation, contract) => uniqueMembersOf(contract, operation).length > 0,
  requires: ({ requires }) => requires !== undefined,
  state: ({ state }) => state !== undefined,
  "rejected-unchanged": does("updates", "deletes"),
};

/** Whether an operation has a requirement of its own in place of the general one. */
function hasOwn(contract: Contract, operation: Operation, rule: string): boolean {
  const { effect } = operation;
  const all = Object.values(contract.operations);
  // That a record is listed is promised by what creates it.
  const about =
    rule === "listed"
      ? all.find(
          (one) => one.effect?.kind === "creates" && one.effect.resource === effect?.resource,
        )
      : operation;
  const codes = uniqueMembersOf(contract, operation).map(({ code }) => code);
  const rules = rule === "unique" ? codes : [rule];
  return rules.every((one) => requirementOf(contract, about ?? operation, one, "") !== "");
}

const EFFECTS = Object.entries(OF_EFFECT).map(([rule, isOfRule]) => ({
  ids: idsFrom(`effects/${rule}`),
  reason: "no operation states it, or each has a requirement of its own",
  has: (operation: Operation, contract: Contract) =>
    isOfRule(operation, contract) && !hasOwn(contract, operation, rule),
}));

/** What operations a requirement needs, and how many; the reason where there are fewer. */
const NEEDS: readonly {
  readonly ids: RegExp;
  readonly reason: string;
  readonly has: (operation: Operation, contract: Contract) => boolean;
  readonly count?: number;
}[] = [
  {
    ids: OF_COMMANDS,
    reason: "the contract has no command",
    has: isCommand,
  },
  {
    ids: /^(?:credentials\/(?!public$).*|limits\/valid-key|dispatch\/order-credentials-first)$/,
    reason: "no operation needs credentials",
    has: ({ auth }) => auth,
  },
  {
    ids: /^credentials\/public$/,
    reason: "every operation needs credentials",
    has: ({ auth }) => !auth,
  },
  {
    ids: /^credentials\/scope$/,
    reason: "no operation needs a scope",
    has: ({ scope }) => scope !== null,
  },
  {
    ids: /^(?:input\/empty-is-not-absent|errors\/parameter)$/,
    reason: "no query takes a parameter",
    has: (operation, contract) => parametersOf(contract, operation).length > 0,
  },
  {
    ids: /^input\/integers$/,
    reason: "no query takes an integer",
    has: (operation, contract) =>
      parametersOf(contract, operation).some(([, { type }]) => type === "integer"),
  },
  {
    ids: /^errors\/all-faults$/,
    reason: "no command requires two members",
    has: (operation) => isCommand(operation) && requiresSeveral(operation),
  },
  {
    ids: /^paging\/cursor-of-operation$/,
    reason: "a second list is needed",
    has: (operation, contract) => pageItemOf(contract, operation) !== null,
    count: 2,
  },
  {
    ids: /^paging\/(?:cursor|link)-of-input$/,
    reason: "no list has further parameters",
    has: (operation, contract) =>
      pageItemOf(contract, operation) !== null && furtherOf(operation).length > 0,
  },
  ...EFFECTS,
  ...["replayed", "key-reused"].map((rule) => ({
    ids: idsFrom(`idempotency/${rule}`),
    reason: "no command takes an Idempotency-Key, or each has a requirement of its own",
    has: (operation: Operation, contract: Contract) =>
      takesIdempotencyKey(operation) &&
      requirementOf(contract, operation, rule.replace(/^key/, "idempotency-key"), "") === "",
  })),
];

/** The requirements that a contract has no place for, each with the reason. */
export function inapplicableIn(
  contract: Contract,
): readonly (readonly [id: string, reason: string])[] {
  const operations = Object.values(contract.operations);
  const lacking = NEEDS.filter(
    ({ has, count = 1 }) => operations.filter((one) => has(one, contract)).length < count,
  );
  return contract.requirements.flatMap(({ id }) => {
    const need = lacking.find(({ ids }) => ids.test(id));
    return need ? [[id, need.reason] as const] : [];
  });
}
