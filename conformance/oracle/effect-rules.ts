import { type Contract, type Operation, type Resource, requirementOf } from "./contract.ts";
import {
  inputOf,
  RULES,
  recordNamedBy,
  resourceOf,
  UNSTATED,
  uniqueMembersOf,
  uniqueText,
  verdictOf,
} from "./effects.ts";
import type { ModelState } from "./model-state.ts";
import type { ParsedRequest } from "./parsed-request.ts";
import { isMadeUp, memberOf, type RecordState } from "./records.ts";
import { type Rule, replayedBy } from "./rules.ts";
import { stringOf } from "./values.ts";

/** The rejections that follow from what an operation does to records (Effects). */

/** A rejection that may apply. */
interface Rejection {
  /** Of whom it is a rejection, for the decision point. */
  readonly point: string;
  readonly by: string;
  readonly code: string;
  /** Whether it applies; null: the contract does not decide it. */
  readonly applies: boolean | null;
}

const statesOf = ({ records }: ModelState, resource: string, id: string) =>
  records.get(resource)?.statesOf(id);

const isGone = (state: RecordState) => state === null;

/** Whether there is no such record. */
function isAbsent(r: ParsedRequest, resource: string, id: string): boolean | null {
  return isMadeUp(id) || verdictOf(statesOf(r.model, resource, id), isGone);
}

function absent(r: ParsedRequest, operation: Operation): readonly Rejection[] {
  const { effect } = operation;
  const id = recordNamedBy(r);
  if (!effect?.absent || id === null) return [];
  const rule = isMadeUp(id) ? RULES[effect.kind] : "deleted";
  return [
    {
      point: "the record is there",
      by: requirementOf(r.contract, operation, effect.absent, `effects/${rule}`),
      code: effect.absent,
      applies: isAbsent(r, effect.resource, id),
    },
  ];
}

function required(r: ParsedRequest, operation: Operation): readonly Rejection[] {
  return Object.entries(operation.requires ?? {}).flatMap(([member, { resource, code }]) => {
    const id = inputOf(r, member);
    if (id === null) return [];
    return [
      {
        point: `the record that ${member} names is there`,
        by: requirementOf(r.contract, operation, code, "effects/requires"),
        code,
        applies: isAbsent(r, resource, id),
      },
    ];
  });
}

function wrongState(r: ParsedRequest, operation: Operation): readonly Rejection[] {
  const { state, effect } = operation;
  const id = recordNamedBy(r);
  if (!state || !effect || id === null) return [];
  const { volatile } = resourceOf(r.contract, effect);
  const isWrong = (record: RecordState) =>
    record && !state.from.includes(stringOf(memberOf(record, state.member)));
  const states = statesOf(r.model, effect.resource, id)?.filter((one) => one !== null);
  return [
    {
      point: "the record is in a state for it",
      by: requirementOf(r.contract, operation, state.code, "effects/state"),
      code: state.code,
      applies: volatile.includes(state.member) ? null : verdictOf(states, isWrong),
    },
  ];
}

/** Whether another record has a value. */
function isTaken(
  r: ParsedRequest,
  resource: string,
  unique: Resource["unique"][number],
  wanted: unknown,
): boolean | null {
  const own = recordNamedBy(r);
  const valueIn = (state: RecordState) => state && (memberOf(state, unique.member) ?? null);
  const folded = stringOf(wanted).toLowerCase();
  const isDoubtful = r.model.doubtful?.has(folded) === true;
  let isOpen = isDoubtful || !isFreeOtherwise(r, wanted);
  for (const [id, states] of r.model.records.get(resource)?.ownStates() ?? []) {
    if (id === own) continue;
    const isSame = (value: unknown) =>
      value !== null && uniqueText(unique, value) === uniqueText(unique, wanted);
    const has = verdictOf(states, (one) => isSame(valueIn(one)));
    if (has) return true;
    // What is said of letters is said of those of ASCII.
    const isFolded = (value: unknown) => value !== null && stringOf(value).toLowerCase() === folded;
    const isNear = unique.ignoresCase && states?.some((one) => isFolded(valueIn(one)));
    if (has === null || isNear) isOpen = true;
  }
  return isOpen ? null : false;
}

