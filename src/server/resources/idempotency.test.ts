import { createHash } from "node:crypto";
import supertest from "supertest";
import { describe, expect, it, onTestFinished } from "vitest";
import { contract } from "../../../generated/contract.ts";
import { userCreate } from "../../operations/user-create.ts";
import { readConfig, startService, storesOf } from "../../test/atpoint.ts";
import { databasesAndDefaults, fresh, keyIn, migrated } from "../../test/databases.ts";
import { patience } from "../../test/patience.ts";
import { handlerContext } from "../../test/services.ts";
import { rotateKey } from "../keys/key-lifecycle.ts";
import { HandlerResponse } from "../response/response.ts";
import { protocolMigrations } from "../storage/protocol-migrations.ts";
import { openStorage } from "../storage/storage.ts";
import { onceByKey, openIdempotencyKeys, sweepIdempotencyKeys } from "./idempotency.ts";

const { scopes } = contract;

const noon = Date.parse("2026-01-31T12:00:00.000Z");
const dayMs = 86_400_000;
const caller = { keyId: "k-1", name: "test", scopes: [], platforms: [] };

it("is forgotten after 24 hours, to the millisecond", async () => {
  const context = await handlerContext({ caller, method: "POST" });
  const once = onceByKey(storesOf(context.storage).idempotencyKeys, dayMs);
  const create = (email: string, after: number) => {
    const input = { name: "Ada", email };
    const call = {
      operation: contract.operations["user.create"],
      input,
      caller,
      idempotencyKey: "k",
    };
    const now = () => new Date(noon + after);
    return userCreate(input, { ...context, now, createOnce: (creation) => once(call, creation) });
  };
  await create("a@example.com", 0);
  await expect(create("b@example.com", dayMs)).rejects.toMatchObject({
    code: "idempotency-key-reused",
  });
  expect(await create("b@example.com", dayMs + 1)).toMatchObject({ email: "b@example.com" });
  expect(await create("b@example.com", dayMs + 2)).toBeInstanceOf(HandlerResponse);
});

describe("the data of a key", () => {
  const call = { caller, idempotencyKey: "k" };
  const operation = {
    id: "thing.put",
    input: { text: { type: "string", required: true }, about: { type: "json", required: false } },
    takesIdempotencyKey: true,
  } as const;
  const createdAt = new Date(noon).toISOString();
  const creation = (id: string) => ({
    id,
    createdAt,
    insert: async () => ({ id }),
    find: async (_: unknown, found: string) => ({ id: found }),
  });
  /** On a database of another service than ours. */
  async function things() {
    const config = readConfig({ ...patience, DATABASE_URL: (await fresh()).url });
    const storage = openStorage(config, { migrations: protocolMigrations, contract });
    onTestFinished(() => storage.close());
    await storage.migrate();
    const table = { table: "idempotency_keys", column: "resource_id" };
    const once = onceByKey(openIdempotencyKeys(storage.database, table), dayMs);
    return {
      storage,
      put: (input: object, id: string) =>
        once({ ...call, operation, input: { ...input } }, creation(id)),
    };
  }
  const [whole, absent, nothing] = [
    { text: "b", about: "c" },
    { text: "b" },
    { text: "b", about: null },
  ];

  it.each<[string, object, object, boolean]>([
    ["is the same in another order", whole, { about: "c", text: "b" }, true],
    ["is the same without a member twice", absent, absent, true],
    ["is the same with null twice", nothing, nothing, true],
    ["differs by a member that is null", absent, nothing, false],
    ["differs by a member that is absent", nothing, absent, false],
    [
      "differs by null within a member",
      { ...whole, about: { c: null } },
      { ...whole, about: {} },
      false,
    ],
    ["differs by a member that is not declared", whole, { ...whole, more: 1 }, false],
    ["differs by such a member and a missing one", { text: "b", more: 1 }, absent, false],
    ["differs by the value of such a member", { ...whole, more: 1 }, { ...whole, more: 2 }, false],
    ["differs from a member that holds it", { text: "a", about: absent }, absent, false],
  ])("%s", async (_, first, second, isSame) => {
    const { put } = await things();
    await put(first, "1");
    const again = put(second, "2");
    if (isSame) expect(await again).toMatchObject({ parts: { body: { id: "1" } } });
    else await expect(again).rejects.toMatchObject({ code: "idempotency-key-reused" });
  });

  it.each([
    ["every member", whole, '["b","c"]'],
    ["an absent member", absent, '["b",null]'],
    ["null", nothing, '["b",null]'],
  ])("is known as release 3.1 stored it, with %s", async (_, input, stored) => {
    const { storage, put } = await things();
    await put({ text: "other" }, "1");
    const row = { data_digest: createHash("sha256").update(stored).digest("hex") };
    await storage.database.write((knex) => knex("idempotency_keys").update(row));
    expect(await put(input, "2")).toMatchObject({ parts: { body: { id: "1" } } });
    await expect(put({ text: "other" }, "2")).rejects.toMatchObject({
      code: "idempotency-key-reused",
    });
  });
});

