import type { Api } from "../../client/api.ts";
import { describe, expectProblem, expectSuccess, fail } from "../../client/expect.ts";
import { queries } from "../../client/operation.ts";
import type { RawRequest } from "../../client/wire/raw-request.ts";
import { type Check, check } from "../check.ts";
import { answered, ending } from "../probe.ts";
import { chunked, emptyCreate, refusedPost, requestOf, SYSINFO } from "./support.ts";

const BODY_LIMIT = 65_536;

/** Judged by its input alone when the body is not too large. */
const padded = (length: number) => emptyCreate.padEnd(length);

async function expectTooLarge(api: Api, request: RawRequest, what: string): Promise<void> {
  expectProblem(answered(await api.raw(api.rawRequest(request)), what), 413, "content-too-large");
}

async function expectJudged(api: Api, request: RawRequest, what: string): Promise<void> {
  const reply = answered(await api.raw(api.rawRequest(request)), what);
  if (reply.status === 413) fail("body", `${what} judged by its input`, describe(reply));
  expectProblem(reply, 422, "invalid-input");
}

/** The size of a request's body, just inside and just outside the limit (D13). */
export const bodyLimits: readonly Check[] = [
  check("http/body-limit#by-length", { effect: "hostile" }, async (api) => {
    await expectJudged(api, { ...refusedPost(api), body: padded(BODY_LIMIT) }, "a body of 65,536 bytes");
    await expectTooLarge(api, { ...refusedPost(api), body: padded(BODY_LIMIT + 1) }, "a body of 65,537 bytes");
  }),
  check("http/body-limit#by-chunks", { effect: "hostile" }, async (api) => {
    for (const size of [BODY_LIMIT, 1000]) {
      const within = chunked(refusedPost(api), padded(BODY_LIMIT), size);
      await expectJudged(api, within, `a body of 65,536 bytes in chunks of ${size}`);
      const over = chunked(refusedPost(api), padded(BODY_LIMIT + 1), size);
      await expectTooLarge(api, over, `a body of 65,537 bytes in chunks of ${size}`);
    }
  }),
  check("http/body-limit#through-a-client", { effect: "hostile" }, async (api) => {
    const within = await api.call("user.create", { body: padded(BODY_LIMIT) });
    expectProblem(within, 422, "invalid-input");
    expectProblem(await api.call("user.create", { body: padded(BODY_LIMIT + 1) }), 413, "content-too-large");
  }),
  check("http/body-limit#bytes-not-characters", { effect: "hostile" }, async (api) => {
    const text = (bytes: number) => {
      const [head, tail] = ['{"@":"user.create","data":{"name":"', '"}}'];
      const room = bytes - head.length - tail.length;
      return `${head}${"é".repeat(Math.floor(room / 2))}${"e".repeat(room % 2)}${tail}`;
    };
    await expectJudged(api, { ...refusedPost(api), body: text(BODY_LIMIT) }, "65,536 bytes of two-byte characters");
    await expectTooLarge(api, { ...refusedPost(api), body: text(BODY_LIMIT + 1) }, "65,537 bytes, fewer characters");
  }),
  check("http/body-limit#whatever-else-is-wrong", { effect: "hostile" }, async (api) => {
    const over = padded(BODY_LIMIT + 1);
    const cases = [
      ["without credentials", api.call("user.create", { credentials: "none", body: over })],
      ["not JSON", api.call("user.create", { body: "{".repeat(BODY_LIMIT + 1) })],
      ["an unknown operation", api.call("user.create", { body: '{"@":"no.such.operation"}'.padEnd(BODY_LIMIT + 1) })],
    ] as const;
    for (const [, reply] of cases) expectProblem(await reply, 413, "content-too-large");
  }),
  check("http/body-limit#whole-user", { effect: "write", alone: true }, async (api) => {
    const whole = JSON.stringify({ "@": "user.create", data: api.example("user.create") });
    expectProblem(await api.call("user.create", { body: whole.padEnd(BODY_LIMIT + 1) }), 413, "content-too-large");
    // The same address again: the refused request has created nobody.
    expectSuccess(await api.call("user.create", { body: whole.padEnd(BODY_LIMIT) }), "user.create");
  }),
  check("http/body-limit-answered#while-writing", { effect: "hostile" }, async (api) => {
    for (const length of [1_000_000, 5_000_000])
      await expectTooLarge(api, { ...refusedPost(api), body: " ".repeat(length) }, `an upload of ${length} bytes`);
  }),
  check("http/body-limit-answered#in-chunks", { effect: "hostile" }, async (api) => {
    await expectTooLarge(api, chunked(refusedPost(api), " ".repeat(2_000_000), 50_000), "an upload of 2 MB in chunks");
  }),
  check("http/body-limit-answered#through-a-client", { effect: "hostile" }, async (api) => {
    for (const length of [BODY_LIMIT + 1, 300_000, 1_000_000])
      expectProblem(await api.call("user.create", { body: " ".repeat(length) }), 413, "content-too-large");
  }),
  check("http/body-limit-answered#whatever-refuses-it", { effect: "hostile" }, async (api) => {
    const body = " ".repeat(1_000_000);
    const post = refusedPost(api);
    const requests: readonly RawRequest[] = [
      { ...post, target: api.path("/no-such-path") },
      { ...post, target: api.path("/api") },
      { ...post, target: api.path("/robots.txt") },
      { ...post, target: api.path("/api/?%zz") },
      { ...post, method: "DELETE" },
      { ...post, method: "OPTIONS" },
      refusedPost(api, { headers: { "Content-Type": "text/plain" } }),
      refusedPost(api, { headers: { "Content-Encoding": "gzip" } }),
      refusedPost(api, { credentials: "none" }),
    ];
    // Which refusal it is, is a matter of other requirements.
    for (const request of requests) {
      const what = `${request.method} ${request.target} with 1,000,000 bytes`;
      const reply = answered(await api.raw(api.rawRequest({ ...request, body })), what);
      if (reply.status >= 500) fail("body", `a refusal of ${what}`, describe(reply));
    }
  }),
  check("http/body-limit-answered#no-reset", { effect: "hostile" }, async (api) => {
    for (const request of [refusedPost(api), { ...refusedPost(api), target: api.path(SYSINFO), method: "GET" }]) {
      const upload = api.rawRequest({ ...request, body: " ".repeat(200_000) });
      // To the end of the connection: a reset right behind the answer may take it away before a slower client has read it.
      const raw = await api.raw([upload.subarray(0, 70_000), upload.subarray(70_000)], {
        answers: Number.POSITIVE_INFINITY,
      });
      expectProblem(answered(raw, "an upload of 200,000 bytes"), 413, "content-too-large");
      if (raw.reset) fail("connection", "an answer and then the end of the connection", ending(raw));
    }
  }),
  ...queries.map(({ id }) =>
    check(`http/body-limit-on-get#${id}`, { effect: "hostile" }, async (api) => {
      const request = requestOf(api, id);
      for (const [within, over] of [
        [
          { ...request, body: " ".repeat(BODY_LIMIT) },
          { ...request, body: " ".repeat(BODY_LIMIT + 1) },
        ],
        [chunked(request, " ".repeat(BODY_LIMIT), 8192), chunked(request, " ".repeat(BODY_LIMIT + 1), 8192)],
      ] as const) {
        expectSuccess(answered(await api.raw(api.rawRequest(within)), "GET with a body of 65,536 bytes"), id);
        await expectTooLarge(api, over, "GET with a body of 65,537 bytes");
      }
    }),
  ),
  ...["/", "/openapi.json", "/robots.txt"].map((path) =>
    check(`http/body-limit-on-get#${path}`, { effect: "hostile" }, async (api) => {
      const request = { target: api.path(path) };
      const within = api.rawRequest({ ...request, body: " ".repeat(BODY_LIMIT) });
      const reply = answered(await api.raw(within), `GET ${path} with a body of 65,536 bytes`);
      if (reply.status !== 200) fail("status", "200 to GET with a body of 65,536 bytes", describe(reply));
      await expectTooLarge(api, { ...request, body: " ".repeat(BODY_LIMIT + 1) }, `GET ${path} with 65,537 bytes`);
    }),
  ),
];
