import {
  type Contract,
  createsRecord,
  type Effect,
  membersOf,
  type Operation,
  type Resource,
  successSchema,
} from "./contract.ts";
import type { OperationExtension, UniqueReader } from "./operation-extension.ts";
import type { ParsedRequest } from "./parsed-request.ts";
import { FREE, type Members, memberOf, type RecordState } from "./records.ts";
import { keyText, stringOf } from "./values.ts";

/** What an operation does to records, as the contract states it (Effects). */

/** A resource of which nothing is stated. */
export const UNSTATED: Resource = { key: "id", readOnly: [], volatile: [], unique: [] };

export const resourceOf = ({ resources = {} }: Contract, { resource }: Effect): Resource =>
  resources[resource] ?? UNSTATED;

/** Whether a success of an operation is a record of its resource. */
export const answersRecord = ({ effect, ...operation }: Operation): boolean =>
  effect !== undefined && successSchema(operation)?.$ref === `#/schemas/${effect.resource}`;

/** The record that the input of a request names; null where it names none. */
export function recordNamedBy(r: ParsedRequest): string | null {
  const { key } = r.operation?.effect ?? {};
  const id = key === undefined ? null : inputOf(r, key);
  return id === null ? null : keyText(id);
}

/** Whether a member of an input names a record by a UUID: then one that is made up names none. */
export function namesByUuid(contract: Contract, operation: Operation, member: string): boolean {
  const { effect, requires = {} } = operation;
  const isKey = effect?.key === member && effect.absent !== undefined;
  const { format } = membersOf(contract, operation.schema)[member] ?? {};
  return format === "uuid" && (isKey || Object.hasOwn(requires, member));
}

/** A value of an input as text; null where there is none. */
export function inputOf(r: ParsedRequest, member: string): string | null {
  const { operation, isPost } = r;
  const part = operation?.parts.indexOf(member) ?? -1;
  const sent = isPost
    ? memberOf(r.data ?? {}, member)
    : part < 0
      ? r.named(member)[0]
      : new RegExp(operation?.pattern ?? "", "u").exec(stringOf(r.name))?.[part + 1];
  return typeof sent === "string" || typeof sent === "number" ? stringOf(sent) : null;
}

/** Whether a command may change records of a resource in a way that is not stated. */
export const isOpaqueFor = (operation: Operation, resource: string): boolean => {
  const { method, effect, opaque = [] } = operation;
  if (method !== "POST") return false;
  if (operation.opaque) return opaque.length === 0 || opaque.includes(resource);
  return effect === undefined && !createsRecord(operation);
};

/** The members of a resource that refer to another one, by what commands require. */
export function referencesTo(
  { operations }: Contract,
  resource: string,
): readonly (readonly [resource: string, member: string])[] {
  return Object.values(operations).flatMap(({ effect, requires = {} }) =>
    Object.entries(requires).flatMap(([member, required]) =>
      effect && required.resource === resource ? [[effect.resource, member] as const] : [],
    ),
  );
}

/** The members of its data that a record has, but for its key. */
export function sentMembers(contract: Contract, operation: Operation, data: Members | null) {
  const { effect } = operation;
  const { key } = effect ? resourceOf(contract, effect) : UNSTATED;
  const { properties = {} } = contract.schemas[effect?.resource ?? ""] ?? {};
  return Object.entries(data ?? {}).filter(
    ([name]) =>
      (name !== key || effect?.kind === "creates") &&
      name !== effect?.key &&
      Object.hasOwn(properties, name),
  );
}

/**
 * A record after an update: what is sent replaces, null removes, and what no input has may be
 * anything.
 */
export function updated(
  contract: Contract,
  operation: Operation,
  data: Members | null,
  state: Members,
): Members {
  const { effect, state: move } = operation;
  const { readOnly, key } = effect ? resourceOf(contract, effect) : UNSTATED;
  const free = readOnly.filter((name) => name !== key).map((name) => [name, FREE] as const);
  return {
    ...state,
    ...Object.fromEntries(free),
    ...Object.fromEntries(sentMembers(contract, operation, data)),
    ...(move && { [move.member]: move.to }),
  };
}

/** What of the input of a command must be unique, as the contract states it. */
export function uniqueMembersOf(contract: Contract, operation: Operation): Resource["unique"] {
  const { effect, problems } = operation;
  if (effect?.kind !== "creates" && effect?.kind !== "updates") return [];
  return resourceOf(contract, effect).unique.filter(({ code }) => problems.includes(code));
}

/** What the requirement of an effect is about: `effects/created`. */
export const RULES: Readonly<Record<Effect["kind"], string>> = {
  creates: "created",
  updates: "updated",
  deletes: "deleted",
  reads: "read",
  lists: "listed",
};

/** A value that must be unique, as it compares: letters of ASCII in small letters, or exactly. */
export const uniqueText = ({ ignoresCase }: Resource["unique"][number], value: unknown): string =>
  ignoresCase
    ? stringOf(value).replace(/[A-Z]+/g, (letters) => letters.toLowerCase())
    : stringOf(value);

/** The values that must be unique, as the contract states them. */
export const statedUnique = (contract: Contract): readonly OperationExtension[] =>
  Object.values(contract.operations).flatMap((operation) => {
    const readers = uniqueMembersOf(contract, operation).map((unique) => {
      const read: UniqueReader = (data) => {
        const value = memberOf(data, unique.member) ?? null;
        return value === null ? null : uniqueText(unique, value);
      };
      return [unique.code, read] as const;
    });
    return readers.length > 0
      ? [{ operation: operation.id, unique: Object.fromEntries(readers) }]
      : [];
  });

/** Whether something holds in all, none, or some of the states in which a record may be. */
export function verdictOf(
  states: readonly RecordState[] | null | undefined,
  holds: (state: RecordState) => boolean | null,
): boolean | null {
  if (!states || states.length === 0) return null;
  const all = states.map(holds);
  return all.every((one) => one === all[0]) ? (all[0] ?? null) : null;
}
