import { createHash } from "node:crypto";
import supertest from "supertest";
import { v7 as newId } from "uuid";
import { describe, expect, it, onTestFinished } from "vitest";
import { contract } from "../../../generated/contract.ts";
import { definition } from "../../service.ts";
import { readConfig, storesOf } from "../../test/atpoint.ts";
import { databasesAndDefaults, fresh, keyIn, migrated } from "../../test/databases.ts";
import { BOUND_MS, patience } from "../../test/patience.ts";
import { start } from "../../test/running-service.ts";
import { protocolMigrations } from "../storage/protocol-migrations.ts";
import { openStorage } from "../storage/storage.ts";
import { openIdempotencyKeys, sweepIdempotencyKeys } from "./idempotency.ts";

const { scopes } = contract;

const noon = Date.parse("2026-01-31T12:00:00.000Z");
const dayMs = 86_400_000;
const digest = (value: unknown) => createHash("sha256").update(JSON.stringify(value)).digest("hex");
const caller = { keyId: "k-1", name: "test", scopes: [], platforms: [] };

describe("a key, and its data", () => {
  const deadline = performance.now() + BOUND_MS;
  const call = { caller, idempotencyKey: "k", deadline };
  const operation = {
    id: "thing.put",
    input: { text: { type: "string", required: true }, about: { type: "json", required: false } },
    answers: [{ status: 201, mediaTypes: ["application/json"] }],
    takesIdempotencyKey: true,
  } as const;
  /** On a database of another service than ours. */
  async function things() {
    const config = readConfig({ ...patience, DATABASE_URL: (await fresh()).url });
    const storage = openStorage(config, { migrations: protocolMigrations, contract });
    onTestFinished(() => storage.close());
    await storage.migrate();
    const { once } = openIdempotencyKeys(storage.database, dayMs);
    return {
      storage,
      put: (input: object, id: string, after = 0) =>
        once(
          { ...call, operation, input: { ...input }, now: () => new Date(noon + after) },
          { record: id, find: async (_, found) => ({ id: found }) },
          async () => ({ id }),
        ),
    };
  }
  const [whole, absent, nothing] = [
    { text: "b", about: "c" },
    { text: "b" },
    { text: "b", about: null },
  ];

  const reused = { code: "idempotency-key-reused" };
  const of = (id: string) => ({ parts: { status: 201, json: JSON.stringify({ id }) } });

  it("is forgotten after 24 hours, to the millisecond", async () => {
    const { put } = await things();
    await put(absent, "1");
    await expect(put(whole, "2", dayMs)).rejects.toMatchObject(reused);
    expect(await put(whole, "2", dayMs + 1)).toEqual({ id: "2" });
    expect(await put(whole, "3", dayMs + 2)).toMatchObject(of("2"));
  });

  it.each<[string, object, object, boolean]>([
    ["is the same in another order", whole, { about: "c", text: "b" }, true],
    ["is the same with null twice", nothing, nothing, true],
    ["differs by a member that is null", absent, nothing, false],
    ["differs by a member that is not declared", whole, { ...whole, more: 1 }, false],
    ["differs by the value of such a member", { ...whole, more: 1 }, { ...whole, more: 2 }, false],
  ])("%s", async (_, first, second, isSame) => {
    const { put } = await things();
    await put(first, "1");
    const again = put(second, "2");
    if (isSame) expect(await again).toMatchObject(of("1"));
    else await expect(again).rejects.toMatchObject(reused);
  });

  it.each([
    ["an absent member", absent, '["b",null]'],
    ["null", nothing, '["b",null]'],
  ])("is known as release 3.1 stored it, with %s", async (_, input, stored) => {
    const { storage, put } = await things();
    await put({ text: "other" }, "1");
    const row = { data_digest: createHash("sha256").update(stored).digest("hex") };
    const noResponse = { status: null, headers: null, body: null };
    await storage.database.write((knex) =>
      knex("idempotency_keys").update({ ...row, ...noResponse }),
    );
    const replay = { status: 201, headers: { "Idempotent-Replayed": "true" }, body: { id: "1" } };
    expect(await put(input, "2")).toMatchObject({ parts: replay });
    await expect(put({ text: "other" }, "2")).rejects.toMatchObject(reused);
  });
});

