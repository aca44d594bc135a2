import type { Api } from "../client/api.ts";
import { type Operation, pageItemOf, successOf, takesIdempotencyKey } from "../oracle/contract.ts";

/** The values for building sequences on one target. */
export interface Space {
  /** Commands that create a record, whose values are new each time. */
  readonly commands: readonly Command[];
  readonly lists: readonly List[];
  /** Other queries. */
  readonly queries: readonly string[];
  /** Those of them that need credentials. */
  readonly guarded: readonly string[];
  /** Those of them that accept `If-None-Match`. */
  readonly conditional: readonly string[];
  /** Names of credentials: those with every right first, then all others that the run has and may use. */
  readonly callers: readonly string[];
  /** Whether rejected data, wrong keys and the like may be sent. */
  readonly mayHarm: boolean;
}
export interface Command {
  readonly id: string;
  readonly isKeyed: boolean;
  /** The code of a value in use; null if none needs to be unique. */
  readonly conflict: string | null;
  /** Credentials that may call it. */
  readonly callers: readonly string[];
  /** The lists that show what it creates. */
  readonly lists: readonly string[];
}
export interface List {
  readonly id: string;
  readonly callers: readonly string[];
  readonly most: number;
  readonly byDefault: number;
}

/** Credentials that may call an operation. */
function callersOf(api: Api, { auth, scope }: Operation): readonly string[] {
  const { full, special } = api.credentials;
  return Object.entries({ full, ...special }).flatMap(([name, { key, platform }]) => {
    const known = api.model.keys.get(key);
    const may = known?.valid && known.platforms.includes(platform) && (!scope || known.scopes.includes(scope));
    return !auth || may ? [name] : [];
  });
}

/** `withheld`: operations with an input value that this target does not have. */
export function spaceOf(api: Api, operations: readonly Operation[]): Space {
  const { model, mayWrite, mayHarm } = api;
  const { contract, own } = model.oracle;
  const creates = (one: Operation) => one.method === "POST" && successOf(one) === 201;
  const lists = operations.filter((one) => pageItemOf(contract, one));
  const { full, special } = api.credentials;
  const usable = Object.entries({ full, ...special }).filter(([, { key }]) => mayHarm || model.keys.get(key)?.valid);
  return {
    commands: (mayWrite ? operations.filter(creates) : []).map((one) => ({
      id: one.id,
      isKeyed: takesIdempotencyKey(one),
      conflict:
        own.flatMap(({ operation, unique }) => (operation === one.id ? Object.keys(unique ?? {}) : []))[0] ?? null,
      callers: callersOf(api, one),
      lists: model.listsOf(one).map(({ id }) => id),
    })),
    lists: lists.map((one) => {
      const { maximum, default: byDefault } = one.schema.properties?.limit ?? {};
      return { id: one.id, callers: callersOf(api, one), most: maximum ?? 1, byDefault: Number(byDefault ?? 1) };
    }),
    queries: operations.filter((one) => one.method === "GET" && !lists.includes(one)).map(({ id }) => id),
    guarded: operations.filter(({ auth }) => auth).map(({ id }) => id),
    conditional: operations
      .filter(({ headers }) => headers.some(({ name }) => name.toLowerCase() === "if-none-match"))
      .map(({ id }) => id),
    callers: usable.map(([name]) => name),
    mayHarm,
  };
}
