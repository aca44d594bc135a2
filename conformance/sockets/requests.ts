import type { Finding } from "../exchange.ts";
import type { Operation } from "../oracle/contract.ts";
import type { Request } from "../oracle/model-state.ts";
import { plain, written } from "../requests/draft.ts";
import { probesOf } from "../run/preflight.ts";
import type { Run, Script } from "../run/state.ts";
import { type SocketMessage, SocketTestContext, withFields, without } from "./context.ts";

/** Scripts that talk to a deployment. */

/** Findings of one script: further ones have the same cause, or cost a time-out each. */
const MOST_FINDINGS = 5;

export type Play = (context: SocketTestContext) => AsyncIterable<Finding>;

type How = Pick<Script, "effect" | "slow" | "alone">;

/**
 * A script for a requirement; one of a contract that does not have it says nothing. Messages that
 * are sent `together`, or `each`, exercise it; what is sent in another way needs `exercised()`.
 */
export const script = (
  id: string,
  requirement: string,
  how: Script["effect"] | How,
  play: Play,
): Script => ({
  id: `socket ${id}`,
  requirements: [requirement],
  ...(typeof how === "string" ? { effect: how } : how),
  run: async function* (run, exercised) {
    let findingCount = 0;
    for await (const finding of play(new SocketTestContext(run, requirement, id, exercised))) {
      yield finding;
      if (run.results.takes(finding)) findingCount += 1;
      if (findingCount >= MOST_FINDINGS) return;
    }
  },
});

type Make = (context: SocketTestContext) => readonly SocketMessage[];

/** Each on a connection of its own. */
export const single = (
  id: string,
  requirement: string,
  effect: Script["effect"],
  make: Make,
): Script => script(id, requirement, effect, (context) => context.each(make(context)));

/** One behind another on one connection. */
export const sequence = (
  id: string,
  requirement: string,
  make: Make,
  by?: "segment" | "turn",
): Script =>
  script(id, requirement, "hostile", (context) =>
    context.together(make(context), by ? { by } : {}),
  );

/**
 * One request of each kind of response, by the rows of the tables. None of them changes anything.
 */

const operationsOf = ({ suite, inputs }: Run): readonly Operation[] =>
  Object.values(suite.oracle.contract.operations).filter(({ id }) => !inputs.lacking.has(id));
const withMethod = (run: Run, method: string) =>
  operationsOf(run).filter((one) => one.method === method);
export const queriesOf = (run: Run): readonly Operation[] => withMethod(run, "GET");
export const commandsOf = (run: Run): readonly Operation[] => withMethod(run, "POST");

/** A query and a command that need credentials, as far as the contract has them. */
export const guardedOf = (run: Run): readonly Operation[] =>
  [queriesOf(run), commandsOf(run)].flatMap((some) => some.filter(({ auth }) => auth).slice(0, 1));

const simplest = ({ suite }: Run) => probesOf(suite.oracle.contract).simplest;

/**
 * Calls of an operation, each changed by the rows of these names (`A + B`); none where the contract
 * has no such row. A command has no data, which it needs; one that needs none has an unknown
 * member.
 */
export const calls = (
  { source, inputs, suite }: Run,
  operation: Operation,
  names: readonly string[],
) =>
  names.flatMap((text): readonly Request[] => {
    const rows = text
      .split(" + ")
      .map((name) => suite.tables.mutationsByOperation.get(operation.id)?.get(name));
    const draft = plain(
      operation,
      inputs.all.get(operation.id) ?? operation.example,
      source.caller,
    );
    const isNeeded = Object.values(operation.input).some(({ required }) => required);
    if (draft.data) draft.data = isNeeded ? null : [["unknown", "1"]];
    for (const row of rows) row?.apply(draft);
    return text !== "" && rows.includes(undefined) ? [] : [written(draft)];
  });

/** The plain call. Its row is the empty one. */
export const call = (run: Run, operation: Operation): Request =>
  calls(run, operation, [""])[0] ?? { method: "GET", target: "/", fields: [], body: "" };

/** The query that needs the least. */
export const simple = (run: Run): Request => call(run, simplest(run));

/** A POST that passes every layer, and creates nothing. */
export function post(run: Run): Request {
  const [command] = commandsOf(run);
  return command
    ? call(run, command)
    : (calls(run, simplest(run), ["as the other kind of operation"])[0] ?? simple(run));
}

/** A page next to the endpoint. */
export const page = (run: Run): Request =>
  calls(run, simplest(run), [`path ${run.suite.paths[0] ?? "/"}`])[0] ?? simple(run);

const NOT_SENT = "nothing in the header, nothing in the query";
const IN_QUERY = "nothing in the header, right in the query";
const WRONG = "wrong in the header, nothing in the query";
/**
 * Names of rows: a media type, and credentials: none, half of them, wrong ones, and in the query.
 */
export const ROW = {
  json: "Content-Type: application/json; charset=utf-8",
  nobody: [
    `X-API-KEY ${NOT_SENT} + X-PLATFORM ${NOT_SENT}`,
    `X-API-KEY ${NOT_SENT}`,
    `X-PLATFORM ${NOT_SENT}`,
  ],
  wrongKey: `X-API-KEY ${WRONG}`,
  wrongPlatform: `X-PLATFORM ${WRONG}`,
  noScopes: "X-API-KEY of the kind noScopes",
  inQuery: `X-API-KEY ${IN_QUERY} + X-PLATFORM ${IN_QUERY}`,
} as const;

