import { type Check, check, type TargetCheck } from "../checks/check.ts";
import { answered, credentialFields, JSON_TYPE } from "../checks/probe.ts";
import type { Api } from "../client/api.ts";
import { fail } from "../client/expect.ts";
import { simplest } from "../client/operation.ts";
import { bytesOf, send } from "../client/send.ts";
import { wordOf } from "../client/word.ts";
import { type Asking, askingOf, learn } from "../lists/list.ts";
import { successOf } from "../oracle/contract.ts";
import type { Request } from "../oracle/world.ts";
import { callsOf, get, page, pagesOf, plainOf, post, queriesOf, rejectedOf, simple } from "./requests.ts";
import {
  ALL,
  inChunks,
  type Message,
  message,
  numbered,
  type Options,
  type Said,
  talk,
  talkEach,
  withFields,
} from "./talk.ts";

/** What does not depend on the operation: how requests are written, and follow each other on a connection (D12, D13). */

function about(id: string, effect: Check["effect"], run: (asking: Asking, api: Api) => Promise<void>): TargetCheck {
  return check(id, { effect, decided: true }, async (api) => {
    await learn(api);
    await run(askingOf(api), api);
  });
}

type Make = (asking: Asking, api: Api) => readonly Said[];
/** Each on a connection of its own, or one after another on one connection. */
const single = (id: string, effect: Check["effect"], make: Make) =>
  about(id, effect, (asking, api) => talkEach(asking, make(asking, api)));
const sequence = (id: string, effect: Check["effect"], make: Make, options: Options = {}) =>
  about(id, effect, (asking, api) => talk(asking, make(asking, api), options));

const without = (request: Request, name: string): Request => ({
  ...request,
  fields: request.fields.filter(([one]) => one !== name),
});

/** On GET the body calls another operation. One request for each code path that reads a body. */
function gets(asking: Asking): readonly Request[] {
  const other = queriesOf(asking).find(({ name }) => name !== simplest.name)?.name ?? "x";
  const calls = queriesOf(asking).map((one) => asking.call(one));
  return [...calls, get(asking, "/"), page(asking)].map((request) => ({
    ...withFields(request, JSON_TYPE),
    body: JSON.stringify({ "@": other }),
  }));
}
const all = (asking: Asking) => [post(asking), ...gets(asking)];

/** Bodies of this length: as a whole, or in chunks of these sizes in turn. */
type Shape = readonly [length: number, ...chunks: number[]];
const bodies = (
  id: string,
  requests: (asking: Asking) => readonly Request[],
  shapes: (most: number) => readonly Shape[],
  ...codes: readonly string[]
) =>
  single(`http/body-${id}`, "hostile", (asking) =>
    requests(asking).flatMap((request) =>
      shapes(asking.oracle.contract.limits.bodyBytes).map(([length, ...chunks]): Message => {
        const whole = { ...request, body: request.body.padEnd(length) };
        return {
          ...message(whole, chunks.length > 0 ? inChunks(chunks) : undefined),
          ...(codes.length > 0 && { codes }),
        };
      }),
    ),
  );

/** How a body is written: both sides of each limit. A proxy may join chunks. */
const uploads = [
  bodies("limit-on-get#in-chunks", gets, (most) => [[most], [most, 8_192], [most + 1], [most + 1, 8_192]]),
  bodies(
    "limit#in-chunks",
    (asking) => [post(asking)],
    (most) =>
      [most, most + 1].flatMap((length): Shape[] => [
        [length, length],
        [length, 1_000],
      ]),
  ),
  bodies("pieces", all, (most) => [
    [1_024, 1],
    [most, 16],
    [1_024 * 32, 31, 1],
  ]),
  bodies(
    "crumbs",
    all,
    () => [
      [1_025, 1],
      [1_025 * 7, 7],
      [60_000, 1],
    ],
    "content-too-large",
  ),
  bodies(
    "limit-answered",
    (asking) => all(asking).slice(0, 2),
    (most) => [[most + 1], [300_000], [1_000_000], [5_000_000], [2_000_000, 50_000]],
  ),
  single("http/body-limit-answered#whatever-rejects-it", "hostile", (asking) =>
    rejectedOf(asking).flatMap((one) => (one.method === "POST" ? [{ ...one, body: " ".repeat(1_000_000) }] : [])),
  ),
];

