import { createServer, type RequestListener } from "node:http";
import { text } from "node:stream/consumers";
import { describe, expect, expectTypeOf, it } from "vitest";
import type { User, UserList } from "../../generated/operations.ts";
import { portOf } from "../test/process.ts";
import { start } from "../test/running-service.ts";
import { AtpointError, type ClientSettings, createClient } from "./client.ts";

const ada = { name: "Ada Lovelace", email: "ada@example.com" };

async function connected(more: Partial<ClientSettings> = {}) {
  const { service, key, logged } = await start({ SHUTDOWN_GRACE_MS: "1" });
  return { logged, client: createClient({ baseUrl: service.url, apiKey: key, platform: "web", ...more }) };
}

/** A client of something that answers as `listener` does, and how often it was asked. */
async function facing(listener: RequestListener, more: Partial<ClientSettings> = {}) {
  const asked: string[] = [];
  const server = createServer((request, response) => {
    asked.push(`${request.method} ${request.url}`);
    listener(request, response);
  });
  const baseUrl = `http://127.0.0.1:${await portOf(server)}/prefix/`;
  return { asked, baseUrl, client: createClient({ baseUrl, ...more }) };
}

/** Answers in turn, the last for good: a status, and the headers of it. */
const inTurn = (...answers: [status: number, headers: Record<string, string>, body: string][]): RequestListener => {
  let turn = 0;
  return (_, response) => {
    const [status, headers, body] = answers[Math.min(turn++, answers.length - 1)] ?? [500, {}, ""];
    response.writeHead(status, headers).end(body);
  };
};
const problem = (status: number, code: string, headers = {}): [number, Record<string, string>, string] => [
  status,
  { "Content-Type": "application/problem+json", "X-Request-Id": "id-1", ...headers },
  JSON.stringify({ code, status, detail: "So it is." }),
];
const empty: [number, Record<string, string>, string] = [200, { "Content-Type": "application/json" }, '{"items":[]}'];

const failed = (call: Promise<unknown>): Promise<AtpointError> =>
  call.then(
    () => expect.unreachable("it must fail"),
    (error) => error,
  );

describe("on the service", () => {
  it("calls every operation", async () => {
    const { client } = await connected();
    const user = await client.call("user.create", ada);
    expect(user).toMatchObject(ada);
    expect(await client.call("user.list", { limit: 10 })).toEqual({ items: [user] });
    expect(await client.call("sysinfo")).toMatchObject({ status: "Operational", requestMethod: "GET" });
    expect((await client.call("test.health")).checks.storage).toBe("pass");
    expect((await client.call("docs.list")).items[0]?.operation).toBe("docs.get.README");
    expect((await client.call("docs.get.README")).title).toBe("Atpoint");
    expect(await client.call("docs.get.README", {}, { accept: "text/markdown" })).toMatch(/^# Atpoint\n/);
  });

  it("walks a list to its end", async () => {
    const { client, logged } = await connected();
    const names = ["Ada", "Grace", "Edsger", "Barbara", "Donald"];
    for (const name of names) await client.call("user.create", { name, email: `${name}@example.com` });
    const walked: string[] = [];
    for await (const user of client.walk("user.list", { limit: 2 })) walked.push(user.name);
    expect(walked).toEqual(names);
    expect((await logged()).filter(({ operation }) => operation === "user.list")).toHaveLength(3);
  });

  it("fails with the code, the status, the request and the faults", async () => {
    const { client } = await connected();
    await client.call("user.create", ada);
    const { requestId, ...taken } = await failed(client.call("user.create", ada));
    expect(taken).toMatchObject({ operation: "user.create", kind: "problem", code: "email-taken", status: 409 });
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/);
    const invalid = await failed(client.call("user.create", { ...ada, email: "?" }));
    expect(invalid.errors).toMatchObject([{ pointer: "#/data/email" }]);
    expect(invalid.message).toMatch(/^user.create: invalid-input: /);
    expect(await failed(client.call("user.list", { limit: 0 }))).toMatchObject({ errors: [{ parameter: "limit" }] });
  });

  it("sends no credentials that it does not have", async () => {
    const { client } = await connected({ apiKey: undefined });
    expect(await failed(client.call("user.list"))).toMatchObject({ code: "credentials-missing", status: 401 });
  });
});

