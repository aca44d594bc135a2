// What the client sends, and what it does with each response, on real sockets.
import { describe, expect, it } from "vitest";
import { BOUND_MS, withMoreTime } from "../test/patience.ts";
import { AtpointError, type ClientSettings, createClient } from "./client.ts";
import { busy, json, problem, type Step, send, serveScript } from "./scripted-server.test-kit.ts";

const ada = { name: "Ada Lovelace", email: "ada@example.com" };
const fine = json({ status: "Operational" });
/** The body ends before it is as long as the head says. */
const half = send(200, "application/json", '{"status":', { "Content-Length": "100" });
const chunked = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";

async function scripted(script: readonly Step[], settings: Partial<ClientSettings> = {}) {
  const { url, attempts } = await serveScript(script);
  const always = { baseUrl: url, apiKey: "atp_key", platform: "web", timeoutMs: BOUND_MS };
  const client = createClient({ ...always, ...settings });
  const expectSame = (requests: number) => {
    expect(attempts).toHaveLength(requests);
    expect(new Set(attempts.filter(Boolean).map((attempt) => JSON.stringify(attempt))).size).toBeLessThanOrEqual(1);
  };
  return { client, attempts, expectSame };
}

/** All members of the error that a call ends with; why, and the fields in its message, are in client.test.ts. */
async function failureOf(call: Promise<unknown>): Promise<object> {
  const error = await call.then(
    () => expect.unreachable("it must fail"),
    (thrown) => thrown,
  );
  expect(error).toBeInstanceOf(AtpointError);
  const { name: _, cause, message, ...rest } = error;
  return { message: message.replace(/ \(.*\)$/, ""), ...rest };
}

const failure = (operation: string, kind: string, message: string, more = {}) => {
  return { operation, kind, message: `${operation}: ${message}`, ...more };
};
const lost = (operation = "sysinfo", more = {}) => failure(operation, "network", "no complete response", more);
const rejected = (operation: string, status: number, code: string, more = {}) =>
  failure(operation, "problem", `${code}: So it is.`, { code, status, requestId: "id-1", ...more });
const unexpected = (status: number, seen: string) =>
  failure("sysinfo", "unexpected", `unexpected response: ${status} ${seen}`, { status });

describe("a call", () => {
  it("of a query sends its input in the URL", async () => {
    const { client, attempts } = await scripted([fine]);
    // Proof: `sysinfo` has no input, and the script accepts any.
    const { call } = client as { call(name: string, input: object, options: object): Promise<unknown> };
    const input = { text: "a+b&c é", flag: true, list: ["a", 1], many: 1_000_000, none: null };
    expect(await call("sysinfo", input, { idempotencyKey: "k-1" })).toEqual({ status: "Operational" });
    const query = { "@": "sysinfo", text: "a+b&c é", flag: "true", list: "a,1", many: "1000000" };
    const credentials = { "x-api-key": "atp_key", "x-platform": "web" };
    const headers = { ...credentials, accept: "application/json", "idempotency-key": null };
    expect(attempts).toMatchObject([{ method: "GET", path: "/prefix/api/", body: "", query, headers }]);
  });

  it("of a command sends its input in the body", async () => {
    const { client, attempts } = await scripted([send(201, "application/json", "{}")]);
    expect(await client.call("user.create", ada, { idempotencyKey: "k-1" })).toEqual({});
    const headers = { "content-type": "application/json", "idempotency-key": "k-1", "x-api-key": "atp_key" };
    const body = { "@": "user.create", data: ada };
    expect(attempts).toMatchObject([{ method: "POST", path: "/prefix/api/", query: {}, body, headers }]);
  });

  it.each([
    ["no header can hold", { apiKey: "s3cret\n" }, /X-API-KEY/],
    ["has no address", { baseUrl: "one.invalid" }, /one\.invalid/],
  ])("sends nothing that %s", async (_, settings, message) => {
    const { client, attempts } = await scripted([], settings);
    const error = await client.call("sysinfo").catch((thrown) => thrown);
    expect(error).toBeInstanceOf(TypeError);
    expect(String(error)).toMatch(message);
    // An error may be in a log.
    expect(String(error)).not.toContain("s3cret");
    expect(attempts).toEqual([]);
  });

  it("returns another representation as text, and sends no credentials that it does not have", async () => {
    const script = [send(200, "text/markdown; charset=utf-8", "# Atpoint\n")];
    const { client, attempts } = await scripted(script, { apiKey: "", platform: "" });
    expect(await client.call("docs.get.README", {}, { accept: "text/markdown" })).toBe("# Atpoint\n");
    expect(attempts).toMatchObject([{ headers: { accept: "text/markdown", "x-api-key": null, "x-platform": null } }]);
  });

  it("returns a health that fails", async () => {
    const headers = { "X-Operation": "test.health", "Retry-After": "0" };
    const { client, expectSame } = await scripted([send(503, "application/json", '{"status":"fail"}', headers)]);
    expect(await client.call("test.health")).toEqual({ status: "fail" });
    expectSame(1);
  });

  it("reports each fault of an input", async () => {
    const errors = [{ parameter: "limit", detail: "must be at least 1" }];
    const { client, expectSame } = await scripted([problem(422, "invalid-input", {}, { errors })]);
    const found = await failureOf(client.call("user.list", { limit: 0 }));
    expect(found).toEqual(rejected("user.list", 422, "invalid-input", { errors }));
    expectSame(1);
  });
});

