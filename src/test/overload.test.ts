import { describe, expect, it } from "vitest";
import { databasesUnderTest, locked } from "./databases.ts";
import { start } from "./running-service.ts";
import { dial, documentOf, get, post, send } from "./wire.ts";

const close = "Connection: close";
const create = (key: string) => {
  const body = JSON.stringify({ "@": "user.create", data: { name: "Ada", email: "ada@example.com" } });
  const fields = [`X-API-KEY: ${key}`, "X-PLATFORM: web", "Content-Type: application/json"];
  return post(...fields, `Content-Length: ${body.length}`, close).replace("/", "/api/") + body;
};

describe.each(databasesUnderTest())("a service with too much to do, on $name", (kind) => {
  it("gives up on an operation that takes too long, and on its statement (D13)", async () => {
    const { service, database, key, logged } = await start({ HANDLER_TIMEOUT_MS: "50" }, kind);
    const lock = await locked(database.url);
    const answer = await send(Number(new URL(service.url).port), create(key));
    expect(documentOf(answer)).toMatchObject({
      status: 503,
      code: "deadline-exceeded",
      detail: expect.stringContaining("may still have happened"),
    });
    expect(answer).toMatch(/^Retry-After: \d+\r$/m);
    expect(answer).toMatch(/^X-Operation: user\.create\r$/m);
    expect(await logged()).toContainEqual(expect.objectContaining({ msg: "fault", code: "deadline-exceeded" }));
    while ((await lock.waiting()) > 0);
    await lock.release();
  });

  it("rejects what is in flight beyond the bound, on every path, and counts nobody who is still sending (D14)", async () => {
    const { service, database, key, logged } = await start({ MAX_IN_FLIGHT: "1" }, kind);
    const port = Number(new URL(service.url).port);
    const lock = await locked(database.url);
    const upload = dial(port, post("Content-Length: 9", "Content-Type: application/json").replace("/", "/api/"));
    const first = dial(port, create(key));
    let rejected = "";
    while (!rejected.includes("overloaded")) rejected = await send(port, get("/", close));
    expect(documentOf(rejected)).toMatchObject({ status: 503, code: "overloaded" });
    expect(rejected).toMatch(/^Retry-After: 1\r$/m);
    await lock.release();
    expect(await first.answer).toMatch(/^HTTP\/1\.1 201 /);
    expect(await send(port, get("/", close))).toMatch(/^HTTP\/1\.1 200 /);
    expect((await logged()).filter(({ msg }) => msg === "fault")).toEqual([]);
    upload.socket.destroy();
  });
});