/** Requests that end a connection, or may: rejected by the parser, or with a body that is not read to its end. */
function endings(asking: Asking): readonly (Request | Message)[] {
  const { targetBytes, headBytes, headFields, bodyBytes } = asking.oracle.contract.limits;
  const [plain, command] = [simple(asking), post(asking)];
  const large = { ...command, body: REQUEST.repeat(2_000) };
  const codes = ["malformed-request"];
  return [
    ...[without(plain, "Host"), withFields(plain, ["Expect", "x"]), large],
    ...[1, 5].map((times) => ({ ...plain, target: plain.target.padEnd(targetBytes * times + 1_000, "x") })),
    ...[1, 3].map((times) => withFields(plain, ["X-Padding", "x".repeat(headBytes * times + 1_000)])),
    withFields(plain, ...Array.from({ length: headFields + 50 }, () => ["X-Padding", "x"] as const)),
    message({ ...large, body: " ".repeat(bodyBytes + 1_000) }, inChunks([8_192])),
    { ...message(withFields(command, ["Content-Length", "0"], ["Content-Length", "5"])), codes },
    { ...message({ ...withFields(command, ["Transfer-Encoding", "chunked"]), body: "zz\r\n" }), codes },
    ...[{ ...plain, method: "FOO" }, withFields(plain, ["", "value"])].map((one) => ({ ...message(one), codes })),
    { request: plain, written: Buffer.from("this is not HTTP\r\n\r\n"), codes },
  ];
}

/** As requests are written, and as long as the responses are. */
const singles = [
  single("http/content-length#kinds", "read", (asking) => [
    ...[...callsOf(asking), ...pagesOf(asking), ...rejectedOf(asking)],
    ...plainOf(asking).map((one) => withFields(one, ["Accept-Encoding", "gzip, br"])),
  ]),
  single("http/content-length#endings", "hostile", endings),
  single("http/head-refused", "hostile", (asking) =>
    [...rejectedOf(asking), ...endings(asking)].flatMap((one): Said[] => {
      const { request, written = one, codes } = "request" in one ? one : { request: one };
      if (request.method !== "GET" || written !== request) return [];
      return [{ ...message({ ...request, method: "HEAD" }), ...(codes && { codes }) }];
    }),
  ),
  // HTTP/1.0 needs no `Host`.
  single("http/versions#1.0", "read", (asking) =>
    [...plainOf(asking).map((one) => without(one, "Host")), simple(asking)].map((one) => ({ ...one, version: "1.0" })),
  ),
  single("http/versions#absolute-form", "read", (asking, api) => {
    const { origin } = new URL(api.url);
    // An address without a path is that of its root (RFC 9110, 4.2.3).
    const root = api.path("") === "" ? [{ ...get(asking, "/"), target: origin }] : [];
    return [...plainOf(asking).map((one) => ({ ...one, target: origin + one.target })), ...root];
  }),
  // Trailer fields are not header fields (RFC 9110, 6.5.1).
  single("credentials/nowhere-else#trailers", "read", (asking, api) => {
    const wrong = [["X-API-KEY", wordOf(api)]] as const;
    const right = credentialFields(api);
    return credentials(asking, false).flatMap((some) =>
      some.map((one, at) => {
        const body = one.body || JSON.stringify({ "@": simplest.name });
        return message(
          { ...withFields(without(one, "Content-Type"), JSON_TYPE), body },
          inChunks([99], at === 0 ? wrong : right),
        );
      }),
    );
  }),
  about("http/stays-alive#byte-by-byte", "hostile", async (asking, api) => {
    const bytes = Array.from(bytesOf(api, simple(asking), "close"), (byte) => Buffer.from([byte]));
    answered(await api.raw(bytes), "a request in segments of one byte");
  }),
  // Its last byte is missing five times: a server that does not wait for it creates something. Then it comes whole.
  about("http/stays-alive#cut-commands", "write", async (asking, api) => {
    for (const operation of asking.operations.filter((one) => successOf(one) === 201)) {
      const request = asking.call(operation, { input: api.example(operation.id) });
      for (let turn = 0; turn < 5; turn += 1) {
        await api.raw(bytesOf(api, request, "close").subarray(0, -1), { closeAfter: true });
        await api.alive();
      }
      await talk(asking, [request]);
    }
  }),
];

