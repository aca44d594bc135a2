import type { ProblemCode } from "../../../generated/operations.ts";
import type { Api } from "../../client/api.ts";
import { describe, expectProblem, expectSuccess, fail } from "../../client/expect.ts";
import type { RawRequest } from "../../client/wire/raw-request.ts";
import { type Check, check } from "../check.ts";
import { answered, toJudge } from "../probe.ts";
import { pipeline, refusedPost, SYSINFO } from "./support.ts";

const URL_LIMIT = 8192;
const HEADER_LIMIT = 16_384;

/** Other ways into a server than GET of the endpoint; a limit that only the endpoint has is none. */
const ELSEWHERE = [
  ["HEAD", SYSINFO],
  ["OPTIONS", "/api/?"],
  ["OPTIONS", "/api?"],
  ["GET", "/api?"],
  ["GET", "/?"],
  ["GET", "/openapi.json?"],
  ["GET", "/robots.txt?"],
  ["GET", "/no-such-path?"],
] as const;

/** The refusal of one of these: an answer to HEAD has no body. */
async function expectRefusedThere(
  api: Api,
  request: RawRequest,
  what: string,
  refusals: readonly (readonly [status: number, code: ProblemCode])[],
): Promise<void> {
  const raw = await api.raw(api.rawRequest(request), { heads: [request.method === "HEAD"] });
  const reply = answered(raw, what);
  const [status, code] =
    refusals.find(([one]) => one === reply.status) ?? fail("body", `a refusal of ${what}`, describe(reply));
  if (request.method !== "HEAD") expectProblem(reply, status, code);
}

/** Names no operation, however long it is. */
const longName = (api: Api, length: number) => api.path("/api/?@=").padEnd(length, "x");
const longPath = (api: Api, length: number) => api.path("/").padEnd(length, "x");

/** The least that is too long however one counts: the proxy in front may have taken the prefix of the base address away. */
const tooLong = (api: Api) => URL_LIMIT + 1 + api.path("").length;

async function expectLongUrlRefused(api: Api, target: string): Promise<void> {
  const reply = answered(await api.raw(api.rawRequest({ target })), `a target of ${target.length} bytes`);
  // A parser may count URL and header fields together and notice it first.
  if (reply.status === 431) expectProblem(reply, 431, "headers-too-large");
  else expectProblem(reply, 414, "uri-too-long");
}

/** The size of the request target (D13). */
const url: readonly Check[] = [
  check("http/url-limit#query", { effect: "hostile" }, async (api) => {
    for (const length of [4000, URL_LIMIT - 1, URL_LIMIT]) {
      const reply = answered(await api.raw(api.rawRequest({ target: longName(api, length) })), `${length} bytes`);
      expectProblem(reply, 404, "operation-not-found");
    }
    for (const length of [tooLong(api), tooLong(api) + 1, 10_000])
      await expectLongUrlRefused(api, longName(api, length));
  }),
  check("http/url-limit#path", { effect: "hostile" }, async (api) => {
    const within = answered(
      await api.raw(api.rawRequest({ target: longPath(api, URL_LIMIT) })),
      "a path of 8,192 bytes",
    );
    expectProblem(within, 404, "path-not-found");
    await expectLongUrlRefused(api, longPath(api, tooLong(api)));
  }),
  check("http/url-limit#post", { effect: "hostile" }, async (api) => {
    const at = (length: number) => ({ ...refusedPost(api), target: api.path("/api/?X-PLATFORM=").padEnd(length, "x") });
    const within = answered(await api.raw(api.rawRequest(at(URL_LIMIT))), "a POST with a target of 8,192 bytes");
    if (within.status === 414 || within.status === 431) fail("body", "a target of 8,192 bytes taken", describe(within));
    const over = answered(await api.raw(api.rawRequest(at(tooLong(api)))), "a POST with a longer target");
    if (over.status === 431) expectProblem(over, 431, "headers-too-large");
    else expectProblem(over, 414, "uri-too-long");
  }),
  check("http/url-limit#elsewhere", { effect: "hostile" }, async (api) => {
    for (const [method, start] of ELSEWHERE) {
      const target = api.path(start).padEnd(tooLong(api), "x");
      await expectRefusedThere(api, { method, target }, `${method} ${start} with a longer target`, [
        [414, "uri-too-long"],
        [431, "headers-too-large"],
      ]);
    }
  }),
  check("http/url-limit#far-over", { effect: "hostile" }, async (api) => {
    for (const length of [20_000, 34_000, 70_000]) await expectLongUrlRefused(api, longName(api, length));
  }),
  check("http/url-limit#many-parameters", { effect: "hostile" }, async (api) => {
    const many = Array.from({ length: 10_000 }, (_, index) => `p${index}=1`).join("&");
    await expectLongUrlRefused(api, api.path(`${SYSINFO}&${many}`));
    const few = Array.from({ length: 900 }, (_, index) => `p${index}=1`).join("&");
    const reply = answered(await api.raw(api.rawRequest({ target: api.path(`${SYSINFO}&${few}`) })), "900 parameters");
    expectProblem(reply, 422, "invalid-input");
  }),
];

/** `count` fields of their own names, whose request is the good one otherwise. */
const fields = (count: number, value = "1") =>
  Array.from({ length: count }, (_, index) => [`X-Field-${index}`, value] as const);

/** The good request with `count` fields, of which the first takes up what is missing to `size` bytes by `measure`. */
function sized(api: Api, count: number, size: number, measure: (request: RawRequest) => number): RawRequest {
  const shape = (first: string, each: string): RawRequest => {
    const [, ...others] = fields(count, each);
    return { target: api.path(SYSINFO), headers: [["X-Field-0", first], ...others] };
  };
  const each = "x".repeat(Math.max(1, Math.floor(size / count) - 40));
  const missing = size - measure(shape("", each));
  return shape("x".repeat(missing), each);
}

