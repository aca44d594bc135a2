import {
  createsRecord,
  isConditional,
  type Operation,
  pageItemOf,
  successOf,
  takesIdempotencyKey,
} from "../oracle/contract.ts";
import type { Request } from "../oracle/model-state.ts";
import { CREDENTIALS } from "../oracle/parsed-request.ts";
import type { Prediction } from "../oracle/predict.ts";
import { type Mutation, mutation, plain, shown, written } from "../requests/draft.ts";
import { byPart } from "../requests/draw.ts";
import { seededRandom, shuffled } from "../run/random.ts";
import type { Run } from "../run/state.ts";

/** What a run has for its scenarios. */
export interface ScenarioCatalog {
  /** Commands that create a record, whose values are new each time. */
  readonly commands: readonly Command[];
  readonly lists: readonly List[];
  /** The resources of which operations state what they do. */
  readonly resources: readonly ResourceCatalog[];
  /** By operation, the credentials that may call it. */
  readonly callersOf: ReadonlyMap<Operation, readonly string[]>;
  /** By operation and member, a row that names a record that there is not. */
  readonly absentRows: ReadonlyMap<Operation, ReadonlyMap<string, Mutation>>;
  /** Other queries. */
  readonly queries: readonly Operation[];
  /** The other queries that accept `If-None-Match`. */
  readonly conditional: readonly Operation[];
  /** Files next to the endpoint. */
  readonly files: readonly NamedRequest[];
  /** Files that a page loads. */
  readonly loaded: readonly NamedRequest[];
  /** The names of a templated operation that the contract knows. */
  readonly known: readonly NamedRequest[];
  /**
   * Kinds of credentials: those with every right first, then all others that the run has and may
   * use.
   */
  readonly callers: readonly string[];
  /**
   * By operation, rows that change nothing, of each part one; and for each way of being rejected,
   * by requirement and code, one.
   */
  readonly benignMutations: ReadonlyMap<Operation, readonly Mutation[]>;
  readonly faults: ReadonlyMap<Operation, ReadonlyMap<string, Mutation>>;
  /** Rows of the codings that a caller takes. */
  readonly codingMutations: ReadonlyMap<Operation, readonly Mutation[]>;
}
/** A row that a path or a name is requested with. */
export interface NamedRequest {
  readonly operation: Operation;
  readonly row: Mutation;
}
export interface Command {
  readonly operation: Operation;
  readonly isKeyed: boolean;
  /** The code of the conflict where a value must be unique. */
  readonly conflict: string | undefined;
  /** A rejected row for each member of the input that need not be unique. */
  readonly invalid: readonly Mutation[];
  /** Rows of bodies in several chunks. */
  readonly framed: readonly Mutation[];
  /** Credentials that may call it. */
  readonly callers: readonly string[];
}
/** The operations about the records of one resource. */
export interface ResourceCatalog {
  readonly name: string;
  readonly creator: Command | undefined;
  readonly reads: readonly Operation[];
  readonly lists: readonly List[];
  readonly updates: readonly Operation[];
  /** Those that take a record in some states alone. */
  readonly moves: readonly Operation[];
  readonly deletes: readonly Operation[];
  /** The members with unique values. */
  readonly unique: readonly string[];
}
export interface List {
  readonly operation: Operation;
  readonly callers: readonly string[];
  readonly most: number;
  readonly byDefault: number;
  /** A row with a cursor that there is not. */
  readonly cursor: Mutation | undefined;
}

/**
 * Rows of one part that are looked at: the common ones, first in their table, and some that are
 * drawn.
 */
const COMMON = 4;
/** For a credential, the rows that combine each content of the header with each of the query. */
const COMMON_OF_CREDENTIALS = 16;
const DRAWN = 4;
const commonOf = ([row]: readonly Mutation[]) =>
  CREDENTIALS.some((name) => name === row?.dimension) ? COMMON_OF_CREDENTIALS : COMMON;
/** A step says these itself. */
const OWN =
  /^(?:input|name|unknown|data|Idempotency-Key|path|placement|size|version|Expect|Connection)\b/;

const spaces = new WeakMap<Run, ScenarioCatalog>();