describe("a walk", () => {
  const page1 = json({ items: [1, 2], nextCursor: "c 1" });
  const onPage2 = { query: { cursor: "c 1" } };
  const noPage = failure("user.list", "unexpected", "unexpected response: a page without items");
  const gone = rejected("user.list", 400, "invalid-cursor");
  const [third, bad] = [json({ items: [3] }), problem(400, "invalid-cursor")];
  it.each<[string, Step[], unknown[], (object | null)?, object[]?, object?]>([
    ["begins at a cursor", [page1, third], [1, 2, 3], null, [{ query: { cursor: "c+0" } }, onPage2], { cursor: "c+0" }],
    ["retries one page", [page1, "close", third], [1, 2, 3], null, [{}, onPage2, onPage2]],
    ["gives page 1 before it fails on page 2", [page1, bad], [1, 2], gone, [{}, onPage2]],
    ["rejects a page without items", [json({})], [], noPage],
    ["rejects a page whose items are no list", [json({ items: null })], [], noPage],
  ])("%s", async (_, script, expected, error = null, sent = [{}], input = {}) => {
    const { client, attempts } = await scripted(script);
    const items: unknown[] = [];
    const read = async () => {
      for await (const item of client.walk("user.list", input)) items.push(item);
    };
    if (error) expect(await failureOf(read())).toEqual(error);
    else await read();
    expect(items).toEqual(expected);
    expect(attempts).toMatchObject(sent);
  });
});

describe("retries", () => {
  it.each<[string, Step]>([
    ["the connection was closed before the request", "reset"],
    ["the connection was closed after the request", "close"],
    ["the connection was closed in the body", half],
    ["the connection was closed in a chunk", { bytes: `${chunked}5\r\n{"sta\r\n` }],
    ["429 with Retry-After", problem(429, "rate-limited", { "Retry-After": "0" })],
    ["503 with a date", busy("Thu, 01 Jan 1970 00:00:00 GMT")],
    ["503 without Retry-After", problem(503, "overloaded")],
    ["503 of a gateway", send(503, "text/html", "<h1>", { "Retry-After": "soon" })],
  ])("a query: %s", async (_, first) => {
    const { client, expectSame } = await scripted([first, fine]);
    expect(await client.call("sysinfo")).toEqual({ status: "Operational" });
    expectSame(2);
  });

  it("a query: no response in time", () =>
    withMoreTime(async (timeoutMs) => {
      const { client, expectSame } = await scripted(["stall", { ...half, after: "stall" }, fine], { timeoutMs });
      expect(await client.call("sysinfo")).toEqual({ status: "Operational" });
      expectSame(3);
    }));

  // The service then creates once: `user.create/replayed`.
  it("a command with a key", async () => {
    const { client, expectSame } = await scripted([busy("0"), "close", json({})]);
    expect(await client.call("user.create", ada, { idempotencyKey: "k-1" })).toEqual({});
    expectSame(3);
  });

  it.each<[string, Step, object]>([
    ["no response", "close", lost("user.create")],
    ["half a response", half, lost("user.create", { status: 200 })],
    ["429", problem(429, "rate-limited"), rejected("user.create", 429, "rate-limited")],
    ["503", busy("0"), rejected("user.create", 503, "shutting-down", { retryAfterMs: 0 })],
  ])("no command without a key: %s", async (_, first, expected) => {
    const { client, expectSame } = await scripted([first]);
    expect(await failureOf(client.call("user.create", ada))).toEqual(expected);
    expectSame(1);
  });

  const busyFor = (retryAfterMs: number) => rejected("sysinfo", 503, "shutting-down", { retryAfterMs });
  it.each<[string, Step, Partial<ClientSettings>, object, number]>([
    ["twice, when it is closed for ever", "close", {}, lost(), 3],
    ["as often as its settings say, when it is 503 for ever", busy("0"), { retries: 4 }, busyFor(0), 5],
    ["not where it would wait for too long", busy("3600"), {}, busyFor(3_600_000), 1],
    ["until its pauses add up to too much", busy("1"), { retries: 9, maxWaitMs: 1_500 }, busyFor(1_000), 2],
    ["not 500", problem(500, "internal-error"), {}, rejected("sysinfo", 500, "internal-error"), 1],
  ])("%s", async (_, step, settings, expected, requests) => {
    const { client, expectSame } = await scripted([step], settings);
    expect(await failureOf(client.call("sysinfo"))).toEqual(expected);
    expectSame(requests);
  });
});

