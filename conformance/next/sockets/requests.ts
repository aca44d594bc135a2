import { mediaTypesOf, type Operation } from "../../oracle/contract.ts";
import type { Request } from "../../oracle/world.ts";
import { addField, type Change, pair, plain, setField, written } from "../requests/draft.ts";
import { probesOf } from "../run/preflight.ts";
import type { Run } from "../run/state.ts";
import type { Talk } from "./talk.ts";

/** One request of each kind of response, made from the contract. None of them changes anything. */

const KEY = "X-API-KEY";
const PLATFORM = "X-PLATFORM";

const operationsOf = ({ suite, inputs }: Run): readonly Operation[] =>
  Object.values(suite.oracle.contract.operations).filter(({ id }) => !inputs.lacking.has(id));

export const queriesOf = (run: Run): readonly Operation[] => operationsOf(run).filter(({ method }) => method === "GET");
export const commandsOf = (run: Run): readonly Operation[] =>
  operationsOf(run).filter(({ method }) => method === "POST");

/**
 * A call of an operation with its input, changed. A command has no data, which it needs; one that needs none has an unknown
 * member.
 */
export function call({ source, inputs }: Run, operation: Operation, ...changes: readonly Change[]): Request {
  const draft = plain(operation, inputs.all.get(operation.id) ?? operation.example, source.caller);
  const isNeeded = Object.values(operation.input).some(({ required }) => required);
  if (draft.data) draft.data = isNeeded ? null : [["unknown", "1"]];
  for (const change of changes) change(draft);
  return written(draft);
}

/** The query that needs the least. */
export const simple = (run: Run, ...changes: readonly Change[]): Request =>
  call(run, probesOf(run.suite.oracle.contract).simplest, ...changes);

/** A query and a command that need credentials, as far as the contract has them. */
export const guardedOf = (run: Run): readonly Operation[] =>
  [queriesOf(run), commandsOf(run)].flatMap((some) => some.filter(({ auth }) => auth).slice(0, 1));

/** A POST that passes every layer, and creates nothing. */
export function post(run: Run): Request {
  const [command] = commandsOf(run);
  if (command) return call(run, command);
  const { simplest } = probesOf(run.suite.oracle.contract);
  return { ...simple(run, json), ...{ method: "POST", target: "/api/", body: JSON.stringify({ "@": simplest.name }) } };
}

export const json: Change = (draft) => setField(draft, "Content-Type", ["application/json"]);

/** Another path, without a query. */
const at =
  (path: string, method = "GET"): Change =>
  (draft) => {
    Object.assign(draft, { path, method, query: [], members: null, data: null });
  };

/** A page next to the endpoint. */
export const page = (run: Run): Request => simple(run, at(run.suite.further.paths[0] ?? "/"));

const by =
  (method: string): Change =>
  (draft) => {
    draft.method = method;
  };
const header =
  (name: string, ...values: readonly string[]): Change =>
  (draft) =>
    setField(draft, name, values);

/** Credentials: none, half of them, wrong ones, and in the query. */
export const NOBODY: readonly Change[] = [
  (draft) => {
    setField(draft, KEY, []);
    setField(draft, PLATFORM, []);
  },
  header(KEY),
  header(PLATFORM),
];
export const wrongKey: Change = (draft) => setField(draft, KEY, [draft.caller.canary]);
const wrongPlatform: Change = (draft) => setField(draft, PLATFORM, [draft.caller.canary]);
const inQuery: Change = (draft) => {
  const { key, platform } = draft.caller;
  for (const change of NOBODY) change(draft);
  draft.query.push(pair(KEY, key), pair(PLATFORM, platform));
};

/** Every operation by HEAD, in each representation, for callers with and without credentials. */
export const callsOf = ({ run, allows }: Talk): readonly Request[] =>
  operationsOf(run)
    .flatMap((operation) => {
      const isQuery = operation.method === "GET";
      const ofQuery = [
        by("HEAD"),
        header("If-None-Match", "*"),
        ...mediaTypesOf(operation).map((one) => header("Accept", one)),
      ];
      const ofCaller = [...NOBODY, wrongKey, wrongPlatform, ...(isQuery ? [inQuery] : [])];
      const changes = [...(isQuery ? ofQuery : []), ...(operation.auth ? ofCaller : [])];
      return [call(run, operation), ...changes.map((change) => call(run, operation, change))];
    })
    .filter(allows);