/** Whether nobody else can have a value: it names this run. */
const isFreeOtherwise = ({ model: { runId } }: ParsedRequest, value: unknown): boolean =>
  runId === undefined || stringOf(value).toLowerCase().includes(runId.toLowerCase());

function taken(r: ParsedRequest, operation: Operation): readonly Rejection[] {
  const { effect } = operation;
  if (!effect) return [];
  return uniqueMembersOf(r.contract, operation).flatMap((unique) => {
    const value = memberOf(r.data ?? {}, unique.member) ?? null;
    if (value === null) return [];
    return [
      {
        point: `the value of ${unique.member} is free`,
        by: requirementOf(r.contract, operation, unique.code, "effects/unique"),
        code: unique.code,
        applies: isTaken(r, effect.resource, unique, value),
      },
    ];
  });
}

type Kind = (r: ParsedRequest, operation: Operation) => readonly Rejection[];

/** Those of an operation, in their order; those of one rank in any. */
const RANKS: readonly (readonly Kind[])[] = [[absent, required], [wrongState], [taken]];

/** The codes of an operation that these rules decide. */
export function statedCodesOf(contract: Contract, operation: Operation): readonly string[] {
  const { effect, requires = {}, state } = operation;
  const unique = uniqueMembersOf(contract, operation);
  const { volatile } = effect ? resourceOf(contract, effect) : UNSTATED;
  // In which state a record is, nobody knows of a member that changes by itself.
  const stateCode = state && !volatile.includes(state.member) ? state.code : undefined;
  const codes = [effect?.absent, stateCode, ...Object.values(requires).map(({ code }) => code)];
  return [...codes.flatMap((code) => code ?? []), ...unique.map(({ code }) => code)];
}

const rejectionsOf = (r: ParsedRequest, ranks: typeof RANKS): readonly Rejection[] => {
  const { operation } = r;
  if (!operation || replayedBy(r)) return [];
  return ranks.flat().flatMap((kind) => kind(r, operation));
};

/** The codes that a request may be rejected with, and need not be. */
export const openCodesOf = (r: ParsedRequest, ranks = RANKS): readonly string[] =>
  rejectionsOf(r, ranks).flatMap(({ applies, code }) => (applies === null ? [code] : []));

/** The requirement of a stated code, with which a request is rejected that must not be. */
export function requirementOfCode(contract: Contract, operation: Operation, code: string) {
  const { effect, requires = {}, state } = operation;
  const isRequired = Object.values(requires).some((one) => one.code === code);
  const rules: readonly (readonly [boolean, string])[] = [
    [uniqueMembersOf(contract, operation).some((one) => one.code === code), "unique"],
    [isRequired, "requires"],
    [state?.code === code, "state"],
    [effect?.absent === code, effect ? RULES[effect.kind] : ""],
  ];
  const rule = rules.find(([applies]) => applies)?.[1];
  return rule && requirementOf(contract, operation, code, `effects/${rule}`);
}

/** A rule for each code and rank. */
export function effectRules(contract: Contract): readonly Rule[] {
  const operations = Object.values(contract.operations);
  const codesOf = new Map(operations.map((one) => [one.id, statedCodesOf(contract, one)]));
  return RANKS.flatMap((kinds, rank) => {
    const applying = (r: ParsedRequest) =>
      rejectionsOf(r, [kinds]).filter(
        ({ applies, point }) => applies !== null && !r.points.holds(point, !applies),
      );
    return [...new Set([...codesOf.values()].flat())].map((code): Rule => {
      const find = (r: ParsedRequest) =>
        codesOf.get(r.operation?.id ?? "")?.includes(code)
          ? applying(r).find((one) => one.code === code)
          : undefined;
      return {
        step: "handle",
        code,
        by: (r) => find(r)?.by ?? "",
        fails: (r) => find(r) !== undefined,
        more: (r) => {
          const others = [
            ...applying(r).map((one) => one.code),
            ...openCodesOf(r, RANKS.slice(0, rank + 1)),
          ];
          return { or: [...new Set(others)].filter((one) => one !== code) };
        },
      };
    });
  });
}
