// What the client sends, and what it does with each response, on real sockets.
import { expect, it } from "vitest";
import { BOUND_MS, withMoreTime } from "../test/patience.ts";
import { AtpointError, type Client, type ClientSettings, createClient } from "./client.ts";
import { busy, json, problem, type Step, send, serveScript } from "./scripted-server.test-kit.ts";

const ada = { name: "Ada Lovelace", email: "ada@example.com" };
const OK = { status: "Operational" };
const fine = json(OK);
/** The body ends before it is as long as the head says. */
const half = send(200, "application/json", '{"status":', { "Content-Length": "100" });

async function scripted(script: readonly Step[], settings: Partial<ClientSettings> = {}) {
  const { url, attempts } = await serveScript(script);
  const always = { baseUrl: url, apiKey: "atp_key", platform: "web", timeoutMs: BOUND_MS };
  const client = createClient({ ...always, ...settings });
  const expectSame = (requests: number) => {
    expect(attempts).toHaveLength(requests);
    expect(
      new Set(attempts.filter(Boolean).map((attempt) => JSON.stringify(attempt))).size,
    ).toBeLessThanOrEqual(1);
  };
  return { client, attempts, expectSame };
}

/**
 * What a call ends with: all members of its error; why the network failed is in client.test.ts.
 */
const outcomeOf = (call: Promise<unknown>): Promise<unknown> =>
  call.catch((error) => {
    expect(error).toBeInstanceOf(AtpointError);
    const { name: _, cause, message, ...rest } = error;
    const isLost = rest.kind === "network";
    return { message: isLost ? message.replace(/ \(.*\)$/, "") : message, ...rest };
  });

const failure = (operation: string, kind: string, message: string, details = {}) => {
  return { operation, kind, message: `${operation}: ${message}`, ...details };
};
const lost = (operation = "sysinfo", details = {}) =>
  failure(operation, "network", "no complete response", details);
const rejected = (operation: string, status: number, code: string, details = {}) =>
  failure(operation, "problem", `${code}: So it is.`, {
    code,
    status,
    requestId: "id-1",
    ...details,
  });
const unexpected = (status: number, seen: string) =>
  failure("sysinfo", "unexpected", `unexpected response: ${status} ${seen}`, { status });
const busyFor = (retryAfterMs: number, operation = "sysinfo") =>
  rejected(operation, 503, "shutting-down", { retryAfterMs });

const errors = [
  { parameter: "limit", detail: "must be at least 1" },
  { pointer: "#/data/name", detail: "is required" },
];
const named = "(limit must be at least 1; #/data/name is required)";
const query = ({ call }: Client) => call("sysinfo");
const health = ({ call }: Client) => call("test.health");
const list = ({ call }: Client) => call("user.list", { limit: 0 });
const command = ({ call }: Client) => call("user.create", ada);
// The service then creates once: `user.create/replayed`.
const withKey = ({ call }: Client) => call("user.create", ada, { idempotencyKey: "k-1" });

it("sends the input of a query in the URL", async () => {
  const { client, attempts } = await scripted([fine]);
  // Proof: `sysinfo` has no input, and the script accepts any.
  const { call } = client as {
    call(name: string, input: object, options: object): Promise<unknown>;
  };
  const input = { text: "a+b&c é", flag: true, list: ["a", 1], many: 1_000_000, none: null };
  expect(await call("sysinfo", input, { idempotencyKey: "k-1" })).toEqual(OK);
  const query = { "@": "sysinfo", text: "a+b&c é", flag: "true", list: "a,1", many: "1000000" };
  const credentials = { "x-api-key": "atp_key", "x-platform": "web" };
  const headers = { ...credentials, accept: "application/json", "idempotency-key": null };
  expect(attempts).toMatchObject([
    { method: "GET", path: "/prefix/api/", body: "", query, headers },
  ]);
});

it("sends the input of a command in the body", async () => {
  const { client, attempts } = await scripted([send(201, "application/json", "{}")]);
  expect(await withKey(client)).toEqual({});
  const headers = {
    "content-type": "application/json",
    "idempotency-key": "k-1",
    "x-api-key": "atp_key",
  };
  const body = { "@": "user.create", data: ada };
  expect(attempts).toMatchObject([
    { method: "POST", path: "/prefix/api/", query: {}, body, headers },
  ]);
});