describe.each(databasesAndDefaults())("idempotency keys on $name", (kind) => {
  const serving = async (DATABASE_URL: string) => (await start({ DATABASE_URL })).service;
  const create = (url: string, key: string, email: string) =>
    supertest(url)
      .post("/api/")
      .set({ "X-API-KEY": key, "X-PLATFORM": "web", "Idempotency-Key": "twin" })
      .send({ "@": "user.create", data: { name: "Ada", email } });

  it("let one of many twins create, on two services, and after a restart too", async () => {
    const { url } = await fresh(kind);
    const services = [await serving(url), await serving(url)];
    const [firstService] = services;
    if (!firstService) return expect.unreachable();
    const key = await keyIn(firstService.storage.keys, ...scopes);
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
  });

  it("of the release before count, and go with their users", async () => {
    const { url } = await fresh(kind);
    const config = readConfig({ ...patience, DATABASE_URL: url });
    const migrations = definition.migrations.filter(({ name }) => name < "004");
    const former = openStorage(config, { migrations, contract });
    await former.migrate();
    const createdAt = new Date(noon);
    const [ada, bob] = ["ada", "bob"].map((name) => ({ id: newId(), name, createdAt }));
    if (!ada || !bob) return expect.unreachable();
    for (const { id, name } of [ada, bob]) {
      const [email, created_at] = [`${name}@example.com`, createdAt.toISOString()];
      const user = { id, name, email, email_key: email, created_at };
      const key = { id: digest([null, "user.create", name]), data_digest: digest([name, email]) };
      const row = { ...key, user_id: id, created_at };
      await former.database.transaction(async ({ write }) => {
        await write((knex) => knex("idempotency_keys").insert(row));
        await write((knex) => knex("users").insert(user));
      });
    }
    await former.close();
    const { database } = await migrated(url);
    const { users } = storesOf({ database });
    const again = (name: string) =>
      users.insertOnce({ name, email: `${name}@example.com`, createdAt }, name);
    const body = { id: ada.id, name: "ada", email: "ada@example.com" };
    expect(await again(ada.name)).toMatchObject({ replayed: { status: 201, body } });
    await users.remove([bob.id]);
    const keys: unknown[] = await database.read((knex) => knex("idempotency_keys").select());
    expect(keys).toMatchObject([{ user_id: ada.id }]);
    expect(await again(bob.name)).toMatchObject({ name: "bob" });
    // The release before finds by its own column what this one has created.
    const created: unknown[] = await database.read((knex) =>
      knex("idempotency_keys").join("users", "users.id", "user_id").select("name").orderBy("name"),
    );
    expect(created).toEqual([{ name: "ada" }, { name: "bob" }]);
  });

  it("of other commands on users have no response once these are deleted", async () => {
    const { database } = await migrated((await fresh(kind)).url);
    const { users, idempotencyKeys } = storesOf({ database });
    const ada = { name: "Ada", email: "ada@example.com", createdAt: new Date(noon) };
    const user = await users.insert(ada);
    if (!user) return expect.unreachable();
    const call = {
      operation: contract.operations["user.create"],
      input: {},
      caller,
      now: () => new Date(noon),
      deadline: performance.now() + BOUND_MS,
    };
    const send = (idempotencyKey: string, work: () => Promise<object>) =>
      idempotencyKeys.once({ ...call, idempotencyKey }, { record: user.id }, work);
    await send("update", async () => ({ email: "ada@example.com" }));
    await users.remove([user.id]);
    await send("delete", async () => ({ done: true }));
    const keys = await database.read((knex) =>
      knex("idempotency_keys").select("user_id", "body").orderBy("status"),
    );
    expect(keys).toHaveLength(2);
    expect(keys).toContainEqual({ user_id: null, body: '{"done":true}' });
    expect(keys).toContainEqual({ user_id: null, body: null });
  });

  it("go with their users, and after their time, some at a time", async () => {
    const { url } = await fresh(kind);
    const storage = await migrated(url);
    const { database } = storage;
    const { users, idempotencyKeys } = storesOf(storage);
    const once = (key: string, at: number) => {
      const user = { name: "Ada", email: `${key}@example.com`, createdAt: new Date(at) };
      return users.insertOnce(user, key);
    };
    await once("removed", noon);
    await once("old", noon - dayMs - 1);
    await once("young", noon);
    const removed = await users.find("removed@example.com");
    await users.remove([removed?.id ?? ""]);
    const rows: unknown[] = await database.read((knex) => knex("idempotency_keys").select());
    expect(JSON.stringify(rows)).toContain("young@example.com");
    expect(JSON.stringify(rows)).not.toContain("removed@example.com");
    expect(await once("removed", noon)).toMatchObject({ email: "removed@example.com" });
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
    expect(await once("young", noon)).toMatchObject({ replayed: { status: 201 } });
  });
});
