// What the client does with each response: clients.test.ts runs this table.
import * as is from "./responses.ts";
import { busy, half, halfAChunk, json, type Outcome, problem, send } from "./responses.ts";
import type { Step } from "./scripted-server.ts";

/** A call, its settings and its options. */
export interface Call {
  readonly name: string;
  readonly input?: Readonly<Record<string, unknown>>;
  /** All items of the list, instead of one page. */
  readonly walk?: true;
  readonly accept?: string;
  readonly idempotencyKey?: string;
  readonly baseUrl?: string;
  /** Empty: none. */
  readonly key?: string;
  readonly platform?: string;
  readonly retries?: number;
  readonly maxWaitMs?: number;
  /** When the caller gives up. */
  readonly abortAfterMs?: number;
}

export interface Case {
  readonly title: string;
  readonly server: readonly Step[];
  readonly call: Call;
  readonly outcome: Outcome;
  /** How many requests arrive; as many as the script has unless given, null where a clock decides. */
  readonly requests?: number | null;
  /** Members of each request; without it, all are the same. */
  readonly sent?: readonly object[];
  /** Names of users that the service has. */
  readonly users?: readonly string[];
  /** A clock decides what happens: an attempt has little time. */
  readonly timed?: true;
}

type Words = [title: string, server: readonly Step[], call: Call, outcome: Outcome, more?: Partial<Case>];
const given = (...[title, server, call, outcome, more]: Words): Case => ({ title, server, call, outcome, ...more });

const fine = json({ status: "Operational" });
const answered = { answer: { status: "Operational" } };
const sysinfo = { name: "sysinfo" };
const once = { name: "sysinfo", retries: 0 };
const ada = { name: "Ada Lovelace", email: "ada@example.com" };
const create = { name: "user.create", input: ada };
const createWithKey = { ...create, idempotencyKey: "k-1" };
const created = { answer: { id: "uuid", ...ada, createdAt: "time" } };
const walk = { name: "user.list", walk: true } as const;
const odd = { text: "a+b&c é", flag: true, list: ["a", 1], many: 1_000_000, none: null };
const errors = [{ parameter: "limit", detail: "must be at least 1" }];
const users = ["Ada", "Grace", "Edsger"];
const listed = users.map((name) => ({ id: "uuid", name, email: `${name}@example.com`, createdAt: "time" }));
const failing = send(503, "application/json", '{"status":"fail"}', {
  "X-Operation": "test.health",
  "Retry-After": "0",
});
const toElsewhere = (location: string) => send(307, "text/html", "", { Location: location });

const calls: readonly Case[] = [
  given("creates a user on the service", ["pass"], create, created),
  given("sends a query", [fine], { name: "sysinfo", input: odd, idempotencyKey: "k-1" }, answered, {
    sent: [
      {
        ...{ method: "GET", path: "/prefix/api/", body: "" },
        query: { "@": "sysinfo", text: "a+b&c é", flag: "true", list: "a,1", many: "1000000" },
        headers: { "x-api-key": "atp_key", "x-platform": "web", accept: "application/json", "idempotency-key": null },
      },
    ],
  }),
  given(
    "sends a command",
    [send(201, "application/json", "{}")],
    createWithKey,
    { answer: {} },
    {
      sent: [
        {
          ...{ method: "POST", path: "/prefix/api/", query: {}, body: { "@": "user.create", data: ada } },
          headers: { "content-type": "application/json", "idempotency-key": "k-1", "x-api-key": "atp_key" },
        },
      ],
    },
  ),
  given("sends no credentials that it does not have", [fine], { ...sysinfo, key: "", platform: "" }, answered, {
    sent: [{ headers: { "x-api-key": null, "x-platform": null } }],
  }),
  given("sends nothing that no header can hold", [], { ...sysinfo, key: "s3cret\n" }, { raised: "X-API-KEY" }),
  given("sends nothing to what is no address", [], { ...sysinfo, baseUrl: "one.invalid" }, { raised: "one.invalid" }),
  given(
    "returns another representation as text",
    [send(200, "text/markdown; charset=utf-8", "# Atpoint\n")],
    { name: "docs.get.README", accept: "text/markdown" },
    { answer: "# Atpoint\n" },
    { sent: [{ headers: { accept: "text/markdown" } }] },
  ),
  given("returns a health that fails", [failing], { name: "test.health" }, { answer: { status: "fail" } }),
  given(
    "reports each fault of an input",
    [problem(422, "invalid-input", {}, { errors })],
    { name: "user.list", input: { limit: 0 } },
    is.rejected("user.list", 422, "invalid-input", { errors }),
  ),
];