describe("a response", () => {
  it.each<[string, Step, number?]>([
    ["never begins", "stall"],
    ["stops in its head", { bytes: "HTTP/1.1 200 OK\r\nX-A", after: "stall" }],
    ["trickles its head", { bytes: "HTTP/1.1 200 OK\r\nX-A: ", after: "trickle" }],
    ["stops in its body", { ...half, after: "stall" }, 200],
    ["trickles its body", { ...half, after: "trickle" }, 200],
  ])("that %s ends in time", (_, step, status) =>
    withMoreTime(async (timeoutMs) => {
      const { client, expectSame } = await scripted([step], { timeoutMs, retries: 0 });
      const expected = failure("sysinfo", "timeout", "no complete response in time", { status });
      expect(await failureOf(client.call("sysinfo"))).toEqual(expected);
      expectSame(1);
    }),
  );

  const [deep, start] = ["[".repeat(100_000), "[".repeat(200)];
  const problemType = "application/problem+json";
  const location = "http://127.0.0.1:1/";
  const redirect = send(307, "text/html", "", { Location: location });
  const long = send(200, "application/json", "[1]", { "Content-Length": "2" });
  it.each<[string, Step, object]>([
    ["no HTTP", { bytes: "NONSENSE\r\n\r\n" }, lost()],
    ["half a head", { bytes: "HTTP/1.1 200 OK\r\nContent-Ty" }, lost()],
    ["a body shorter than its length", half, lost("sysinfo", { status: 200 })],
    ["a body longer than its length", long, unexpected(200, "application/json [1")],
    ["a gateway's page", send(502, "text/html", "<h1>Bad"), unexpected(502, "text/html <h1>Bad")],
    ["a gateway's page with 200", send(200, "text/html", "<h1>Hi"), unexpected(200, "text/html <h1>Hi")],
    ["a gateway's JSON", send(500, "application/json", "{}"), unexpected(500, "application/json {}")],
    ["JSON of another type", send(200, "application/jsonx", "{}"), unexpected(200, "application/jsonx {}")],
    ["broken JSON", send(200, "application/json", "{"), unexpected(200, "application/json {")],
    ["an empty body", send(200, "application/json", ""), unexpected(200, "application/json")],
    ["JSON without an end", send(200, "application/json", deep), unexpected(200, `application/json ${start}`)],
    ["a problem without a code", send(400, problemType, "{}"), unexpected(400, `${problemType} {}`)],
    ["a problem that is null", send(400, problemType, "null"), unexpected(400, `${problemType} null`)],
    ["a redirect", redirect, unexpected(307, `text/html to ${location}`)],
  ])("that is %s is reported", async (_, step, expected) => {
    const { client, expectSame } = await scripted([step], { retries: 0 });
    expect(await failureOf(client.call("sysinfo"))).toEqual(expected);
    expectSame(1);
  });

  it.each<[string, Step, () => AbortSignal, number | null]>([
    ["before it is sent", "stall", () => AbortSignal.abort(), 0],
    // How many requests arrive before that is a matter of time.
    ["during an attempt", "stall", () => AbortSignal.timeout(200), null],
    ["between two attempts", busy("3600"), () => AbortSignal.timeout(200), null],
  ])("ends a call that its caller aborts %s", async (_, step, signal, requests) => {
    const { client, attempts, expectSame } = await scripted([step], { maxWaitMs: 7_200_000 });
    const found = await failureOf(client.call("sysinfo", {}, { signal: signal() }));
    expect(found).toEqual(failure("sysinfo", "aborted", "aborted"));
    expectSame(requests ?? attempts.length);
  });
});