/** The space of a run, which all of its scenarios share. */
export function catalogOf(run: Run): ScenarioCatalog {
  const known = spaces.get(run) ?? createCatalog(run, seededRandom(run.options.seed));
  spaces.set(run, known);
  return known;
}

function createCatalog(run: Run, random: () => number): ScenarioCatalog {
  const { suite, model, options, inputs } = run;
  const { contract } = suite.oracle;
  const operations = Object.values(contract.operations).filter(({ id }) => !inputs.lacking.has(id));
  const { full, special } = options.credentials;
  const all = Object.entries({ full, ...special });
  const callersOf = ({ auth, scope }: Operation) =>
    all.flatMap(([kind, { key, platform }]) => {
      const known = model.keys.get(key);
      const may =
        known?.valid &&
        known.platforms.includes(platform) &&
        (!scope || known.scopes.includes(scope));
      return !auth || may ? [kind] : [];
    });
  const lists = operations.filter((one) => pageItemOf(contract, one));
  const queries = operations.filter((one) => one.method === "GET" && !lists.includes(one));
  const open = queries.find(({ auth }) => !auth);
  const looked = operations.map((one) => [one, lookedAt(run, one, random)] as const);
  const creating = options.allowWrite ? operations.filter(createsRecord) : [];
  const commands = creating.map((operation) => ({
    operation,
    isKeyed: takesIdempotencyKey(operation),
    callers: callersOf(operation),
    conflict: suite.oracle.operationExtensions.flatMap(({ operation: id, unique = {} }) =>
      id === operation.id ? Object.keys(unique) : [],
    )[0],
    invalid: invalidOf(run, operation),
    framed: rowsOf(run, operation, "size").filter(({ name }) =>
      /^in chunks: (?:several|of one byte and of many|a trailer)$/.test(name),
    ),
  }));
  const listed = lists.map((operation) => {
    const { maximum = 1, default: byDefault = 1 } = operation.schema.properties?.limit ?? {};
    const [cursor] = rowsOf(run, operation, "input cursor").filter(
      ({ name }) => name === "cursor is x",
    );
    return {
      operation,
      callers: callersOf(operation),
      most: maximum,
      byDefault: Number(byDefault),
      cursor,
    };
  });
  const does = (resource: string, ...kinds: readonly string[]) =>
    operations.filter(({ effect }) => effect?.resource === resource && kinds.includes(effect.kind));
  return {
    commands,
    lists: listed,
    callersOf: new Map(operations.map((one) => [one, callersOf(one)])),
    absentRows: new Map(
      operations.map((one) => [
        one,
        new Map(
          Object.keys(one.requires ?? {}).flatMap((member) =>
            rowsOf(run, one, `input ${member}`)
              .filter(({ name }) => name === `${member} of no record`)
              .map((row) => [member, row] as const),
          ),
        ),
      ]),
    ),
    resources: Object.entries(contract.resources ?? {}).map(([name, { unique }]) => {
      const updates = options.allowWrite ? does(name, "updates") : [];
      return {
        name,
        creator: commands.find(({ operation: { effect } }) => effect?.resource === name),
        reads: does(name, "reads"),
        lists: listed.filter(({ operation }) => does(name, "lists").includes(operation)),
        updates: updates.filter(({ state }) => state === undefined),
        moves: updates.filter(({ state }) => state !== undefined),
        deletes: options.allowWrite ? does(name, "deletes") : [],
        unique: unique.map(({ member }) => member),
      };
    }),
    queries,
    conditional: queries.filter(isConditional),
    files: open ? filesOf(run, open) : [],
    loaded: open ? loadedBy(run, open) : [],
    known: queries.flatMap((operation) => {
      const names = operation.known.map((name) => `@ is ${shown(name)}`);
      return rowsOf(run, operation, "name").flatMap((row) =>
        names.includes(row.name) ? [{ operation, row }] : [],
      );
    }),
    callers: all
      .filter(([, { key }]) => options.allowHostile || model.keys.get(key)?.valid)
      .map(([kind]) => kind),
    benignMutations: new Map(looked.map(([one, { calm }]) => [one, calm])),
    faults: new Map(looked.map(([one, { faults }]) => [one, faults])),
    codingMutations: new Map(operations.map((one) => [one, rowsOf(run, one, "Accept-Encoding")])),
  };
}

