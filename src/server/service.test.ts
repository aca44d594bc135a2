import { once } from "node:events";
import supertest from "supertest";
import { describe, expect, it } from "vitest";
import { databasesUnderTest, locked, opened } from "../test/databases.ts";
import { start } from "../test/running-service.ts";
import { BAD, dial, documentOf, get, post, send } from "../test/wire.ts";

/** A service, and how it is called without credentials and `asCaller`, with them. */
async function serving(...given: Parameters<typeof start>) {
  const running = await start(...given);
  const { service, key } = running;
  const asCaller = supertest.agent(service.url).set({ "X-API-KEY": key, "X-PLATFORM": "web" });
  return {
    ...running,
    api: supertest(service.url),
    asCaller,
    port: Number(new URL(service.url).port),
  };
}

const createAda = { "@": "user.create", data: { name: "Ada", email: "ada@example.com" } };
const mayHaveHappened = expect.stringContaining("may still have happened");

describe.each(databasesUnderTest())("the service on $name", (database) => {
  it("has noted when a key was last used, when it is closed", async () => {
    const { database: kept, service, asCaller } = await serving({}, database);
    await asCaller.get("/api/?@=user.list").expect(200);
    await service.close();
    expect((await opened(kept.url).keys.list()).map(({ lastUsedAt }) => lastUsedAt)).toEqual([
      expect.any(Date),
    ]);
  });

  it("says 503 with the document of test.health, and 503 storage-unavailable elsewhere, while the storage is away", async () => {
    const { service, api, asCaller, logged } = await serving({}, database);
    await asCaller.get("/api/?@=test.health").expect(200);
    await service.storage.close();
    const fail = { status: "fail", version: "3.0.3", checks: { storage: "fail" } };
    await asCaller.get("/api/?@=test.health").expect(503, fail);
    const list = await asCaller.get("/api/?@=user.list").expect(503);
    expect(list.body).toMatchObject({
      code: "storage-unavailable",
      detail: expect.not.stringContaining("happened"),
    });
    expect(list.headers["retry-after"]).toMatch(/^\d+$/);
    const { body } = await asCaller.post("/api/").send(createAda).expect(503);
    expect(body).toMatchObject({ code: "storage-unavailable", detail: mayHaveHappened });
    await api.get("/api/?@=sysinfo").expect(200);
    expect(await logged()).toContainEqual(
      expect.objectContaining({ msg: "fault", code: "storage-unavailable" }),
    );
  });

  it("gives up on an operation that takes too long, and on its statement (D13)", async () => {
    const {
      database: kept,
      asCaller,
      logged,
    } = await serving({ HANDLER_TIMEOUT_MS: "50" }, database);
    const lock = await locked(kept.url);
    const { headers, body } = await asCaller.post("/api/").send(createAda).expect(503);
    expect(body).toMatchObject({ status: 503, code: "deadline-exceeded", detail: mayHaveHappened });
    expect(headers).toMatchObject({
      "retry-after": expect.stringMatching(/^\d+$/),
      "x-operation": "user.create",
    });
    expect(await logged()).toContainEqual(
      expect.objectContaining({ msg: "fault", code: "deadline-exceeded" }),
    );
    while ((await lock.waiting()) > 0);
    await lock.release();
  });

  it("rejects what is in flight beyond the bound, on every path, and counts nobody who is still sending (D14)", async () => {
    const {
      database: kept,
      port,
      api,
      asCaller,
      logged,
    } = await serving({ MAX_IN_FLIGHT: "1" }, database);
    const lock = await locked(kept.url);
    const upload = dial(
      port,
      post("Content-Length: 9", "Content-Type: application/json").replace("/", "/api/"),
    );
    const first = asCaller.post("/api/").send(createAda).expect(201).then();
    let rejected = await api.get("/");
    while (rejected.status !== 503) rejected = await api.get("/");
    expect(rejected.body).toMatchObject({ status: 503, code: "overloaded" });
    expect(rejected.headers["retry-after"]).toBe("1");
    await lock.release();
    await first;
    await api.get("/").expect(200);
    expect((await logged()).filter(({ msg }) => msg === "fault")).toEqual([]);
    upload.socket.destroy();
  });
});