describe.each(databasesAndDefaults())("idempotency keys on $name", (kind) => {
  async function serving(url: string) {
    const env = {
      DATABASE_URL: url,
      PORT: "0",
      LOG_LEVEL: "silent",
      SHUTDOWN_GRACE_MS: "1",
      CHECK_ANSWERS: "throw",
    };
    const service = await startService(readConfig({ ...patience, ...env }));
    onTestFinished(() => service.close());
    return service;
  }
  const create = (url: string, key: string, email: string) =>
    supertest(url)
      .post("/api/")
      .set({ "X-API-KEY": key, "X-PLATFORM": "web", "Idempotency-Key": "twin" })
      .send({ "@": "user.create", data: { name: "Ada", email } });

  it("let one of many twins create, on two services at once, and the others wait for its answer; a restart changes nothing", async () => {
    const { url } = await fresh(kind);
    const services = [await serving(url), await serving(url)];
    const [one] = services;
    if (!one) return expect.unreachable();
    const key = await keyIn(one.storage.keys, ...scopes);
    const twins = Array.from({ length: 20 }, () =>
      services.map((service) => create(service.url, key, "twin@example.com")),
    );
    const answers = await Promise.all(twins.flat());
    expect(new Set(answers.map(({ status, text }) => `${status} ${text}`)).size).toBe(1);
    const first = answers.filter(({ headers }) => !headers["idempotent-replayed"]);
    expect(first).toMatchObject([{ status: 201 }]);
    for (const service of services) await service.close();
    const again = await create((await serving(url)).url, key, "twin@example.com");
    expect([again.status, again.text, again.headers["idempotent-replayed"]]).toEqual([
      201,
      first[0]?.text,
      "true",
    ]);
    const other = await create((await serving(url)).url, key, "other@example.com");
    expect(other.body).toMatchObject({ status: 422, code: "idempotency-key-reused" });
  });

  it("belong to one API key: the key that `keys rotate` issues has none of them, the old one keeps its own", async () => {
    const { url } = await fresh(kind);
    const service = await serving(url);
    const { keys } = service.storage;
    const old = await keyIn(keys, ...scopes);
    const [record] = await keys.list();
    const rotation = { now: new Date(), overlapMs: 60_000, lifetimeMs: null };
    const rotated = await rotateKey(keys, record?.id ?? "", rotation);
    if (!rotated) return expect.unreachable();
    const sent = async (key: string, email: string) => {
      const { status, headers } = await create(service.url, key, email);
      return [status, headers["idempotent-replayed"]];
    };
    expect(await sent(old, "old@example.com")).toEqual([201, undefined]);
    expect(await sent(rotated.key, "new@example.com")).toEqual([201, undefined]);
    expect(await sent(old, "old@example.com")).toEqual([201, "true"]);
  });

  it("go with their users, and after their time, some at a time", async () => {
    const { url } = await fresh(kind);
    const { users, idempotencyKeys } = storesOf(await migrated(url));
    const since = new Date(noon - dayMs);
    const once = (key: string, at: number) => {
      const user = { name: "Ada", email: `${key}@example.com`, createdAt: new Date(at) };
      return users.insertOnce(user, { id: key, dataDigest: "d", since });
    };
    const removed = await once("removed", noon);
    await once("old", noon - dayMs - 1);
    await once("young", noon);
    await users.remove([removed?.resource.id ?? ""]);
    expect(await once("removed", noon)).toMatchObject({ replayed: false });
    const faults: unknown[] = [];
    const sweep = (forget: (before: Date) => Promise<number>) =>
      sweepIdempotencyKeys({
        idempotencyKeys: { forget },
        clock: { now: () => new Date(noon) },
        ttlMs: dayMs,
        onFault: (fault) => faults.push(fault),
      }).sweep();
    const forgotten: number[] = [];
    await sweep(async (before) => {
      forgotten.push(await idempotencyKeys.forget(before));
      return forgotten.length < 3 ? 500 : 0;
    });
    expect(forgotten).toEqual([1, 0, 0]);
    await sweep(() => Promise.reject(new Error("away")));
    expect(faults).toMatchObject([{ message: "away" }]);
    expect(await once("young", noon)).toMatchObject({ replayed: true });
  });
});