/** Every operation by HEAD, in its representations, for callers with and without credentials. */
export const callsOf = ({ run, allows }: SocketTestContext): readonly Request[] =>
  operationsOf(run)
    .flatMap((operation) => {
      const isQuery = operation.method === "GET";
      const types = operation.answers[0]?.mediaTypes ?? [];
      const ofQuery = ["method HEAD", "If-None-Match: *", ...types.map((one) => `Accept: ${one}`)];
      const ofCaller = [
        ...ROW.nobody,
        ROW.wrongKey,
        ROW.wrongPlatform,
        ...(isQuery ? [ROW.inQuery] : []),
      ];
      return calls(run, operation, [
        "",
        ...(isQuery ? ofQuery : []),
        ...(operation.auth ? ofCaller : []),
      ]);
    })
    .filter(allows);

const FAULTS = [
  "path /x",
  "method PUT",
  "query ?%zz",
  "query ?x=1&x=1",
  "X-API-KEY and another",
  "Content-Type: text/plain",
  "Content-Encoding: x",
  "body ends with ,",
  "no @",
  "name again ?@=x",
  "@ is no.such.operation",
  "@ ~0",
  ...ROW.nobody,
  "as the other kind of operation",
  "X-API-KEY right in the header, wrong in the query",
  ROW.wrongKey,
  ROW.wrongPlatform,
  ROW.noScopes,
  "Accept: image/png",
  "unknown ?unknown",
  "cursor : a 1 times",
];

/** Rejections of every step behind the head: one for each code and method. */
export function rejectedOf({ run, allows }: SocketTestContext): readonly Request[] {
  const { oracle } = run.suite;
  const named = operationsOf(run).filter(({ pattern }) => pattern !== null);
  const all = [...guardedOf(run), simplest(run), ...named.slice(0, 1)].flatMap((operation) =>
    calls(run, operation, FAULTS),
  );
  const kinds = new Map<string, Request>();
  for (const request of all.filter(allows)) {
    const { code } = oracle.predict(request, run.model);
    const kind = `${request.method} ${code}`;
    if (code !== null && !kinds.has(kind)) kinds.set(kind, request);
  }
  return [...kinds.values()];
}

/** Paths next to the endpoint, and the endpoint without an operation. */
export function pagesOf({ run }: SocketTestContext): readonly Request[] {
  const { paths } = run.suite;
  const all = ["/", "/x", "/api", ...paths].flatMap((path) => [
    `path ${path}`,
    `path ${path} + method HEAD`,
  ]);
  const tagged = paths.map((path) => `path ${path} + If-None-Match: *`);
  const options = ["path /api", "path /"].map(
    (path) => `${path} + method OPTIONS + Origin: https://app.example`,
  );
  const deleted = ["path /", "path /api"].map((path) => `${path} + method DELETE`);
  const otherRows = ["path / + Accept: application/json", "method OPTIONS", ...deleted];
  return calls(run, simplest(run), [...all, ...tagged, ...options, ...otherRows]);
}

/** Without those that differ in their credentials, or in what they accept. */
export const plainOf = (context: SocketTestContext): readonly Request[] => [
  ...operationsOf(context.run)
    .flatMap((one) => calls(context.run, one, one.method === "GET" ? ["", "method HEAD"] : [""]))
    .filter(context.allows),
  ...pagesOf(context),
];

/** Looks like a request: a server that does not read the body responds to it. */
const REQUEST = "GET /no-such-path HTTP/1.1\r\nHost: body.example\r\n\r\n";

/** Requests with a body that has no use: rejected before it is read, or without a use for it. */
export function unread({ run }: SocketTestContext): readonly Request[] {
  const posted = ["/x", "/", "/api"].map((path) => `path ${path} + method POST`);
  const some = calls(run, simplest(run), [...posted, "method PUT", "method OPTIONS", ""]);
  const ofCommand = commandsOf(run)
    .slice(0, 1)
    .flatMap((one) => calls(run, one, ["", "Content-Encoding: gzip", "Content-Type: text/plain"]));
  return [...some, page(run), ...ofCommand].map((request) => ({ ...request, body: REQUEST }));
}

/**
 * Requests that end a connection, or may: rejected by the parser, or with a body that is not read
 * to its end.
 */
export function endings({ run }: SocketTestContext): readonly SocketMessage[] {
  const { targetBytes, headBytes, headFields, bodyBytes } = run.suite.oracle.contract.limits;
  const [plain, command] = [simple(run), post(run)];
  const large = { ...command, body: REQUEST.repeat(2_000) };
  const codes = ["malformed-request"];
  const coded = withFields(command, ["Transfer-Encoding", "chunked"]);
  return [
    without(plain, "Host"),
    withFields(plain, ["Expect", "x"]),
    large,
    ...[1, 5].map((times) => ({
      ...plain,
      target: plain.target.padEnd(targetBytes * times + 1_000, "x"),
    })),
    ...[1, 3].map((times) =>
      withFields(plain, ["X-Padding", "x".repeat(headBytes * times + 1_000)]),
    ),
    withFields(
      plain,
      ...Array.from({ length: headFields + 50 }, () => ["X-Padding", "x"] as const),
    ),
    { ...large, body: " ".repeat(bodyBytes + 1_000), framing: { chunks: [8_192] } },
    { request: withFields(command, ["Content-Length", "0"], ["Content-Length", "5"]), codes },
    { request: { ...coded, body: "zz\r\n" }, codes },
    ...[{ ...plain, method: "FOO" }, withFields(plain, ["", "value"])].map((request) => ({
      request,
      codes,
    })),
    { request: plain, bytes: Buffer.from("this is not HTTP\r\n\r\n"), codes },
  ];
}