/** However one counts, a request whose whole head has 16,384 bytes is within, and one with as many in names and values alone, and one more, is not. */
const wholeHead = (api: Api) => (request: RawRequest) => api.rawRequest(request).length;
const namesAndValues = (api: Api) => (request: RawRequest) => {
  const host = "Host".length + api.host.length;
  const connection = "Connectionclose".length;
  return (request.headers ?? []).reduce((sum, [name, value]) => sum + name.length + value.length, host + connection);
};

async function expectHeadersRefused(api: Api, request: RawRequest, what: string): Promise<void> {
  const reply = answered(await api.raw(api.rawRequest(request)), what);
  expectProblem(reply, 431, "headers-too-large");
}

async function expectHeadersTaken(api: Api, request: RawRequest, what: string): Promise<void> {
  expectSuccess(answered(await api.raw(api.rawRequest(request)), what), "sysinfo");
}

/** Size and number of header fields (D13). */
const head: readonly Check[] = [
  ...[1, 3, 90].map((count) =>
    check(`http/header-limit#${count === 1 ? "one-field" : `${count}-fields`}`, { effect: "hostile" }, async (api) => {
      await expectHeadersTaken(api, sized(api, count, HEADER_LIMIT, wholeHead(api)), "a head of 16,384 bytes");
      const over = sized(api, count, HEADER_LIMIT + 1, namesAndValues(api));
      await expectHeadersRefused(api, over, "header fields over 16,384 bytes");
    }),
  ),
  check("http/header-limit#far-over", { effect: "hostile" }, async (api) => {
    for (const length of [24_000, 40_000, 60_000, 100_000])
      await expectHeadersRefused(api, sized(api, 1, length, namesAndValues(api)), `header fields of ${length} bytes`);
  }),
  check("http/header-limit#post", { effect: "hostile" }, async (api) => {
    const request = refusedPost(api);
    const large = (length: number) => ({
      ...request,
      headers: [...(request.headers ?? []), ["X-Padding", "x".repeat(length)] as const],
    });
    const within = await api.raw(api.rawRequest(large(12_000)));
    expectProblem(answered(within, "a POST with header fields of 12,000 bytes"), 422, "invalid-input");
    await expectHeadersRefused(api, large(HEADER_LIMIT), "a POST with header fields over 16 KiB");
  }),
  check("http/header-limit#elsewhere", { effect: "hostile" }, async (api) => {
    for (const [method, start] of ELSEWHERE) {
      const request = { ...sized(api, 1, HEADER_LIMIT + 1, namesAndValues(api)), method, target: api.path(start) };
      const what = `${method} ${start} with header fields over 16,384 bytes`;
      await expectRefusedThere(api, request, what, [[431, "headers-too-large"]]);
    }
  }),
  check("http/header-limit#beside-a-long-url", { effect: "hostile" }, async (api) => {
    // Each within its own limit, so that a parser that counts both together has to have room for both.
    const name = longName(api, URL_LIMIT);
    const { headers = [] } = sized(api, 3, HEADER_LIMIT, wholeHead(api));
    const reply = answered(await api.raw(api.rawRequest({ target: name, headers })), "a long URL and large headers");
    expectProblem(reply, 404, "operation-not-found");
  }),
  check("http/header-count#by-name", { effect: "hostile" }, async (api) => {
    // Host and Connection are two of them.
    const request = (count: number) => ({ target: api.path(SYSINFO), headers: fields(count - 2) });
    for (const count of [50, 99, 100]) await expectHeadersTaken(api, request(count), `${count} header fields`);
    for (const count of [101, 102, 150, 500]) await expectHeadersRefused(api, request(count), `${count} header fields`);
  }),
  check("http/header-count#one-name", { effect: "hostile" }, async (api) => {
    const request = (count: number) => ({
      target: api.path(SYSINFO),
      headers: Array.from({ length: count - 2 }, () => ["x", "1"] as const),
    });
    await expectHeadersTaken(api, request(100), "100 header fields of one name");
    // Some servers stop counting, and reading, at 2,000.
    for (const count of [101, 1000, 2100])
      await expectHeadersRefused(api, request(count), `${count} fields of one name`);
  }),
  check("http/header-count#elsewhere", { effect: "hostile" }, async (api) => {
    const post = refusedPost(api);
    const requests = [
      { ...post, headers: [...(post.headers ?? []), ...fields(100)] },
      ...ELSEWHERE.map(([method, start]) => ({ method, target: api.path(start), headers: fields(100) })),
    ];
    for (const request of requests) {
      const what = `${request.method} ${request.target} with more than 100 header fields`;
      await expectRefusedThere(api, request, what, [[431, "headers-too-large"]]);
    }
  }),
  check("http/header-count#ten-thousand", { effect: "hostile" }, async (api) => {
    await expectHeadersRefused(api, { target: api.path(SYSINFO), headers: fields(10_000) }, "10,000 header fields");
  }),
  check("http/header-count#next-request", { effect: "hostile" }, async (api) => {
    // The count belongs to one request, not to its connection, which may end after any answer.
    const request = { target: api.path(SYSINFO), headers: fields(60) };
    const { replies } = await api.raw(pipeline(api, [request, request, request]), { answers: 3 });
    for (const reply of replies) expectSuccess(reply, "sysinfo");
    if (replies.length === 0) fail("connection", "three answers on one connection", "none");
    toJudge(replies.slice(1), "second answer on a connection");
  }),
];

/** The limits of what stands before the body, just inside and just outside (D13). */
export const headLimits: readonly Check[] = [...url, ...head];