const rowsOf = ({ suite }: Run, { id }: Operation, of: string): readonly Mutation[] =>
  [...(suite.tables.mutationsByOperation.get(id)?.values() ?? [])].filter(
    ({ dimension }) => dimension === of,
  );

/** The rows of paths that are served, or redirected: of several for one path the last. */
function filesOf(run: Run, operation: Operation): readonly NamedRequest[] {
  const { suite, model } = run;
  const files = new Map<string, NamedRequest>();
  for (const row of rowsOf(run, operation, "path")) {
    const request = requestWith(run, operation, row);
    const { code, operation: called } = suite.oracle.predict(request, model);
    if (code === null && !called)
      files.set(suite.oracle.read(request, model).path, { operation, row });
  }
  return [...files.values()];
}

/** Files that are known since a page of this deployment loads them: there may be any number. */
const MOST_LOADED = 4;
function loadedBy({ suite, model }: Run, operation: Operation): readonly NamedRequest[] {
  const loaded = [...model.files].filter((path) => path !== "/" && !suite.paths.includes(path));
  return loaded.slice(0, MOST_LOADED).map((path) => {
    const to = mutation("path", `path ${path}`, (draft) => {
      draft.path = path;
    });
    return { operation, row: to };
  });
}

function invalidOf(run: Run, operation: Operation): readonly Mutation[] {
  const input = run.source.inputs.get(operation.id) ?? operation.example;
  const unique = run.inputs.uniqueOf(operation, input);
  const isInvalid = (row: Mutation) => predicted(run, operation, row).code !== null;
  const repeatable = Object.keys(input).filter((member) => !unique.has(member));
  return repeatable.flatMap((member) =>
    rowsOf(run, operation, `input ${member}`).filter(isInvalid).slice(0, 1),
  );
}

/** The plain call of an operation with a row. */
function requestWith({ source, inputs }: Run, operation: Operation, { apply }: Mutation): Request {
  const draft = plain(operation, inputs.sample(operation), source.caller);
  apply(draft);
  return written(draft);
}

/** What a right server says to a row alone. */
const predicted = (run: Run, operation: Operation, row: Mutation): Prediction =>
  run.suite.oracle.predict(requestWith(run, operation, row), run.model);

/** Some rows of an operation, by what a right server says to each of them alone. */
function lookedAt(run: Run, operation: Operation, random: () => number) {
  const rows = [
    ...(run.suite.tables.mutationsByOperation.get(operation.id)?.values() ?? []),
  ].filter(({ needs }) => needs === undefined);
  const some = byPart(rows).flatMap((all) => [
    ...all.slice(0, commonOf(all)),
    ...shuffled(all.slice(commonOf(all)), random).slice(0, DRAWN),
  ]);
  const places = new Map(rows.map((row, at) => [row, at]));
  const placeOf = (row: Mutation) => places.get(row) ?? rows.length;
  const calm = new Map<string, Mutation>();
  const faults = new Map<string, Mutation>();
  const success = successOf(operation);
  for (const row of shuffled(some, random)) {
    const { code, by, status, or } = predicted(run, operation, row);
    if (
      code === null &&
      status === success &&
      !or &&
      !OWN.test(row.dimension) &&
      !isAsked(operation, row)
    )
      calm.set(row.dimension.toLowerCase(), row);
    // Each credential may be missing.
    const kind = `${by} ${code} ${CREDENTIALS.find((name) => name === row.dimension) ?? ""}`;
    // The first row in its table is the common one.
    const known = faults.get(kind);
    if (code !== null && (!known || placeOf(row) < placeOf(known))) faults.set(kind, row);
  }
  return { calm: [...calm.values()], faults };
}

/** A response may depend on the copy that a caller has. */
const isAsked = ({ headers }: Operation, { dimension }: Mutation): boolean =>
  headers.some(({ name }) => name.toLowerCase() === dimension.toLowerCase());
