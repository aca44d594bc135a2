import { operations } from "../../../generated/operations.ts";
import type { Api } from "../../client/api.ts";
import { describe, expectSuccess, fail } from "../../client/expect.ts";
import { Stopped } from "../../client/expectation.ts";
import { commands, every } from "../../client/operation.ts";
import { excerpt, type Reply } from "../../client/reply.ts";
import type { RawRequest } from "../../client/wire/raw-request.ts";
import { type Check, check } from "../check.ts";
import { codes, sendFaulty } from "../faults.ts";
import { inCase, toJudge } from "../probe.ts";
import { everyAnswer, pages, refusedEarly } from "./layers.ts";
import { expectSecond } from "./pipelining.ts";
import {
  answerTo,
  at,
  echoedId,
  type Field,
  pipeline,
  reachOf,
  refusedPost,
  requestOf,
  sysinfo,
  withFields,
} from "./support.ts";

const FORM = /^[A-Za-z0-9._-]{1,64}$/;
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
const UUID = "6f1c9c0e-3a55-4b43-9d2b-0d1f5a3c7e21";
const GOOD = [
  ...["a", "0", "-", ".", "_", LETTERS, "0123456789._-", "x".repeat(63), "Z".repeat(64), "__proto__", "null"],
  // Similar to an API key: a W3C trace and span id, a ULID, 39 digits, the key prefix before other characters.
  ...[
    UUID,
    UUID.replaceAll("-", ""),
    "0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
    "01ARZ3NDEKTSV4RRFFQ69G5FAV",
  ],
  ...["0".repeat(39), "atp_", "atp_user"],
];
const BAD = [
  ...["x".repeat(65), "x".repeat(1000), "", "a b", "a,b", "a;b", "a/b", "a:b", "a=b", "a@b", "a+b", "a~b", "a%20b"],
  ...["%0d%0aX-Injected:%201", '"quoted"', "<script>", "{}", "$(id)", "a\tb", "\xc3\xa9t\xc3\xa9", "\xff\xfe\xfd\xfc"],
  ...["caller-1\u0080", "'; DROP"],
];

/** Statuses of rejections before the headers are read: the server does not know the caller's id. */
const UNREAD = new Set([400, 408, 414, 431]);

const callers = (id: string): Field => ["X-Request-Id", id];

function formed(reply: Reply): string {
  const id = reply.header("x-request-id");
  if (id === undefined || !FORM.test(id))
    fail("header:x-request-id", "one X-Request-Id in [A-Za-z0-9._-]{1,64}", id ?? "none");
  return id;
}

function expectEcho(reply: Reply, sent: string): void {
  const id = echoedId(reply, sent);
  if (id !== sent) fail("header:x-request-id", `the caller's X-Request-Id ${sent}`, id);
}

/** An unknown key of the same form: after the words of its prefix, one of its own characters, repeated. */
function madeUp(key: string): string {
  const [words = ""] = /^(?:[a-z]+[._-])*/i.exec(key) ?? [];
  const rest = key.slice(words.length);
  const [first = "0"] = (rest.match(/[A-Za-z0-9]/g) ?? []).sort();
  return words + rest.replace(/[A-Za-z0-9]/g, first);
}

/** Variants of a key that may end up in a request id: truncated, without its prefix, in another letter case. */
function cutKeys(): readonly string[] {
  const whole = `atp_${"0a".repeat(24)}`;
  const digits = whole.slice(4);
  return [
    whole,
    ...[51, 44, 5].map((length) => whole.slice(0, length)),
    `x-${whole.toUpperCase()}`,
    digits,
    digits.slice(8),
  ];
}

/** On a socket: an HTTP client rejects some of these, or changes them. */
async function expectReplaced(api: Api, id: string, request: RawRequest): Promise<Reply> {
  const reply = await answerTo(api, withFields(request, callers(id)));
  const answer = reply.headers.map(([name, value]) => `${name}: ${value}`);
  if (formed(reply) === id.trim() || (id.length > 3 && answer.some((line) => line.includes(id))))
    fail("header:x-request-id", "a new X-Request-Id, and nothing of the caller's", answer.join(", "));
  return reply;
}