it("returns another representation as text, and sends no credentials without any", async () => {
  const script = [send(200, "text/markdown; charset=utf-8", "# Atpoint\n")];
  const { client, attempts } = await scripted(script, { apiKey: "", platform: "" });
  expect(await client.call("docs.get.README", {}, { accept: "text/markdown" })).toBe("# Atpoint\n");
  expect(attempts).toMatchObject([
    { headers: { accept: "text/markdown", "x-api-key": null, "x-platform": null } },
  ]);
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

const page1 = json({ items: [1, 2], nextCursor: "c 1" });
const onPage2 = { query: { cursor: "c 1" } };
const noPage = failure("user.list", "unexpected", "unexpected response: a page without items");
const gone = rejected("user.list", 400, "invalid-cursor");
const [third, bad] = [json({ items: [3] }), problem(400, "invalid-cursor")];
it.each<[string, Step[], unknown[], unknown?, object[]?, object?]>([
  [
    "begins at a cursor",
    [page1, third],
    [1, 2, 3],
    "end",
    [{ query: { cursor: "c+0" } }, onPage2],
    { cursor: "c+0" },
  ],
  ["retries one page", [page1, "close", third], [1, 2, 3], "end", [{}, onPage2, onPage2]],
  ["gives page 1 before it fails on page 2", [page1, bad], [1, 2], gone, [{}, onPage2]],
  ["rejects a page whose items are no list", [json({ items: null })], [], noPage],
])("a walk %s", async (_, script, expected, end, sent = [{}], input = {}) => {
  const { client, attempts } = await scripted(script);
  const items: unknown[] = [];
  const read = async () => {
    for await (const item of client.walk("user.list", input)) items.push(item);
    return "end";
  };
  expect(await outcomeOf(read())).toEqual(end);
  expect(items).toEqual(expected);
  expect(attempts).toMatchObject(sent);
});

const invalid = problem(422, "invalid-input", {}, { errors });
const unwell = { "X-Operation": "test.health", "Retry-After": "0" };
const failing = send(503, "application/json", '{"status":"fail"}', unwell);
const problemType = "application/problem+json";
const location = "http://127.0.0.1:1/";
const redirect = send(307, "text/html", "", { Location: location });
const long = send(200, "application/json", "[1]", { "Content-Length": "2" });
const once = { retries: 0 };
it.each<
  [string, (client: Client) => Promise<unknown>, Step[], unknown, number, Partial<ClientSettings>?]
>([
  ["closed before the request is retried", query, ["reset", fine], OK, 2],
  ["closed in the body is retried", query, [half, fine], OK, 2],
  [
    "429 with Retry-After is retried",
    query,
    [problem(429, "rate-limited", { "Retry-After": "0" }), fine],
    OK,
    2,
  ],
  [
    "503 of a gateway is retried",
    query,
    [send(503, "text/html", "<h1>", { "Retry-After": "soon" }), fine],
    OK,
    2,
  ],
  ["503, of a command with a key, is retried", withKey, [busy("0"), "close", json({})], {}, 3],
  ["closed for ever is retried twice", query, ["close"], lost(), 3],
  ["503 for too long is not retried", query, [busy("3600")], busyFor(3_600_000), 1],
  [
    "ends once its pauses are too long",
    query,
    [busy("1")],
    busyFor(1_000),
    2,
    { retries: 9, maxWaitMs: 1_500 },
  ],
  [
    "500 is not retried",
    query,
    [problem(500, "internal-error")],
    rejected("sysinfo", 500, "internal-error"),
    1,
  ],
  [
    "closed, of a command, is not retried",
    command,
    [half],
    lost("user.create", { status: 200 }),
    1,
  ],
  ["503, of a command, is not retried", command, [busy("0")], busyFor(0, "user.create"), 1],
  [
    "has each fault of an input",
    list,
    [invalid],
    rejected("user.list", 422, "invalid-input", {
      errors,
      message: `user.list: invalid-input: So it is. ${named}`,
    }),
    1,
  ],
  ["503 is a health that fails", health, [failing], { status: "fail" }, 1],
  ["is no HTTP", query, [{ bytes: "NONSENSE\r\n\r\n" }], lost(), 1, once],
  ["has a body longer than its length", query, [long], unexpected(200, "application/json [1"), 1],
  [
    "is a gateway's page",
    query,
    [send(502, "text/html", "<h1>Bad")],
    unexpected(502, "text/html <h1>Bad"),
    1,
  ],
  [
    "is broken JSON",
    query,
    [send(200, "application/json", "{")],
    unexpected(200, "application/json {"),
    1,
  ],
  [
    "is a problem without a code",
    query,
    [send(400, problemType, "{}")],
    unexpected(400, `${problemType} {}`),
    1,
  ],
  ["is a redirect", query, [redirect], unexpected(307, `text/html to ${location}`), 1],
])("a response %s", async (_, call, script, expected, requests, settings) => {
  const { client, expectSame } = await scripted(script, settings);
  expect(await outcomeOf(call(client))).toEqual(expected);
  expectSame(requests);
});

const late = (status?: number) =>
  failure("sysinfo", "timeout", "no complete response in time", { status });
it.each<[string, Step[], object, number]>([
  ["never begins", ["stall"], late(), 1],
  ["trickles its body", [{ ...half, after: "trickle" }], late(200), 1],
  ["is late twice, and then retried,", ["stall", { ...half, after: "stall" }, fine], OK, 3],
])("a response that %s ends in time", (_, script, expected, requests) =>
  withMoreTime(async (timeoutMs) => {
    const { client, expectSame } = await scripted(script, { timeoutMs, retries: requests - 1 });
    expect(await outcomeOf(query(client))).toEqual(expected);
    expectSame(requests);
  }),
);

it.each<[string, Step, () => AbortSignal, number | null]>([
  ["before it is sent", "stall", () => AbortSignal.abort(), 0],
  // How many requests arrive before that is a matter of time.
  ["during an attempt", "stall", () => AbortSignal.timeout(200), null],
  ["between two attempts", busy("3600"), () => AbortSignal.timeout(200), null],
])("ends a call that its caller aborts %s", async (_, step, signal, requests) => {
  const { client, attempts, expectSame } = await scripted([step], { maxWaitMs: 7_200_000 });
  const outcome = await outcomeOf(client.call("sysinfo", {}, { signal: signal() }));
  expect(outcome).toEqual(failure("sysinfo", "aborted", "aborted"));
  expectSame(requests ?? attempts.length);
});
