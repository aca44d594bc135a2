import type { Api } from "../../client/api.ts";
import type { RawRequest } from "../../client/wire/raw-request.ts";
import { type Check, check } from "../check.ts";
import { answered, toJudge } from "../probe.ts";
import {
  type Case,
  casesOf,
  expectOutcome,
  type Field,
  pipeline,
  refusedPost,
  SYSINFO,
  sysinfo,
  withFields,
} from "./support.ts";

const URL_LIMIT = 8192;
const HEADER_LIMIT = 16_384;

/** A parser may count URL and header fields together and notice it first. */
const TOO_LONG = ["uri-too-long", "headers-too-large"] as const;

/** Other ways into a server than GET of the endpoint; a limit that only the endpoint has is none. */
const elsewhere = (api: Api): readonly (RawRequest & { method: string })[] =>
  [
    ["HEAD", SYSINFO],
    ...["/api/?", "/api?"].map((path) => ["OPTIONS", path]),
    ...["/api?", "/?", "/openapi.json?", "/robots.txt?", "/no-such-path?"].map((path) => ["GET", path]),
  ].map(([method = "", path = ""]) => ({ method, target: api.path(path) }));

/** The least that is too long however one counts: the proxy in front may have taken the prefix of the base address away. */
const tooLong = (api: Api) => URL_LIMIT + 1 + api.path("").length;

/** A target of so many bytes that names no operation, or no path. */
const longName = (api: Api, length: number) => ({ target: api.path("/api/?@=").padEnd(length, "x") });
const longPath = (api: Api, length: number) => ({ target: api.path("/").padEnd(length, "x") });

const overlong = (api: Api, ...lengths: readonly number[]) =>
  lengths.map((length): Case => [`a URL of ${length} bytes`, longName(api, length), ...TOO_LONG]);

const parameters = (api: Api, count: number) =>
  sysinfo(api, { target: api.path(`${SYSINFO}&${Array.from({ length: count }, (_, n) => `p${n}=1`).join("&")}`) });

/** The size of the request target (D13). */
const url = casesOf("http/url-limit", "hostile", {
  query: (api) => [
    ...[4000, URL_LIMIT - 1, URL_LIMIT].map(
      (length): Case => [`a URL of ${length} bytes`, longName(api, length), "operation-not-found"],
    ),
    ...overlong(api, tooLong(api), tooLong(api) + 1, 10_000),
  ],
  path: (api) => [
    ["a path of 8,192 bytes", longPath(api, URL_LIMIT), "path-not-found"],
    ["a path of more", longPath(api, tooLong(api)), ...TOO_LONG],
  ],
  post: (api) => {
    const post = (length: number) => ({
      ...refusedPost(api, { credentials: "none" }),
      target: api.path("/api/?X-PLATFORM=").padEnd(length, "x"),
    });
    return [
      ["a POST with 8,192 bytes of URL", post(URL_LIMIT), "credentials-missing"],
      ["a POST with more", post(tooLong(api)), ...TOO_LONG],
    ];
  },
  elsewhere: (api) =>
    elsewhere(api).map(({ method, target }) => [
      `${method} ${target}`,
      { method, target: target.padEnd(tooLong(api), "x") },
      ...TOO_LONG,
    ]),
  "far-over": (api) => overlong(api, 20_000, 34_000, 70_000),
  "many-parameters": (api) => [
    ["10,000 parameters", parameters(api, 10_000), ...TOO_LONG],
    ["900 parameters", parameters(api, 900), "invalid-input"],
  ],
});

/** `count` fields of their own names. */
const fields = (count: number, value = "1") => Array.from({ length: count }, (_, n): Field => [`X-Field-${n}`, value]);

/** The good request with `count` fields, of which the first takes up what is missing to `size` bytes by `measure`. */
function sized(api: Api, count: number, size: number, measure: (request: RawRequest) => number): RawRequest {
  const [, ...others] = fields(count, "x".repeat(Math.max(1, Math.floor(size / count) - 40)));
  const shape = (first: string) => sysinfo(api, { headers: [["X-Field-0", first], ...others] });
  return shape("x".repeat(size - measure(shape(""))));
}

/** However one counts, a request whose whole head has 16,384 bytes is within, and one with as many in names and values alone, and one more, is not. */
const within = (api: Api, count: number) =>
  sized(api, count, HEADER_LIMIT, (request) => api.rawRequest(request).length);
const over = (api: Api, count: number, size = HEADER_LIMIT + 1) =>
  sized(api, count, size, ({ headers = [] }) =>
    [...headers, ["Host", api.host], ["Connection", "close"]].reduce((sum, field) => sum + field.join("").length, 0),
  );

const refused = (what: string, request: RawRequest): Case => [what, request, "headers-too-large"];

/** Size and number of header fields (D13). */
const head: readonly Check[] = [
  ...casesOf("http/header-limit", "hostile", {
    sizes: (api) =>
      [1, 3, 90].flatMap((count) => [
        [`${count} fields, a head of 16,384 bytes`, within(api, count), "sysinfo"],
        refused(`${count} fields of more`, over(api, count)),
      ]),
    "far-over": (api) =>
      [24_000, 40_000, 60_000, 100_000].map((size) => refused(`fields of ${size} bytes`, over(api, 1, size))),
    post: (api) => [
      ["a POST with 12,000 bytes", withFields(refusedPost(api), ["X-Padding", "x".repeat(12_000)]), "invalid-input"],
      refused("a POST with more than 16 KiB", withFields(refusedPost(api), ["X-Padding", "x".repeat(HEADER_LIMIT)])),
    ],
    elsewhere: (api) =>
      elsewhere(api).map((request) => refused(`${request.method} ${request.target}`, { ...over(api, 1), ...request })),
    // Each within its own limit, so that a parser that counts both together has to have room for both.
    "beside-a-long-url": (api) => [
      ["a long URL and large headers", { ...within(api, 3), ...longName(api, URL_LIMIT) }, "operation-not-found"],
    ],
  }),
  ...casesOf("http/header-count", "hostile", {
    // Host and Connection are two of them.
    "by-name": (api) => [
      ...[50, 99, 100].map(
        (count): Case => [`${count} fields`, sysinfo(api, { headers: fields(count - 2) }), "sysinfo"],
      ),
      ...[101, 102, 150, 500, 10_000].map((count) =>
        refused(`${count} fields`, sysinfo(api, { headers: fields(count - 2) })),
      ),
    ],
    // Some servers stop counting, and reading, at 2,000.
    "one-name": (api) => {
      const of = (count: number) => sysinfo(api, { headers: Array.from({ length: count - 2 }, () => ["x", "1"]) });
      return [
        ["100 fields of one name", of(100), "sysinfo"],
        ...[101, 1000, 2100].map((count) => refused(`${count} fields of one name`, of(count))),
      ];
    },
    elsewhere: (api) =>
      [refusedPost(api), ...elsewhere(api)].map((request) =>
        refused(`${request.method} ${request.target}`, withFields(request, ...fields(100))),
      ),
  }),
  check("http/header-count#next-request", { effect: "hostile" }, async (api) => {
    // The count belongs to one request, not to its connection, which may end after any answer.
    const request = sysinfo(api, { headers: fields(60) });
    const raw = await api.raw(pipeline(api, [request, request, request]), { answers: 3 });
    answered(raw, "three requests on one connection");
    for (const reply of raw.replies) expectOutcome(reply, "sysinfo");
    toJudge(raw.replies.slice(1), "second answer on a connection");
  }),
];

/** The limits of what stands before the body, just inside and just outside (D13). */
export const headLimits: readonly Check[] = [...url, ...head];
