import type { Difference, Exchange } from "../exchange.ts";
import { differs } from "../laws/difference.ts";
import type { ParsedExchange } from "../laws/parsed-exchange.ts";
import { type Operation, requirementOf } from "../oracle/contract.ts";
import {
  answersRecord,
  RULES,
  recordNamedBy,
  resourceOf,
  sentMembers,
  updated,
} from "../oracle/effects.ts";
import { differentMember, type Members, memberOf, type RecordState } from "../oracle/records.ts";
import { isSameValue, keyText, stringOf } from "../oracle/values.ts";
import { type KnownState, recordsOf } from "./known-state.ts";
import type { RecordEvent } from "./records.ts";

export type StateDifference = Difference & {
  readonly requirement: string;
  /** An earlier exchange that it does not agree with. */
  readonly cause?: Exchange;
};

/** The rule that a difference is about, by what happened last to the record. */
const BY_EVENT: Readonly<Record<RecordEvent, string>> = {
  seen: "read",
  created: "created",
  updated: "updated",
  state: "state",
  deleted: "deleted",
  rejected: "rejected-unchanged",
};

export const ruleOf = (event: RecordEvent): string => BY_EVENT[event];

/** Where the record of a response does not agree with the command, or with what is known of it. */
export function recordDifference(
  model: KnownState,
  operation: Operation,
  parsed: ParsedExchange,
  since: number,
): StateDifference | null {
  const { contract, reading, object } = parsed;
  const { effect } = operation;
  const records = recordsOf(model, operation);
  if (!effect || !records || !object || parsed.status >= 300) return null;
  if (!answersRecord(operation)) return null;
  const { key } = resourceOf(contract, effect);
  const violation = (rule: string, member: string, expected: unknown): StateDifference => ({
    requirement: requirementOf(contract, operation, rule, `effects/${rule}`),
    ...differs(`body:/${member}`, shownOf(expected), shownOf(memberOf(object, member))),
  });
  const { volatile, free } = records.options;
  const isCommand = operation.method === "POST";
  const rule = RULES[effect.kind];
  const isStored = effect.kind === "creates" || effect.kind === "updates";
  for (const [name, sent] of isStored ? sentMembers(contract, operation, reading.data) : []) {
    if (volatile.includes(name)) continue;
    if (isSameValue(sent, memberOf(object, name), free.includes(name))) continue;
    return violation(rule, name, sent);
  }
  const id = recordNamedBy(reading);
  if (effect.kind === "creates" || id === null) return null;
  if (keyText(stringOf(object[key])) !== id) return violation(rule, key, id);
  const { state } = operation;
  if (state && object[state.member] !== state.to && !volatile.includes(state.member))
    return violation("state", state.member, state.to);
  // A command is itself under way.
  const known = records.statesSince(id, since, isCommand ? 1 : 0);
  if (!known || known.length === 0) return null;
  const after = (now: RecordState): RecordState =>
    now && isStored ? updated(contract, operation, reading.data, now) : now;
  const wanted = known.flatMap((one): readonly Members[] => {
    const state = after(one);
    return state ? [state] : [];
  });
  const [last] = wanted.slice(-1);
  const members = wanted.map((one) => differentMember(one, object, records.options));
  if (!last || members.includes(null)) return null;
  const member = members.at(-1) ?? "";
  return violation(isCommand ? rule : ruleOf(records.eventOf(id)), member, memberOf(last, member));
}

const shownOf = (value: unknown): string =>
  value === undefined ? "no such member" : (JSON.stringify(value) ?? String(value));