/** Requests for all code that reads an id: every operation, and every other path and method. */
function places(api: Api): readonly RawRequest[] {
  const paths = ["/", "/api?@=sysinfo", "/api/", "/openapi.json", `/${api.runId}/no-such-path`];
  return [
    ...every.map((operation) => reachOf(api, operation)),
    ...paths.flatMap((path) => ["HEAD", "OPTIONS", "DELETE"].map((method) => at(api, path, { method }))),
    ...pages(api).map(([request]) => request),
  ];
}

/** Requests that are rejected outside the application, after their headers were read. */
const refusals = (api: Api): readonly RawRequest[] => [
  { ...refusedPost(api), body: " ".repeat(66_000) },
  sysinfo(api, { headers: [["Expect", api.runId]] }),
];

async function echoed(api: Api, requests: readonly RawRequest[]): Promise<void> {
  for (const [index, request] of requests.entries())
    await inCase(`${request.method ?? "GET"} ${request.target}`, async () =>
      expectEcho(await answerTo(api, withFields(request, callers(`${api.runId}.${index}`))), `${api.runId}.${index}`),
    );
}

function expectDistinct(ids: readonly string[]): void {
  if (new Set(ids).size < ids.length)
    fail("header:x-request-id", "a new X-Request-Id for each answer", `the same again: ${ids.join(", ")}`);
}

/** Responses that shared caches may store: documents in each format, the contract, files, and their 304 responses. */
const stored = (api: Api): readonly RawRequest[] =>
  [
    ...operations["docs.get"].answers[0].mediaTypes.map((accept) => requestOf(api, "docs.get", { accept })),
    ...["/openapi.json", "/openapi.yaml", "/robots.txt"].map((path) => ({ ...at(api, path), method: "GET" })),
  ].flatMap((request) => [
    request,
    { ...request, method: "HEAD" },
    withFields(request, ["If-None-Match", "*"]),
    withFields(request, ["Accept-Encoding", "gzip"]),
  ]);