const FAULTS: readonly Change[] = [
  (draft) => {
    draft.path = `/${draft.caller.canary}`;
  },
  by("PUT"),
  (draft) => void draft.query.push("%zz"),
  (draft) => void draft.query.push("x=1", "x=1"),
  (draft) => addField(draft, KEY, draft.caller.canary),
  header("Content-Type", "text/plain"),
  header("Content-Encoding", "x"),
  (draft) => void draft.bytes.push((text) => text.replace(/}$/, ",}")),
  (draft) => {
    draft.query = draft.query.slice(1);
    draft.members &&= [];
  },
  (draft) => void draft.query.push("@=x"),
  (draft) => {
    draft.query = [pair("@", `no.${draft.caller.canary}`), ...draft.query.slice(1)];
    draft.members &&= [["@", JSON.stringify(`no.${draft.caller.canary}`)]];
  },
  (draft) => {
    if (draft.members) draft.query = [pair("@", String(JSON.parse(draft.members[0]?.[1] ?? '""')))];
    draft.method = draft.members ? "GET" : "POST";
    draft.members = null;
  },
  (draft) => void draft.query.push(pair(KEY, draft.caller.canary)),
  ...NOBODY,
  wrongKey,
  wrongPlatform,
  header("Accept", "image/x"),
  (draft) => void draft.query.push("unknown=1"),
  (draft) => void draft.query.push(pair("cursor", draft.caller.canary)),
];

/** Rejections of every step behind the head: one for each code and method. */
export function rejectedOf({ run, allows }: Talk): readonly Request[] {
  const { oracle } = run.suite;
  const [simplest] = [probesOf(oracle.contract).simplest];
  const all = [...guardedOf(run), simplest].flatMap((operation) => FAULTS.map((fault) => call(run, operation, fault)));
  const kinds = new Map<string, Request>();
  for (const request of all.filter(allows)) {
    const { code } = oracle.predict(request, run.world);
    const kind = `${request.method} ${code}`;
    if (code !== null && !kinds.has(kind)) kinds.set(kind, request);
  }
  return [...kinds.values()];
}

/** Paths next to the endpoint, and the endpoint without an operation. */
export const pagesOf = ({ run }: Talk): readonly Request[] => {
  const { paths } = run.suite.further;
  const all = ["/", "/no-such-path", "/api", ...paths];
  return [
    ...all.flatMap((path) => ["GET", "HEAD"].map((method) => simple(run, at(path, method)))),
    ...paths.map((path) => simple(run, at(path), header("If-None-Match", "*"))),
    simple(run, at("/"), header("Accept", "application/json")),
    ...["/api/", "/api", "/"].map((path) => simple(run, at(path, "OPTIONS"), header("Origin", "https://page.example"))),
    ...["/", "/api/", ...paths.slice(0, 1)].map((path) => simple(run, at(path, "DELETE"))),
  ];
};

/** Without those that differ in their credentials, or in what they accept. */
export const plainOf = (talk: Talk): readonly Request[] => [
  ...operationsOf(talk.run)
    .flatMap((one) => [call(talk.run, one), ...(one.method === "GET" ? [call(talk.run, one, by("HEAD"))] : [])])
    .filter(talk.allows),
  ...pagesOf(talk),
];

/** Requests with a body that nobody needs: rejected before it is read, or without a use for it. */
export function unread({ run }: Talk, body: string): readonly Request[] {
  const others = ["/no-such-path", "/", "/api"].map((path) => simple(run, at(path, "POST")));
  const methods = ["PUT", "OPTIONS", "GET"].map((method) => simple(run, by(method)));
  const command = commandsOf(run)[0];
  const ofCommand = command
    ? [
        call(run, command),
        ...[header("Content-Encoding", "gzip"), header("Content-Type", "text/plain")].map((one) =>
          call(run, command, one),
        ),
      ]
    : [post(run)];
  return [...others, ...methods, page(run), ...ofCommand].map((request) => ({ ...request, body }));
}