describe("facing trouble", () => {
  it("tries a query again, as Retry-After says", async () => {
    const busy = problem(503, "shutting-down", { "Retry-After": "0" });
    const limited = problem(429, "rate-limited", { "Retry-After": new Date(0).toUTCString() });
    const { client, asked } = await facing(inTurn(busy, limited, empty));
    expect(await client.call("user.list", { limit: 3, cursor: undefined })).toEqual({ items: [] });
    expect(asked).toEqual(Array(3).fill("GET /prefix/api/?%40=user.list&limit=3"));
  });

  it("tries again after no answer, and gives up after the retries", async () => {
    const { client, asked } = await facing((request) => request.socket.destroy(), { retries: 1 });
    const failure = await failed(client.call("sysinfo"));
    expect(failure).toMatchObject({ kind: "network", cause: expect.any(TypeError) });
    expect(asked).toHaveLength(2);
  });

  it.each([
    ["refused", inTurn(problem(503, "storage-unavailable", { "Retry-After": "0" })), "problem"],
    ["without an answer", (request) => request.socket.destroy(), "network"],
  ] satisfies [string, RequestListener, string][])("never sends a command twice, %s", async (_, listener, kind) => {
    const { client, asked } = await facing(listener);
    expect(await failed(client.call("user.create", ada))).toMatchObject({ kind });
    expect(asked).toEqual(["POST /prefix/api/"]);
  });

  it("sends a command again that has a key for that, which then has happened once", async () => {
    const { service, key } = await start({ SHUTDOWN_GRACE_MS: "1" });
    let lost = 0;
    const between = createServer(async (request, response) => {
      const { method = "", headers } = request;
      const own = Object.entries(headers).filter(([name]) => !["host", "connection", "content-length"].includes(name));
      const answer = await fetch(service.url + request.url, {
        method,
        headers: own.map(([name, value]): [string, string] => [name, String(value)]),
        body: await text(request),
      });
      if (lost++ === 0) return request.socket.destroy();
      return response.writeHead(answer.status, Object.fromEntries(answer.headers)).end(await answer.text());
    });
    const baseUrl = `http://127.0.0.1:${await portOf(between)}`;
    const client = createClient({ baseUrl, apiKey: key, platform: "web" });
    expect(await client.call("user.create", ada, { idempotencyKey: "k-1" })).toMatchObject(ada);
    expect(lost).toBe(2);
  });

  it("does not wait for longer than the call may take", async () => {
    const { client, asked } = await facing(inTurn(problem(503, "shutting-down", { "Retry-After": "60" })));
    const failure = await failed(client.call("sysinfo"));
    expect(failure).toMatchObject({ code: "shutting-down", retryAfterMs: 60_000, requestId: "id-1" });
    expect(asked).toHaveLength(1);
  });

  it("answers a health that is failing, which is no refusal", async () => {
    const body = { status: "fail", version: "3.0.3", checks: { storage: "fail" } };
    const headers = { "Content-Type": "application/json; charset=utf-8", "X-Operation": "test.health" };
    const { client, asked } = await facing(inTurn([503, { ...headers, "Retry-After": "0" }, JSON.stringify(body)]));
    expect(await client.call("test.health")).toEqual(body);
    expect(asked).toHaveLength(1);
  });

  it.each<[string, number, Record<string, string>, string]>([
    ["a page of a proxy", 502, { "Content-Type": "text/html" }, "<h1>Bad gateway</h1>"],
    ["JSON of a proxy", 500, { "Content-Type": "application/json" }, "{}"],
    ["broken JSON", 200, { "Content-Type": "application/json" }, "{"],
    ["a problem that is none", 400, { "Content-Type": "application/problem+json" }, "null"],
    ["another representation", 200, { "Content-Type": "text/html" }, "<p>"],
    ["a redirect", 307, { Location: "http://127.0.0.1:1/" }, ""],
  ])("takes %s for unexpected", async (_, status, headers, body) => {
    const { client, asked } = await facing(inTurn([status, headers, body]));
    expect(await failed(client.call("sysinfo"))).toMatchObject({ kind: "unexpected", status });
    expect(asked).toHaveLength(1);
  });

  it("ends in time", async () => {
    const { client, asked } = await facing(() => {});
    expect(await failed(client.call("sysinfo", {}, { timeoutMs: 50 }))).toMatchObject({ kind: "timeout" });
    expect(asked).toHaveLength(1);
  });

  it("is aborted by its caller: before, while it is answered, and while it waits", async () => {
    const caller = new AbortController();
    const options = { signal: caller.signal };
    const waiting = await facing(inTurn(problem(503, "shutting-down", { "Retry-After": "20" })));
    const held = await facing(() => setImmediate(() => caller.abort(new Error("enough"))));
    const calls = [waiting, held].map(({ client }) => failed(client.call("sysinfo", {}, options)));
    for (const failure of await Promise.all(calls))
      expect(failure).toMatchObject({ kind: "aborted", cause: { message: "enough" } });
    expect(await failed(held.client.call("sysinfo", {}, options))).toMatchObject({ kind: "aborted" });
    expect([waiting.asked, held.asked].map(({ length }) => length)).toEqual([1, 1]);
  });
});