const page1 = json({ items: [1, 2], nextCursor: "c 1" });
const onPage2 = { query: { cursor: "c 1" } };
const pages: readonly Case[] = [
  given(
    "walks a list of the service to its end",
    ["pass"],
    { ...walk, input: { limit: 2 } },
    { items: listed },
    {
      users,
      requests: 2,
      sent: [{ query: { limit: "2" } }, { query: { limit: "2" } }],
    },
  ),
  given(
    "walks from a cursor on",
    [page1, json({ items: [] })],
    { ...walk, input: { cursor: "c+0" } },
    { items: [1, 2] },
    {
      sent: [{ query: { cursor: "c+0" } }, onPage2],
    },
  ),
  given(
    "retries one page",
    [page1, "close", json({ items: [3] })],
    walk,
    { items: [1, 2, 3] },
    {
      sent: [{}, onPage2, onPage2],
    },
  ),
  given(
    "gives the items of page 1 before it fails on page 2",
    [page1, problem(400, "invalid-cursor")],
    walk,
    { items: [1, 2], ...is.rejected("user.list", 400, "invalid-cursor") },
    { sent: [{}, onPage2] },
  ),
  given("rejects a page without items", [json({})], walk, is.noPage),
  given("rejects a page whose items are no list", [json({ items: null })], walk, is.noPage),
];

const retried: readonly [title: string, first: Step][] = [
  ["the connection was closed before the request", "refuse"],
  ["the connection was closed after the request", "close"],
  ["the connection was closed in the body", { bytes: half }],
  ["the connection was closed in a chunk", { bytes: halfAChunk }],
  ["429 with Retry-After", problem(429, "rate-limited", { "Retry-After": "0" })],
  ["503 with a date", busy("Thu, 01 Jan 1970 00:00:00 GMT")],
  ["503 without Retry-After", problem(503, "overloaded")],
  ["503 of a gateway", send(503, "text/html", "<h1>", { "Retry-After": "soon" })],
];
const notSentTwice: readonly [title: string, first: Step, outcome: Outcome][] = [
  ["a lost response", "lose", is.lost("user.create")],
  ["half a response", { bytes: half }, is.lost("user.create", { status: 200 })],
  ["429", problem(429, "rate-limited"), is.rejected("user.create", 429, "rate-limited")],
  ["503", busy("0"), is.rejected("user.create", 503, "shutting-down", { retryAfterMs: 0 })],
];
const busyFor = (retryAfterMs: number) => is.rejected("sysinfo", 503, "shutting-down", { retryAfterMs });
const retries: readonly Case[] = [
  ...retried.map(([title, first]) => given(`retries a query: ${title}`, [first, fine], sysinfo, answered)),
  given("retries a query: no response in time", ["stall", { bytes: half, after: "stall" }, fine], sysinfo, answered, {
    timed: true,
  }),
  given("retries a command with a key", [busy("0"), "close", json({})], createWithKey, { answer: {} }),
  given("creates once what it sends again after a lost response", ["lose", "pass"], createWithKey, created),
  ...notSentTwice.map(([title, first, outcome]) =>
    given(`never sends a command without a key twice: ${title}`, [first], create, outcome),
  ),
  given("gives up: closed for ever", ["close"], sysinfo, is.lost(), { requests: 3 }),
  given("gives up: 503 for ever", [busy("0")], { ...sysinfo, retries: 4 }, busyFor(0), { requests: 5 }),
  given("does not begin to wait for too long", [busy("3600")], sysinfo, busyFor(3_600_000)),
  given("adds up its pauses", [busy("1")], { ...sysinfo, retries: 9, maxWaitMs: 1_500 }, busyFor(1_000), {
    requests: 2,
  }),
  given("does not retry 500", [problem(500, "internal-error")], sysinfo, is.rejected("sysinfo", 500, "internal-error")),
];

