import { problems } from "../../../generated/operations.ts";
import { describe, expectSuccess, fail } from "../../client/expect.ts";
import { queries } from "../../client/operation.ts";
import type { RawRequest } from "../../client/wire/raw-request.ts";
import { type Check, check } from "../check.ts";
import { faulty, refusals, written } from "../faults.ts";
import { answered, ending, inCase, toJudge } from "../probe.ts";
import {
  ALL,
  answerTo,
  at,
  type Case,
  casesOf,
  chunked,
  emptyCreate,
  expectOutcome,
  type Outcome,
  refusedPost,
  requestOf,
  sysinfo,
  withFields,
} from "./support.ts";

const LIMIT = 65_536;

/** A body of the maximum size, which is rejected only for its input, and one of one byte more. */
const around = (
  what: string,
  make: (length: number) => RawRequest,
  within: Outcome = "invalid-input",
): readonly Case[] => [
  [`${what}, 65,536 bytes`, make(LIMIT), within],
  [`${what}, 65,537 bytes`, make(LIMIT + 1), "content-too-large"],
];

/** A body of `length` bytes in fewer characters. */
function accented(length: number): string {
  const [head, tail] = ['{"@":"user.create","data":{"name":"', '"}}'];
  const room = length - head.length - tail.length;
  return `${head}${"é".repeat(Math.floor(room / 2))}${"e".repeat(room % 2)}${tail}`;
}

/** A GET with a body, with `Content-Length` and in chunks. */
const withBody = (what: string, request: RawRequest, within: Outcome) => [
  ...around(`${what} with a body`, (length) => ({ ...request, body: " ".repeat(length) }), within),
  ...around(`${what} with a body in chunks`, (length) => chunked(request, " ".repeat(length), 8192), within),
];

const PAGES = ["/", "/openapi.json", "/robots.txt"];

const expecting = (value: string, request: RawRequest) => withFields(request, ["Expect", value]);

/** The only expectation that HTTP defines is met; all others are rejected (RFC 9110, 10.1.1). */
const expectation = casesOf("http/expectation", "hostile", {
  unknown: (api) => {
    const known = ["200-ok", "100", "continue", "not-100-continue", "100-continue, 100-continue"];
    const paths = ["/", "/api?@=sysinfo", "/openapi.json", "/robots.txt", "/no-such-path"];
    return [
      ...[api.runId, ...known].map((value) => [value, expecting(value, sysinfo(api))] as const),
      ...paths.map((path) => [path, expecting(api.runId, at(api, path))] as const),
      ...["HEAD", "OPTIONS"].map((method) => [method, expecting(api.runId, sysinfo(api, { method }))] as const),
      ["two fields", expecting("100-continue", expecting("100-continue", sysinfo(api)))] as const,
      ["a POST", expecting(api.runId, refusedPost(api))] as const,
    ].map(([what, request]): Case => [what, request, "expectation-failed"]);
  },
  continue: (api) => [
    ["100-continue", expecting("100-continue", refusedPost(api)), "invalid-input"],
    ["100-Continue", expecting("100-Continue", refusedPost(api)), "invalid-input"],
    ["GET", expecting("100-continue", sysinfo(api)), "sysinfo"],
  ],
});

/** The size of a request's body, just inside and just outside the limit, and `Expect` (D13). */
export const bodyLimits: readonly Check[] = [
  ...expectation,
  ...casesOf("http/body-limit", "hostile", {
    "by-length": (api) => around("a body", (length) => ({ ...refusedPost(api), body: emptyCreate.padEnd(length) })),
    "by-chunks": (api) =>
      [LIMIT, 1000].flatMap((size) =>
        around(`chunks of ${size}`, (length) => chunked(refusedPost(api), emptyCreate.padEnd(length), size)),
      ),
    "bytes-not-characters": (api) =>
      around("characters of two bytes", (length) => ({ ...refusedPost(api), body: accented(length) })),
    expected: (api) => {
      const post = expecting("100-continue", refusedPost(api));
      return around("an expected body", (length) => ({ ...post, body: emptyCreate.padEnd(length) }));
    },
  }),
  check("http/body-limit#whole-user", { effect: "write", alone: true }, async (api) => {
    const whole = JSON.stringify({ "@": "user.create", data: api.example("user.create") });
    expectOutcome(await api.call("user.create", { body: whole.padEnd(LIMIT + 1) }), "content-too-large");
    const again = await api.call("user.create", { body: whole.padEnd(LIMIT) });
    if (again.status === problems["email-taken"].status)
      fail("state", "a body that is too large to create nobody", describe(again));
    expectSuccess(again, "user.create");
  }),
  ...casesOf("http/body-limit-answered", "hostile", {
    "while-writing": (api) =>
      [LIMIT + 1, 300_000, 1_000_000, 5_000_000].map((length, index): Case => {
        const connection = index % 2 === 0 ? null : "close";
        const request = { ...refusedPost(api), connection, body: " ".repeat(length) };
        return [`an upload of ${length} bytes`, request, "content-too-large"];
      }),
    "in-chunks": (api) => [
      ["2 MB in chunks", chunked(refusedPost(api), " ".repeat(2_000_000), 50_000), "content-too-large"],
    ],
  }),
  check("http/body-limit-answered#whatever-refuses-it", { effect: "hostile" }, async (api) => {
    // Other requirements define which rejection it is.
    for (const one of refusals.filter(({ operation }) => operation.method === "POST"))
      await inCase(one.code, async () => {
        const request = written(faulty(api, one));
        const upload = { ...request, target: api.path(request.target), body: " ".repeat(1_000_000) };
        const reply = await answerTo(api, upload);
        if (reply.status >= 500) fail("status", "a refusal", describe(reply));
      });
  }),
  check("http/body-limit-answered#no-reset", { effect: "hostile" }, async (api) => {
    for (const request of [refusedPost(api), sysinfo(api)]) {
      const upload = api.rawRequest({ ...request, body: " ".repeat(200_000) });
      // Reads to the end of the connection: after a reset right behind the response, a slow client might not read the response.
      const raw = await api.raw([upload.subarray(0, 70_000), upload.subarray(70_000)], { answers: ALL });
      expectOutcome(answered(raw, "an upload of 200,000 bytes"), "content-too-large");
      if (raw.reset) fail("connection", "an answer and then the end of the connection", ending(raw));
    }
  }),
  ...casesOf("http/body-limit-on-get", "hostile", {
    operations: (api) => toJudge(queries, "operation by GET").flatMap(({ id }) => withBody(id, requestOf(api, id), id)),
    pages: (api) => PAGES.flatMap((path) => withBody(path, at(api, path), 200)),
  }),
];