it("knows a failure of one operation from others", () => {
  const failure = new AtpointError({ operation: "user.create", kind: "problem", code: "email-taken" }, "no");
  expect(AtpointError.is(failure, "user.create")).toBe(true);
  expect(AtpointError.is(failure, "user.list")).toBe(false);
  expect(AtpointError.is(new Error("user.create"), "user.create")).toBe(false);
});

// None of it runs: `npm run check:types` is what judges it.
it("has the types of the contract", () => {
  const client = createClient({ baseUrl: "" });
  const failure: unknown = null;
  const accepted = async () => {
    expectTypeOf(await client.call("user.create", ada)).toEqualTypeOf<User>();
    expectTypeOf(await client.call("user.list", {})).toEqualTypeOf<UserList>();
    expectTypeOf(await client.call("docs.get.any", {}, { accept: "text/html" })).toEqualTypeOf<string>();
    for await (const user of client.walk("user.list")) expectTypeOf(user).toEqualTypeOf<User>();
    if (AtpointError.is(failure, "docs.get.any")) expectTypeOf<"email-taken">().not.toExtend<typeof failure.code>();
    if (AtpointError.is(failure, "user.create")) expectTypeOf<"email-taken">().toExtend<typeof failure.code>();
  };
  const refused = [
    // @ts-expect-error No such operation.
    () => client.call("user.delete"),
    // @ts-expect-error No document is named.
    () => client.call("docs.get"),
    // @ts-expect-error It needs an input.
    () => client.call("user.create"),
    // @ts-expect-error It needs an e-mail address.
    () => client.call("user.create", { name: "Ada" }),
    // @ts-expect-error No such input.
    () => client.call("user.list", { page: 1 }),
    // @ts-expect-error A limit is a number.
    () => client.call("user.list", { limit: "1" }),
    // @ts-expect-error It takes nothing.
    () => client.call("sysinfo", { verbose: true }),
    // @ts-expect-error The name of a document is part of the name.
    () => client.call("docs.get.README", { name: "README" }),
    // @ts-expect-error A list is JSON only.
    () => client.call("user.list", {}, { accept: "text/html" }),
    // @ts-expect-error A user has no age.
    () => client.call("user.create", ada).then(({ age }) => age),
    // @ts-expect-error Text is no document.
    () => client.call("docs.get.README", {}, { accept: "text/markdown" }).then(({ title }) => title),
    // @ts-expect-error It has no pages.
    () => client.walk("docs.list"),
    // @ts-expect-error No code of this operation.
    () => AtpointError.is(failure, "user.list") && failure.code === "email-taken",
    // @ts-expect-error There is no deployment without an address.
    () => createClient({ apiKey: "atp_" }),
  ];
  expect([accepted, ...refused].map((call) => typeof call)).not.toContain("undefined");
});
