import type { Request } from "../oracle/model-state.ts";
import { plain, written } from "../requests/draft.ts";
import { isCarriedOut } from "../run/policy.ts";
import type { Run, Script } from "../run/state.ts";
import { type Message, messageOf, type SocketTestContext, withFields, without } from "./context.ts";
import {
  calls,
  callsOf,
  commandsOf,
  endings,
  guardedOf,
  page,
  pagesOf,
  plainOf,
  post,
  queriesOf,
  ROW,
  rejectedOf,
  script,
  sequence,
  simple,
  single,
  unread,
} from "./requests.ts";

/**
 * What does not depend on the operation: how requests are written, and follow each other on a
 * connection (D12, D13).
 */

/** By HEAD. */
const heads = (context: SocketTestContext): readonly Message[] =>
  [...rejectedOf(context), ...endings(context)]
    .map(messageOf)
    .filter(({ request, bytes }) => request.method === "GET" && !bytes)
    .map((one) => ({ ...one, request: { ...one.request, method: "HEAD" } }));

/**
 * Trailer fields are not header fields (RFC 9110, 6.5.1): right ones do not help, and wrong ones do
 * not harm.
 */
const trailers = ({ run, allows }: SocketTestContext): readonly Request[] => {
  const { key, platform, canary } = run.source.caller;
  const right = Object.entries({ "X-API-KEY": key, "X-PLATFORM": platform });
  return guardedOf(run).flatMap((operation) =>
    calls(run, operation, [ROW.json, ...ROW.nobody.map((one) => `${one} + ${ROW.json}`)])
      .filter(allows)
      .map((request, index) => ({
        ...request,
        body: request.body || JSON.stringify({ "@": operation.name }),
        framing: { chunks: [99], trailers: index === 0 ? [["X-API-KEY", canary] as const] : right },
      })),
  );
};

/**
 * Its last byte is missing three times: a server that does not wait for it creates something. Then
 * it comes whole.
 */
async function* cutCommands(context: SocketTestContext) {
  const { run } = context;
  for (const operation of commandsOf(run).filter(({ responses }) =>
    responses.some(({ status }) => status === 201),
  )) {
    const request = written(plain(operation, run.inputs.fresh(operation), run.source.caller));
    if (!context.allows(request)) continue;
    const { oracle } = run.suite;
    if (isCarriedOut(request, oracle.predict(request, run.model)))
      for (const value of Object.values(oracle.read(request, run.model).data ?? {}))
        if (String(value).includes(run.runId)) run.created.add(String(value));
    for (let turn = 0; turn < 3; turn += 1) {
      await context.send(context.bytesOf(request, true).subarray(0, -1), {
        heads: [false],
        leaves: true,
      });
      yield* context.together([simple(run)]);
    }
    yield* context.together([request]);
  }
}

/** As requests are written, and as long as the responses are. */
const singles = [
  single("lengths of responses", "http/content-length", "read", (context) => [
    ...plainOf(context),
    ...rejectedOf(context),
    ...pagesOf(context)
      .slice(0, 6)
      .map((one) => withFields(one, ["Accept-Encoding", "gzip, br"])),
  ]),
  single("lengths of responses that end a connection", "http/content-length", "hostile", endings),
  single("rejections of HEAD", "http/head-refused", "hostile", heads),
  // HTTP/1.0 needs no `Host`.
  single("HTTP/1.0", "http/versions", "read", (context) =>
    [...plainOf(context).map((one) => without(one, "Host")), simple(context.run)].map(
      (request) => ({
        ...request,
        version: "1.0",
      }),
    ),
  ),
  single("absolute form", "http/versions", "read", (context) => {
    const { origin, prefix } = context.run.options.target;
    // An address without a path is that of its root (RFC 9110, 4.2.3).
    const root = prefix === "" ? [{ ...simple(context.run), target: origin }] : [];
    return [...plainOf(context).map((one) => ({ ...one, target: origin + one.target })), ...root];
  }),
  single("credentials in trailers", "credentials/nowhere-else", "hostile", trailers),
  script("byte by byte", "http/stays-alive", "hostile", async function* (context) {
    const bytes = context.bytesOf(simple(context.run), true);
    const pieces = Array.from(bytes, (byte) => Buffer.from([byte]));
    const conversation = await context.send(bytes, { heads: [false], by: "segment" }, pieces);
    context.exercised();
    if (conversation.responses.length === 0)
      yield context.unlike("a response to a request in segments of one byte", bytes, conversation);
  }),
  script("commands without their last byte", "http/stays-alive", "write", cutCommands),
];

/** Each behind each other one, and behind itself. */
const pairs = (requests: readonly Request[]): readonly Request[] => [
  ...requests.flatMap((one, index) => requests.slice(index).flatMap((other) => [one, other])),
  ...requests.slice(0, 1),
];

/** For operations with credentials: with them, then with others. */
const callers = (id: string, requirement: string, ...rows: readonly string[]) =>
  sequence(
    id,
    requirement,
    ({ run, allows }) =>
      pairs(guardedOf(run).flatMap((one) => calls(run, one, ["", ...rows]).filter(allows))),
    "turn",
  );

const namesOf = ({ fields }: Request) => fields.map(([name]) => name).join();

