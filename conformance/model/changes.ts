import { mayChange, type Operation } from "../oracle/contract.ts";
import {
  answersRecord,
  isOpaqueFor,
  recordNamedBy,
  referencesTo,
  resourceOf,
  updated,
} from "../oracle/effects.ts";
import type { Request } from "../oracle/model-state.ts";
import type { ParsedRequest } from "../oracle/parsed-request.ts";
import type { Members } from "../oracle/records.ts";
import { stringOf } from "../oracle/values.ts";
import { listsOf } from "./creators.ts";
import { type KnownState, recordsOf } from "./known-state.ts";
import type { Change, RecordEvent, Records } from "./records.ts";

/** What commands do to records that are known. */

/** A record that a command may change, and how. */
interface Target {
  readonly records: Records;
  readonly id: string;
  readonly apply: Change["apply"];
}

/** Everything that is known of records: of resources, and of lists of which nothing is stated. */
const allRecords = ({ records, lists }: KnownState): ReadonlySet<Records> =>
  new Set([...records.values(), ...[...lists.values()].map((list) => list.records)]);

/** The records that the input of a command names; null if it names none: it may change all. */
function namedIds({ operation, data }: ParsedRequest): readonly string[] | null {
  const members = Object.keys(operation?.exampleFrom ?? {});
  const sent = members.map((name) => stringOf(Object(data)[name]));
  // Some take the letter case of a UUID as it comes.
  return sent.length === 0 ? null : [...new Set([...sent, ...sent.map((id) => id.toLowerCase())])];
}

/** What a command may change that says nothing about it; `shown`: the record of its response. */
function openTargets(
  model: KnownState,
  operation: Operation,
  reading: ParsedRequest,
  shown?: Members,
): readonly Target[] {
  const stated = new Map([...model.records].map(([name, records]) => [records, name]));
  const isShown = new Set(
    listsOf(model.oracle.contract, operation).flatMap(({ id }) => model.lists.get(id) ?? []),
  );
  const lists = new Set([...isShown].map((list) => list.records));
  const key = recordNamedBy(reading);
  const named = key === null ? (operation.opaque ? null : namedIds(reading)) : [key];
  return [...allRecords(model)].flatMap((records): readonly Target[] => {
    const name = stated.get(records);
    if (name !== undefined && !isOpaqueFor(operation, name)) return [];
    const shownId = shown && records.idOf(shown);
    // With other parameters a list may have lost what was changed.
    if (shown && shownId !== undefined && lists.has(records))
      return [{ records, id: shownId, apply: (state) => [state, shown, null] }];
    const ids = [...(named ?? records.ids), ...(shownId === undefined ? [] : [shownId])];
    return ids.map((id) => ({ records, id, apply: null }));
  });
}

/** The record that a command updates or removes, and what refers to a record that is removed. */
function statedTargets(
  model: KnownState,
  operation: Operation,
  reading: ParsedRequest,
  shown?: Members,
): readonly Target[] {
  const { contract } = model.oracle;
  const { effect } = operation;
  const records = recordsOf(model, operation);
  const id = recordNamedBy(reading);
  if (!effect || !records || id === null) return [];
  if (effect.kind === "deletes") {
    const referring = referencesTo(contract, effect.resource).flatMap(([resource, member]) => {
      const others = model.records.get(resource);
      return others
        ? others.referringTo(member, id).map((one) => ({ records: others, id: one }))
        : [];
    });
    return [
      { records, id, apply: () => [null] },
      ...referring.map((one) => ({ ...one, apply: null })),
    ];
  }
  const { readOnly } = resourceOf(contract, effect);
  const chosen = shown && answersRecord(operation) ? readOnly : [];
  const server = Object.fromEntries(chosen.map((name) => [name, shown?.[name]]));
  return [
    {
      records,
      id,
      apply: (state) => [{ ...updated(contract, operation, reading.data, state), ...server }],
    },
  ];
}

const targetsOf = (
  model: KnownState,
  operation: Operation,
  reading: ParsedRequest,
  shown?: Members,
): readonly Target[] => [
  ...statedTargets(model, operation, reading, shown),
  ...openTargets(model, operation, reading, shown),
];

/**
 * A request is about to be sent: until the function returned is called, nothing is known of what it
 * may change.
 */
export function underWay(model: KnownState, request: Request): () => void {
  const reading = model.oracle.read(request, model);
  const { operation } = reading;
  if (!operation || !mayChange(operation)) return () => {};
  const targets = targetsOf(model, operation, reading);
  for (const { records, id } of targets) records.underWay(id, 1);
  return () => {
    for (const { records, id } of targets) records.underWay(id, -1);
  };
}

const eventOf = ({ effect, state }: Operation): RecordEvent => {
  if (effect?.kind === "deletes") return "deleted";
  return state ? "state" : "updated";
};

/**
 * A command was carried out, or with `isOpen` may have been; `shown`: the record that its response
 * shows.
 */
export function change(
  model: KnownState,
  operation: Operation,
  request: Request,
  since: number,
  { shown, isOpen = false }: { readonly shown?: Members; readonly isOpen?: boolean } = {},
): void {
  const reading = model.oracle.read(request, model);
  const event = eventOf(operation);
  const targets = targetsOf(model, operation, reading, shown);
  for (const { records, id, apply } of targets) records.change(id, { apply, event, since, isOpen });
  if (operation.effect?.kind === "deletes") forget(model, targets);
}

/** What is stored under an idempotency key goes with its record: the key is free again (D25). */
function forget(model: KnownState, targets: readonly Target[]): void {
  for (const [key, { body }] of model.created)
    if (targets.some(({ records, id }) => body !== null && records.idOf(body) === id))
      model.created.delete(key);
}

/** A command that names a record was rejected. */
export function reject(model: KnownState, operation: Operation, request: Request): void {
  const id = recordNamedBy(model.oracle.read(request, model));
  if (id !== null && mayChange(operation)) recordsOf(model, operation)?.reject(id);
}