const late: readonly [title: string, step: Step, status?: number][] = [
  ["never begins", "stall"],
  ["stops in its head", { bytes: "HTTP/1.1 200 OK\r\nX-A", after: "stall" }],
  ["trickles its head", { bytes: "HTTP/1.1 200 OK\r\nX-A: ", after: "trickle" }],
  ["stops in its body", { bytes: half, after: "stall" }, 200],
  ["trickles its body", { bytes: half, after: "trickle" }, 200],
];
const deep = "[".repeat(100_000);
const JSON_TYPE = "application/json";
const PROBLEM = "application/problem+json";
const bad: readonly [title: string, step: Step, outcome: Outcome][] = [
  ["no HTTP", { bytes: "NONSENSE\r\n\r\n" }, is.lost()],
  ["half a head", { bytes: "HTTP/1.1 200 OK\r\nContent-Ty" }, is.lost()],
  ["a body shorter than its length", { bytes: half }, is.lost("sysinfo", { status: 200 })],
  [
    "a body longer than its length",
    send(200, JSON_TYPE, "[1]", { "Content-Length": "2" }),
    is.unexpected(200, `${JSON_TYPE} [1`),
  ],
  ["a gateway's page", send(502, "text/html", "<h1>Bad"), is.unexpected(502, "text/html <h1>Bad")],
  ["a gateway's page with 200", send(200, "text/html", "<h1>Hi"), is.unexpected(200, "text/html <h1>Hi")],
  ["a gateway's JSON", send(500, JSON_TYPE, "{}"), is.unexpected(500, `${JSON_TYPE} {}`)],
  ["JSON of another type", send(200, "application/jsonx", "{}"), is.unexpected(200, "application/jsonx {}")],
  ["broken JSON", send(200, JSON_TYPE, "{"), is.unexpected(200, `${JSON_TYPE} {`)],
  ["a number that JSON does not have", send(200, JSON_TYPE, "NaN"), is.unexpected(200, `${JSON_TYPE} NaN`)],
  ["an empty body", send(200, JSON_TYPE, ""), is.unexpected(200, JSON_TYPE)],
  ["JSON without an end", send(200, JSON_TYPE, deep), is.unexpected(200, `${JSON_TYPE} ${deep.slice(0, 200)}`)],
  ["a problem without a code", send(400, PROBLEM, "{}"), is.unexpected(400, `${PROBLEM} {}`)],
  ["a problem that is null", send(400, PROBLEM, "null"), is.unexpected(400, `${PROBLEM} null`)],
  ["a redirect", toElsewhere("http://127.0.0.1:1/"), is.unexpected(307, "text/html to http://127.0.0.1:1/")],
  ["a redirect to no address", toElsewhere("http://["), is.unexpected(307, "text/html to http://[")],
];
const byItsCaller: readonly [title: string, step: Step, more: { call: Call; requests: number | null }][] = [
  ["before", "stall", { call: { ...sysinfo, abortAfterMs: 0 }, requests: 0 }],
  ["during an attempt", "stall", { call: { ...sysinfo, abortAfterMs: 200 }, requests: null }],
  [
    "between two attempts",
    busy("3600"),
    { call: { ...sysinfo, abortAfterMs: 200, maxWaitMs: 7_200_000 }, requests: null },
  ],
];
const trouble: readonly Case[] = [
  ...late.map(([title, step, status]) =>
    given(`ends in time when the response ${title}`, [step], once, is.late(status && { status }), { timed: true }),
  ),
  ...bad.map(([title, step, outcome]) => given(`reports ${title}`, [step], once, outcome)),
  ...byItsCaller.map(([title, step, more]) => given(`is aborted: ${title}`, [step], sysinfo, is.aborted, more)),
];

export const cases: readonly Case[] = [...calls, ...pages, ...retries, ...trouble];