describe("the service", () => {
  it("writes one line a request, without the key, the query or the body", async () => {
    const { port, key, api, asCaller, logged } = await serving();
    const list = `/api/?@=user.list&X-API-KEY=${key}&X-PLATFORM=web&limit=17`;
    await api.get(list).set("X-Request-Id", "line-1").expect(200);
    await asCaller
      .post("/api/")
      .send({ "@": "user.create", data: { name: "Ada", email: "canary@example.com" } });
    await api.get("/api/?@=nothing-canary");
    // What never became a request.
    const unread = [
      documentOf(await send(port, BAD)),
      documentOf(await send(port, get("/", "nonsense"))),
    ];
    const rejected = { operation: null, status: 400, keyId: null, durationMs: expect.any(Number) };
    const line = {
      requestId: "line-1",
      method: "GET",
      operation: "user.list",
      status: 200,
      code: null,
    };
    expect((await logged()).filter(({ msg }) => msg === "request")).toEqual([
      expect.objectContaining({
        ...line,
        keyId: expect.any(String),
        durationMs: expect.any(Number),
      }),
      expect.objectContaining({ operation: "user.create", status: 201 }),
      expect.objectContaining({ ...rejected, status: 404, code: "operation-not-found" }),
      ...unread.map(({ requestId }, index) =>
        expect.objectContaining({
          ...rejected,
          requestId,
          method: [null, "GET"][index],
          code: "malformed-request",
        }),
      ),
    ]);
    expect(JSON.stringify(await logged())).not.toMatch(new RegExp(`${key}|limit|canary`));
  });

  it("logs an answer that breaks the contract, with the id of its request and none of its values", async () => {
    const { database, asCaller, logged } = await serving({ CHECK_ANSWERS: "log" });
    const row =
      "'01890a5d-ac96-774b-bcce-b302099a8057', ' Canaria ', 'no address', 'canaria', '2026-01-01T00:00:00.000Z'";
    await database.run(
      `insert into users (id, name, email, email_key, created_at) values (${row})`,
    );
    await asCaller.get("/api/?@=user.list").set("X-Request-Id", "odd-1").expect(200);
    const line = (await logged()).find(({ msg }) => msg === "undocumented response");
    expect(line).toMatchObject({ requestId: "odd-1", operation: "user.list" });
    expect(String(line?.faults)).toMatch(/^#\/items\/0\/(name|email) must /);
    expect(JSON.stringify(await logged())).not.toMatch(/canaria|no address/i);
  });

  it("puts the deployments' addresses into the contract, the problems and the documents", async () => {
    const { api } = await serving();
    const { body } = await api.get("/openapi.json").expect(200);
    const servers = ["https://one.example", "https://two.example/v3"].map((url) =>
      expect.objectContaining({ url }),
    );
    expect(body.servers).toEqual(servers);
    const paths = ["/openapi.yaml", "/openapi.operations.yaml", "/openapi.operations.json"];
    for (const path of [...paths, "/api/?@=docs.get.problems"]) {
      const { text, body: bytes } = await api.get(path).buffer(true).expect(200);
      const content = text ?? bytes.toString();
      expect(content).toContain("https://one.example");
      expect(content).not.toMatch(/(one|two)\.invalid/);
    }
    const rejection = await api.get("/nowhere").expect(404);
    expect(rejection.body.type).toBe("https://one.example/api/?@=docs.get.problems#path-not-found");
  });

  it("names where it listens, not port 0, when no deployment is configured", async () => {
    const { api, service } = await serving({ DEPLOYMENT_URLS: "" });
    const { body } = await api.get("/openapi.json").expect(200);
    expect(body.servers).toEqual([{ url: service.url, description: "Deployment 1" }]);
    const rejection = await api.get("/nowhere").expect(404);
    expect(rejection.body.type).toBe(`${service.url}/api/?@=docs.get.problems#path-not-found`);
  });

  it("allows the origins and the platforms that are configured, and believes as many proxies", async () => {
    const origin = "https://app.example.com";
    const { api, asCaller } = await serving({
      CORS_ORIGINS: origin,
      PLATFORMS: "ios",
      TRUST_PROXY_HOPS: "1",
    });
    const own = await api
      .get("/api/?@=sysinfo")
      .set({ Origin: origin, "X-Forwarded-For": "192.0.2.1, 192.0.2.2" });
    expect(own.headers).toMatchObject({ "access-control-allow-origin": origin, vary: "Origin" });
    expect(own.body.clientAddress).toBe("192.0.2.2");
    const theirs = {
      Origin: "https://other.example.com",
      "X-Forwarded-For": "192.0.2.2",
      Accept: "application/json",
    };
    const other = await api.get("/").set(theirs);
    expect(other.headers).not.toHaveProperty("access-control-allow-origin");
    expect(other.headers.vary).toBe("Origin, Accept");
    expect(other.body.clientAddress).toBe("192.0.2.2");
    // The key names it.
    const platform = await asCaller.get("/api/?@=user.list").expect(403);
    expect(platform.body.code).toBe("platform-not-allowed");
  });

  it("says in `detail` by which method an operation is called, and speaks of parameters where it has them", async () => {
    const { api } = await serving({ MAX_JSON_PARTS: "7" });
    const post = (name: string, more: object = {}) =>
      api.post("/api/").send({ "@": name, ...more });
    const detailOf = async (called: supertest.Test, status: number) =>
      (await called.expect(status)).body.detail;
    expect(await detailOf(api.get("/api/?@=user.create"), 405)).toBe(
      "`user.create` is called by POST.",
    );
    expect(await detailOf(post("docs.get.README"), 405)).toBe(
      "`docs.get.{name}` is called by GET.",
    );
    const unknown = await api.get("/api/?@=sysinfo&limt=3").expect(422);
    expect(unknown.body.errors).toEqual([{ pointer: "#", detail: "takes no parameters" }]);
    // As many parts as are configured: the operation is then the fault.
    await post("none", { list: [0, 0, 0, 0] }).expect(404);
    expect(await detailOf(post("none", { list: [0, 0, 0, 0, 0, 0] }), 400)).toContain("than 7 of");
  });

  it("finishes what is in flight when it closes, and begins nothing new", async () => {
    const { api, service, port } = await serving();
    const fields = ["Content-Type: application/json", "Expect: 100-continue", "Content-Length: 16"];
    const { socket, answer } = dial(port, get("/api/", ...fields).replace("GET", "POST"));
    await once(socket, "data");
    const closed = service.close();
    socket.write(`{"@": "sysinfo"}${get("/api/?@=sysinfo")}`);
    const answers = await answer;
    await closed;
    expect(answers).toMatch(/^HTTP\/1\.1 100 Continue\r\n\r\nHTTP\/1\.1 405 /);
    expect(answers).toContain("Connection: close");
    expect(answers).not.toContain("HTTP/1.1 200");
    await expect(api.get("/")).rejects.toThrow();
  });
});