/** Requests that share a connection. */
const sequences = [
  sequence("requests ahead", "http/pipelining", (context) => [
    ...callsOf(context),
    ...pagesOf(context),
    ...[...rejectedOf(context), ...unread(context)].flatMap((one) => [one, simple(context.run)]),
  ]),
  sequence(
    "requests in segments",
    "http/pipelining",
    (context) => [...plainOf(context), ...rejectedOf(context)],
    "segment",
  ),
  sequence(
    "requests in turn",
    "http/pipelining",
    // One with each set of fields: what a server keeps of one request would be missing, or in the
    // way, in another.
    (context) =>
      pairs([...new Map(callsOf(context).map((one) => [namesOf(one), one])).values()].slice(0, 8)),
    "turn",
  ),
  script("requests behind an end", "http/pipelining", "hostile", async function* (context) {
    const [first = simple(context.run)] = rejectedOf(context);
    for (const socketMessage of endings(context)) {
      // Nothing is sent behind bytes that are no request.
      const behind = "bytes" in socketMessage ? [] : [simple(context.run)];
      yield* context.together([first, simple(context.run), socketMessage, ...behind], { least: 3 });
    }
  }),
  // After `Connection: close` nothing may be processed (RFC 9112, 9.6).
  script("requests behind a close", "http/pipelining", "hostile", async function* (context) {
    const closing = context.bytesOf(simple(context.run), true);
    const bytes = Buffer.concat([closing, closing]);
    const conversation = await context.send(bytes, { heads: [false, false] });
    context.exercised();
    if (conversation.responses.length !== 1)
      yield context.unlike("one response, then the end", bytes, conversation);
  }),
  // The number of header fields belongs to one request.
  sequence("many fields in a row", "http/header-count", ({ run }) => {
    const fields = Array.from({ length: 60 }, (_, n) => [`X-Field-${n}`, "1"] as const);
    return Array.from({ length: 3 }, () => withFields(simple(run), ...fields));
  }),
  // Credentials belong to a request, not to a connection.
  callers(
    "callers without credentials in turn",
    "credentials/missing",
    ...ROW.nobody,
    "method HEAD",
  ),
  callers("callers with a wrong key in turn", "credentials/invalid", ROW.wrongKey, ROW.noScopes),
];

const ALONE = { effect: "read", alone: true } as const;

/** Every call twice, all in parallel. */
const parallel = script("requests in parallel", "http/parallel", ALONE, async function* (context) {
  const { run } = context;
  const calls = [...callsOf(context), ...rejectedOf(context)];
  await run.client.atOnce(2 * calls.length);
  const sent = await Promise.all(
    [...calls, ...calls].map((request, index) =>
      context.exchange(withFields(request, ["X-Request-Id", `${run.runId}-p${index}`])),
    ),
  );
  context.exercised();
  for (const exchange of sent)
    if (exchange.response) yield* context.compared(exchange, true);
    else yield context.differs(exchange, "connection", "a response", exchange.error ?? "none");
});

export const framing: readonly Script[] = [...singles, ...sequences, parallel];

/**
 * How a body arrives: both sides of each limit, as a whole and in chunks (D13). A proxy may join
 * chunks.
 */

/** On GET the body calls another operation. One request for each code path that reads a body. */
function gets(run: Run): readonly Request[] {
  const [first, otherQuery = first] = queriesOf(run);
  const queries = [first, ...guardedOf(run)].flatMap((operation) =>
    operation?.method === "GET" ? calls(run, operation, [ROW.json]) : [],
  );
  const all = [...queries.slice(0, 2), withFields(page(run), ["Content-Type", "application/json"])];
  return all.map((one) => ({ ...one, body: JSON.stringify({ "@": otherQuery?.name ?? "x" }) }));
}
const posts = (run: Run) => [post(run)];
const all = (run: Run) => [post(run), ...gets(run)];

/** Bodies of this length: as a whole, or in chunks of these sizes in turn. */
type Shape = readonly [length: number, ...chunks: number[]];
const shapes = (...some: readonly Shape[]) => some;
type Requests = (run: Run) => readonly Request[];

const bodies = (
  id: string,
  of: string,
  requests: Requests,
  shapesFor: (most: number) => readonly Shape[],
) =>
  single(`body ${id}`, of, "hostile", ({ run }) =>
    requests(run).flatMap((request) =>
      shapesFor(run.suite.oracle.contract.limits.bodyBytes).map(([length, ...chunks]) => {
        const whole = { ...request, body: request.body.padEnd(length) };
        return chunks.length > 0 ? { ...whole, framing: { chunks } } : whole;
      }),
    ),
  );
/** As a whole, and in chunks. */
const around = (most: number, ...sizes: readonly number[]): Shape[] =>
  [most, most + 1].flatMap(
    (length) => [[length], ...sizes.map((size): Shape => [length, size])] satisfies Shape[],
  );

export const uploads: readonly Script[] = [
  bodies("limit on GET, in chunks", "http/body-limit-on-get", gets, (most) => around(most, 8_192)),
  bodies("limit, in chunks", "http/body-limit", posts, (most) => around(most, most + 1, 1_000)),
  bodies("in pieces", "http/body-pieces", all, (most) =>
    shapes([1_024, 1], [most, 16], [1_024 * 32, 31, 1]),
  ),
  bodies(
    "far above the limit",
    "http/body-limit-answered",
    (run) => all(run).slice(0, 2),
    (most) => [[most + 1], [300_000], [5_000_000], [2_000_000, 50_000]],
  ),
  single(
    "body far above the limit, whatever rejects it",
    "http/body-limit-answered",
    "hostile",
    (context) =>
      rejectedOf(context).flatMap((request) =>
        request.method === "POST" ? [{ ...request, body: " ".repeat(1_000_000) }] : [],
      ),
  ),
];
