import supertest from "supertest";
import { describe, expect, it } from "vitest";
import { databasesUnderTest, keyIn, opened } from "../test/databases.ts";
import { start } from "../test/running-service.ts";
import { BAD, documentOf, get, send } from "../test/wire.ts";

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
    const { database: freshDatabase, service, asCaller } = await serving({}, database);
    await asCaller.get("/api/?@=user.list").expect(200);
    await service.close();
    expect(
      (await opened(freshDatabase.url).keys.list()).map(({ lastUsedAt }) => lastUsedAt),
    ).toEqual([expect.any(Date)]);
  });

  it("responds with 503 while the storage is unavailable", async () => {
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
    ] as const;
    const line = { requestId: "line-1", method: "GET", operation: "user.list", status: 200 };
    const rejected = { operation: null, status: 400, keyId: null, durationMs: expect.any(Number) };
    const malformed = { ...rejected, code: "malformed-request" };
    expect((await logged()).filter(({ msg }) => msg === "request")).toMatchObject([
      { ...line, code: null, keyId: expect.any(String), durationMs: expect.any(Number) },
      { operation: "user.create", status: 201 },
      { ...rejected, status: 404, code: "operation-not-found" },
      { ...malformed, method: null, requestId: unread[0].requestId },
      { ...malformed, method: "GET", requestId: unread[1].requestId },
    ]);
    expect(JSON.stringify(await logged())).not.toMatch(new RegExp(`${key}|limit|canary`));
  });

  it("logs a response that breaks the contract, and none of its values", async () => {
    const { database, asCaller, logged } = await serving({ NODE_ENV: "development" });
    const row =
      "'01890a5d-ac96-774b-bcce-b302099a8057', ' Canaria ', 'no address', 'canaria', " +
      "'2026-01-01T00:00:00.000Z'";
    await database.run(
      `insert into users (id, name, email, email_key, created_at) values (${row})`,
    );
    await asCaller.get("/api/?@=user.list").set("X-Request-Id", "odd-1").expect(200);
    const line = (await logged()).find(({ msg }) => msg === "undocumented response");
    expect(line).toMatchObject({ requestId: "odd-1", operation: "user.list" });
    expect(String(line?.faults)).toMatch(/^#\/items\/0\/(name|email) must /);
    expect(JSON.stringify(await logged())).not.toMatch(/canaria|no address/i);
  });

  it.each([
    ["of its deployments", undefined],
    ["where it listens, not port 0, when no deployment is configured", ""],
  ])("names the addresses %s", async (_, DEPLOYMENT_URLS) => {
    const { api, service } = await serving(DEPLOYMENT_URLS === "" ? { DEPLOYMENT_URLS } : {});
    const urls =
      DEPLOYMENT_URLS === "" ? [service.url] : ["https://one.example", "https://two.example/v3"];
    const { body } = await api.get("/openapi.json").expect(200);
    expect(body.servers.map(({ url }: { url: string }) => url)).toEqual(urls);
    const rejection = await api.get("/nowhere").expect(404);
    expect(rejection.body.type).toBe(`${urls[0]}/api/?@=docs.get.problems#path-not-found`);
  });

  const mayBe = "must be an e-mail address such as ada@example.com; ASCII, at most 254 characters";
  const form = "in the form that docs.get.reference gives for it";
  const create = (data: object, envelope = {}) => ({ "@": "user.create", data, ...envelope });
  const eve = (email: string) => create({ name: "Eve", email });
  const takes = "has members that are not known; allowed are";

  it.each([
    ["ada", mayBe],
    ["x".repeat(300), mayBe],
    ["é@example.com", `${mayBe}, ${form}`],
    [`a@${"a.".repeat(200)}com`, "must have at most 254 characters"],
  ])("says what an e-mail address is: %s", async (email, detail) => {
    const { asCaller } = await serving();
    const { body } = await asCaller.post("/api/").send(eve(email)).expect(422);
    expect(body.errors).toEqual([{ pointer: "#/data/email", detail }]);
  });

  it("names what an unknown name may mean, and no other text that was sent", async () => {
    const { asCaller } = await serving();
    const query = await asCaller.get("/api/?@=user.list&limt=1&cursr=2&canary=3").expect(422);
    const limits = "has parameters that are not known; allowed are limit, cursor";
    const detail = `${limits}; did you mean limit, cursor?`;
    expect(query.body.errors).toEqual([{ pointer: "#", detail }]);
    const ada = create({ name: "Ada", emial: "ada@example.com" }, { date: 1, canary: 2 });
    const { body } = await asCaller.post("/api/").send(ada).expect(422);
    expect(body.errors).toEqual([
      { pointer: "#", detail: `${takes} @, data; did you mean data?` },
      { pointer: "#/data/email", detail: "is required" },
      { pointer: "#/data", detail: `${takes} name, email; did you mean email?` },
    ]);
    const unknown = await asCaller.get("/api/?@=User.lst").expect(404);
    expect(unknown.body.detail).toBe("No operation has this name; did you mean user.list?");
    const far = await asCaller.get("/api/?@=canary").expect(404);
    expect(far.body.detail).toBe("No operation has this name; docs.get.reference lists them.");
  });

  it("names the scope that a key lacks, and the headers that a body has to have", async () => {
    const { service, asCaller } = await serving();
    const lacking = { "X-API-KEY": await keyIn(service.storage.keys, "users:read") };
    const post = () => asCaller.post("/api/").set("Content-Type", "application/json");
    const forbidden = await post().set(lacking).send(eve("eve@example.com")).expect(403);
    expect(forbidden.body.detail).toBe(
      "The API key lacks the scope users:write. Ask the operator for a key that has it.",
    );
    const typed = await post().set("Content-Type", "text/plain").send("{}").expect(415);
    expect(typed.body.detail).toBe(
      "The body must be JSON in UTF-8. Send the header Content-Type: application/json.",
    );
    const coded = await post().set("Content-Encoding", "gzip").send("{}").expect(415);
    expect(coded.body.detail).toBe(
      "The body must have no content coding. Leave out the header Content-Encoding.",
    );
  });

  it("has the configured origins, platforms, proxies and limits", async () => {
    const { api, asCaller } = await serving({
      CORS_ORIGINS: "https://app.example.com",
      PLATFORMS: "ios",
      TRUST_PROXY_HOPS: "1",
      MAX_JSON_PARTS: "7",
    });
    const sent = { Origin: "https://app.example.com", "X-Forwarded-For": "192.0.2.1, 192.0.2.2" };
    const { headers, body } = await api.get("/api/?@=sysinfo").set(sent);
    expect(headers).toMatchObject({ "access-control-allow-origin": sent.Origin, vary: "Origin" });
    expect(body.clientAddress).toBe("192.0.2.2");
    // The key names it.
    await asCaller.get("/api/?@=user.list").expect(403);
    const post = (list: number[]) => api.post("/api/").send({ "@": "none", list });
    await post([0, 0, 0, 0]).expect(404);
    await post([0, 0, 0, 0, 0, 0]).expect(400);
  });
});