/** For each operation with credentials: with them, then with others. */
const credentials = ({ api, call, operations }: Asking, isWrong: boolean): readonly (readonly Request[])[] => {
  const [key, platform] = [{ header: api.key }, { header: api.platform }];
  const others = isWrong ? [{ key: { header: wordOf(api) }, platform }] : ["none", { key }, { platform }];
  const some = ["good", ...others];
  return operations.filter(({ auth }) => auth).map((one) => some.map((credentials) => call(one, { credentials })));
};

/** Each behind each other one. */
const pairs = (requests: readonly Request[]): readonly Request[] =>
  requests.flatMap((one, at) => requests.slice(at).flatMap((other) => [one, other]));

/** Looks like a request: a server that does not read the body responds to it. */
const REQUEST = "GET /no-such-path HTTP/1.1\r\nHost: body.example\r\n\r\n";

/** Requests with a body that nobody needs: rejected before it is read, or without a use for it. */
const unread = (asking: Asking): readonly Request[] =>
  [
    ...["/no-such-path", "/", "/api"].map((path) => get(asking, path, [], "POST")),
    ...["PUT", "OPTIONS", "GET"].map((method) => ({ ...simple(asking), method })),
    ...[get(asking, "/robots.txt"), post(asking), withFields(post(asking), ["Content-Encoding", "gzip"])],
    withFields(without(post(asking), "Content-Type"), ["Content-Type", "text/plain"]),
  ].map((request) => ({ ...request, body: REQUEST }));

/** Requests that share a connection. */
const sequences = [
  sequence("http/pipelining#ahead", "hostile", (asking) => [
    ...[...callsOf(asking), ...pagesOf(asking)],
    ...[...rejectedOf(asking), ...unread(asking)].flatMap((one) => [one, simple(asking)]),
  ]),
  sequence("http/pipelining#in-segments", "hostile", (asking) => [...plainOf(asking), ...rejectedOf(asking)], {
    by: "segment",
  }),
  sequence("http/pipelining#in-turn", "hostile", (asking) => pairs(callsOf(asking).filter((_, at) => at % 8 === 0)), {
    by: "turn",
  }),
  about("http/pipelining#behind-an-end", "hostile", async (asking) => {
    const [first = simple(asking)] = rejectedOf(asking);
    for (const one of endings(asking)) {
      // Behind bytes that are no request there is none.
      const behind = "written" in one && Buffer.isBuffer(one.written) ? [] : [simple(asking)];
      await talk(asking, [first, simple(asking), one, ...behind], { least: 3 });
    }
  }),
  // After `Connection: close` nothing may be processed (RFC 9112, 9.6).
  about("http/pipelining#then-close", "hostile", async (asking, api) => {
    const closing = bytesOf(api, simple(asking), "close");
    const { replies } = await api.raw(Buffer.concat([closing, closing]), { answers: ALL });
    if (replies.length !== 1) fail("connection", "one response, then the end", `${replies.length} responses`);
  }),
  // The number of header fields belongs to one request.
  sequence("http/header-count#next-request", "hostile", (asking) => {
    const fields = Array.from({ length: 60 }, (_, n) => [`X-Field-${n}`, "1"] as const);
    return Array.from({ length: 3 }, () => simple(asking, fields));
  }),
  // Credentials belong to a request, not to a connection.
  ...[false, true].map((isWrong) => {
    const [id, effect] = isWrong ? (["invalid", "hostile"] as const) : (["missing", "read"] as const);
    return sequence(
      `credentials/${id}#same-connection`,
      effect,
      (asking) => credentials(asking, isWrong).flatMap(pairs),
      { by: "turn" },
    );
  }),
];

/** Every call twice, all in parallel. */
const parallel = about("http/parallel", "read", async (asking, api) => {
  const calls = [...callsOf(asking), post(asking)];
  const messages = numbered(asking, [...calls, ...calls]);
  const replies = await Promise.all(messages.map(({ request }) => send(api, request)));
  for (const [index, reply] of replies.entries())
    await messages[index]?.judge(reply ?? fail("connection", "a response", "none"));
});

export const talks: readonly Check[] = [...uploads, ...singles, ...sequences, { ...parallel, alone: true }];