/** X-Request-Id (D12). */
export const requestId: readonly Check[] = [
  ...everyAnswer("http/request-id", (reply) => {
    formed(reply);
    const { raw, headers } = reply.exchange.request;
    const [sent, ...more] = headers.flatMap(([name, value]) => (name.toLowerCase() === "x-request-id" ? [value] : []));
    if (raw || UNREAD.has(reply.status) || sent === undefined || more.length > 0 || !FORM.test(sent)) return;
    expectEcho(reply, sent);
  }),
  check("http/request-id#echoed", {}, async (api) => {
    const names = ["x-request-id", "X-REQUEST-ID", "X-Request-ID"];
    for (const [name, id] of [...GOOD.map((one) => callers(one)), ...names.map((one) => [one, api.runId] as const)])
      await inCase(name, async () => expectEcho(await api.call("sysinfo", { headers: { [name]: id } }), id));
  }),
  check("http/request-id#created", { effect: "write" }, async (api) => {
    const headers = { "X-Request-Id": api.runId };
    for (const { id } of commands)
      await inCase(id, async () => {
        const input = api.example(id);
        const reply = await api.call(id, { input, headers });
        expectSuccess(reply, id);
        // The second call is rejected by the storage, or succeeds again.
        for (const each of [reply, await api.call(id, { input, headers })]) expectEcho(each, api.runId);
      });
  }),
  check("http/request-id#echoed-everywhere", {}, (api) => echoed(api, places(api))),
  check("http/request-id#echoed-by-refusals", { effect: "hostile" }, (api) => echoed(api, refusals(api))),
  check("http/request-id#replaced", { effect: "hostile" }, async (api) => {
    for (const id of BAD)
      await inCase(excerpt(id), async () => {
        const reply = await expectReplaced(api, id, sysinfo(api));
        if (reply.status !== 200) fail("status", "200 whatever the X-Request-Id", describe(reply));
      });
  }),
  check("http/request-id#of-another-name", {}, async (api) => {
    // Other names for the header, and two ids, of which neither counts as the caller's.
    const names = ["Request-Id", "X-Correlation-Id", "X-Amzn-Trace-Id", "Idempotency-Key"];
    const ids = ["one", "other"].map((name) => `${name}-${api.runId}`);
    const requests = [
      sysinfo(api, { headers: names.map((name) => [name, api.runId] as const) }),
      at(api, `/api/?@=sysinfo&X-API-KEY=${api.runId}`),
      sysinfo(api, { headers: ids.map(callers) }),
    ];
    for (const request of requests) {
      const id = formed(await answerTo(api, request));
      if (id.includes(api.runId)) fail("header:x-request-id", "a new X-Request-Id", id);
    }
  }),
  check("http/request-id#of-the-form-of-a-key", {}, async (api) => {
    for (const id of [madeUp(api.key), ...cutKeys()]) await inCase(id, () => expectReplaced(api, id, sysinfo(api)));
  }),
  check("http/request-id#replaced-everywhere", { effect: "hostile" }, async (api) => {
    for (const request of [...places(api), ...refusals(api)])
      await inCase(`${request.method ?? "GET"} ${request.target}`, () =>
        expectReplaced(api, `${api.runId}/${api.runId}`, request),
      );
  }),
  check("http/request-id-stored", {}, async (api) => {
    const ids: string[] = [];
    for (const request of [...stored(api), ...stored(api)])
      await inCase(`${request.method} ${request.target}`, async () => {
        const reply = await answerTo(api, withFields(request, callers(`${api.runId}.stored`)));
        if (reply.header("etag") === undefined) return;
        if (formed(reply).includes(api.runId))
          fail("header:x-request-id", "an id of the service's own beside an ETag", formed(reply));
        ids.push(formed(reply));
      });
    expectDistinct(toJudge(ids, "answer with an ETag"));
  }),
  check("http/request-id#new-ones-differ", {}, async (api) => {
    const asked = [sysinfo(api), sysinfo(api, { headers: [callers("not valid")] }), ...pages(api).map(([one]) => one)];
    expectDistinct((await Promise.all([...asked, ...asked].map((one) => answerTo(api, one)))).map(formed));
  }),
  // Finds a one-byte counter, which repeats. Ten connections, since a target may close one after some requests.
  check("http/request-id#do-not-come-round", { alone: true }, async (api) => {
    const requests = pipeline(
      api,
      Array.from({ length: 50 }, () => sysinfo(api)),
    );
    const ids: string[] = [];
    for (let n = 0; n < 10 && ids.length < 300; n += 1)
      ids.push(...(await api.rawRequests(requests)).replies.map(formed));
    expectDistinct(toJudge(ids, "answer"));
    if (ids.length < 300)
      throw new Stopped(`only ${ids.length} answers were given, too few to see an id for the second time`);
  }),
  check("http/request-id#new-on-refusals", { effect: "hostile" }, async (api) => {
    const ids: string[] = [];
    for (const [, sent] of [...refusedEarly(api), ...refusedEarly(api)]) ids.push(formed(await answerTo(api, sent)));
    for (const one of [...codes, ...codes]) ids.push(formed(await sendFaulty(api, one)));
    expectDistinct(ids);
  }),
  check("http/request-id#new-on-each-request-of-a-connection", { alone: true }, async (api) => {
    const bytes = pipeline(api, [sysinfo(api, { headers: [callers(api.runId)] }), sysinfo(api), sysinfo(api)]);
    const { replies } = await api.raw(Buffer.concat(bytes), { answers: 3 });
    const [first] = toJudge(replies, "answer on a connection");
    if (first) expectEcho(first, api.runId);
    expectDistinct(replies.map(formed));
    expectSecond(replies);
  }),
];
