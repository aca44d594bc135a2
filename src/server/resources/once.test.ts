// Commands of every kind under a key, in a service that creates, renames and deletes things.
import { setImmediate as turn } from "node:timers/promises";
import { describe, expect, it, onTestFinished } from "vitest";
import { contract } from "../../../generated/contract.ts";
import { readConfig } from "../../test/atpoint.ts";
import { databasesAndDefaults, fresh } from "../../test/databases.ts";
import { BOUND_MS, patience, withMoreTime } from "../../test/patience.ts";
import { Problem } from "../problem.ts";
import { HandlerResponse } from "../response/response.ts";
import type { Transaction } from "../storage/database.ts";
import type { Id } from "../storage/driver.ts";
import type { Migration } from "../storage/migrate.ts";
import { protocolMigrations } from "../storage/protocol-migrations.ts";
import { openStorage } from "../storage/storage.ts";
import { forgetResponses, openIdempotencyKeys } from "./idempotency.ts";

const caller = { keyId: "k-1", name: "test", scopes: [], platforms: [] };
const answers = [{ status: 200, mediaTypes: ["application/json"] }];

/** A service whose things have ids that the database makes. */
const thingsTable: Migration = {
  name: "001-things",
  tables: ["things"],
  up: (database) =>
    database.schema.createTable("things", (table) => {
      table.increments("id");
      table.text("name").notNullable().unique();
      table.integer("version").notNullable();
    }),
};
const migrations = [...protocolMigrations, thingsTable];

describe.each(databasesAndDefaults())("a command under a key on $name", (kind) => {
  async function opened(url: string) {
    const config = readConfig({ ...patience, DATABASE_URL: url });
    const storage = openStorage(config, { migrations, contract });
    onTestFinished(() => storage.close());
    await storage.migrate();
    const { database } = storage;
    const { once } = openIdempotencyKeys(database, 86_400_000);
    const call = (id: string, key: string, input = {}, deadline = performance.now() + BOUND_MS) => {
      const operation = { id, input: {}, takesIdempotencyKey: true, answers };
      const entry = { caller, idempotencyKey: key, now: () => new Date(), deadline };
      return { operation, input, ...entry };
    };
    return {
      database,
      once,
      call,
      create: (key: string, name: string) =>
        once(
          call("thing.create", key, { name }),
          { record: ({ id }: { id: number }) => id },
          async (tx) => {
            const [row]: { id: number }[] = await tx.write((knex) =>
              knex("things").insert({ name, version: 1 }).returning("id"),
            );
            return { id: row?.id ?? 0, name };
          },
        ),
      rename: (key: string, id: number, name: string) =>
        once(call("thing.rename", key, { id, name }), { record: id }, async (tx) => {
          const [renamed]: { version: number }[] = await tx.write((knex) =>
            knex("things")
              .where({ id })
              .update({ name, version: knex.raw("version + 1") })
              .returning("version"),
          );
          if (!renamed) throw new Problem("thing-not-found");
          return { id, name, version: renamed.version };
        }),
      remove: (key: string, id: number) =>
        once(call("thing.delete", key, { id }), { record: id }, (tx) =>
          tx.transaction(async ({ write }) => {
            const removed = await write((knex) => knex("things").where({ id }).delete());
            if (removed === 0) throw new Problem("thing-not-found");
            await write(forgetResponses([id]));
            return { deleted: true };
          }),
        ),
      things: () => database.read((knex) => knex("things").select().orderBy("id")),
      rows: () => database.read((knex) => knex("idempotency_keys").select()),
    };
  }
  const service = async () => opened((await fresh(kind)).url);
  const replayed = (body: object, status = 200) => ({
    parts: {
      status,
      mediaType: "application/json",
      headers: { "Idempotent-Replayed": "true" },
      json: JSON.stringify(body),
    },
  });
  const notFound = { code: "thing-not-found" };

  it("gets the first response again, of an update too, and changes nothing", async () => {
    const { create, rename, things } = await service();
    await create("c", "one");
    expect(await rename("u", 1, "two")).toEqual({ id: 1, name: "two", version: 2 });
    await rename("other", 1, "three");
    expect(await rename("u", 1, "two")).toMatchObject(replayed({ id: 1, name: "two", version: 2 }));
    expect(await create("c", "one")).toMatchObject(replayed({ id: 1, name: "one" }));
    expect(await things()).toEqual([{ id: 1, name: "three", version: 3 }]);
    await expect(rename("u", 1, "four")).rejects.toMatchObject({ code: "idempotency-key-reused" });
  });

  it("gets the first response of a delete again, and not those of what it deleted", async () => {
    const { create, rename, remove, rows, things } = await service();
    await create("c", "Ada");
    await create("c2", "Bob");
    await rename("u", 1, "Eve");
    expect(await remove("d", 1)).toEqual({ deleted: true });
    const stored = JSON.stringify(await rows());
    expect(stored).not.toMatch(/Ada|Eve/);
    expect(stored).toContain("Bob");
    expect(await remove("d", 1)).toMatchObject(replayed({ deleted: true }));
    await expect(remove("d2", 1)).rejects.toMatchObject(notFound);
    // Their keys count no more: the commands are carried out again.
    await expect(rename("u", 1, "Eve")).rejects.toMatchObject(notFound);
    expect(await create("c", "Ada")).toEqual({ id: 3, name: "Ada" });
    expect(await create("c", "Ada")).toMatchObject(replayed({ id: 3, name: "Ada" }));
    expect(await things()).toHaveLength(2);
  });

  it("leaves no response behind when its record is deleted while it runs", async () => {
    const { create, rename, remove, rows } = await service();
    for (const key of ["1", "2", "3", "4", "5"]) {
      const id = Number(key);
      await create(`c${key}`, `one${key}`);
      const both = [rename(`u${key}`, id, `two${key}`), remove(`d${key}`, id)];
      await Promise.allSettled(both);
    }
    const stored = JSON.stringify(await rows());
    expect(stored.match(/deleted/g)).toHaveLength(5);
    expect(stored).not.toMatch(/one|two/);
  });

  it("names the record of a create for a release that looks it up", async () => {
    const { create, rows } = await service();
    await create("c", "one");
    expect(await rows()).toMatchObject([{ resource_id: "1", status: 200 }]);
  });

  it("leaves the key free when it is rejected, and changes nothing", async () => {
    const { create, rename, rows, things, once, call } = await service();
    await create("c", "one");
    await expect(rename("u", 2, "two")).rejects.toMatchObject(notFound);
    await expect(rename("u", 1, null as never)).rejects.toThrow();
    expect(await things()).toEqual([{ id: 1, name: "one", version: 1 }]);
    const conflict = new HandlerResponse({ status: 409, mediaType: "text/plain", body: "no" });
    const returned = await once(call("thing.x", "x"), { record: 1 }, async () => conflict);
    expect([returned, (await rows()).length]).toEqual([conflict, 1]);
    expect(await rename("u", 1, "two")).toMatchObject({ name: "two" });
  });

  it("is carried out once by one of many twins, in two services", async () => {
    const { url } = await fresh(kind);
    const services = [await opened(url), await opened(url)];
    await services[0]?.create("c", "one");
    const twins = Array.from({ length: 10 }, () =>
      services.map(({ rename }) => rename("u", 1, "two")),
    );
    const responses = await Promise.all(twins.flat());
    const body = { id: 1, name: "two", version: 2 };
    expect(responses.filter((response) => !(response instanceof HandlerResponse))).toEqual([body]);
    for (const response of responses)
      if (response instanceof HandlerResponse) expect(response).toMatchObject(replayed(body));
    expect(await services[0]?.things()).toEqual([{ id: 1, name: "two", version: 2 }]);
  });

  it("repeats a status, a media type and headers, for ids of any type", async () => {
    const { once, call } = await service();
    const first = new HandlerResponse({
      status: 202,
      mediaType: "text/plain",
      headers: { "X-Mark": "é" },
      body: "später",
    });
    const ids: readonly Id[] = [7, "a b", "019c1395-e200-7000-8000-0123456789ab"];
    for (const record of ids) {
      const key = `k${ids.indexOf(record)}`;
      const send = () => once(call("thing.y", key), { record }, async () => first);
      expect(await send()).toBe(first);
      const headers = { "X-Mark": "é", "Idempotent-Replayed": "true" };
      expect(await send()).toMatchObject({ parts: { ...first.parts, headers } });
    }
  });

  it("stores 64 KiB, and fails with more rather than be carried out twice", async () => {
    const { once, call, rows } = await service();
    const send = (key: string, size: number) =>
      once(call("thing.z", key), { record: 1 }, async () => ({ text: "x".repeat(size) }));
    const around = '{"Content-Type":"application/json"}{"text":""}'.length;
    await send("k", 65_536 - around);
    expect(await send("k", 65_536 - around)).toBeInstanceOf(HandlerResponse);
    await expect(send("k2", 65_537 - around)).rejects.toThrow("65537 bytes");
    expect(await rows()).toHaveLength(1);
  });

  it("ends at its deadline, whatever else it waits for, and frees the database", () =>
    withMoreTime(async (milliseconds) => {
      const { once, call, create, rows, things } = await service();
      const ended: unknown[] = [];
      const work = async (tx: Transaction) => {
        await tx.write((knex) => knex("things").insert({ name: "late", version: 1 }));
        while ((await rows()).length === 0) await turn();
        return tx.write((knex) => knex("things").insert({ name: "later", version: 1 }));
      };
      const deadline = performance.now() + milliseconds;
      const late = once(call("thing.l", "l", {}, deadline), { record: 1 }, (tx) => {
        const working = work(tx);
        ended.push(working.catch((error: unknown) => error));
        return working;
      });
      await expect(late).rejects.toMatchObject({ name: "StorageUnavailable" });
      await create("c", "one");
      expect(await Promise.all(ended)).toEqual([expect.any(Error)]);
      expect(await things()).toMatchObject([{ name: "one" }]);
    }));

  it("needs no transaction without a key, and stores nothing then", async () => {
    const { once, call, create, rename, rows, things } = await service();
    await create("", "one");
    await rename("", 1, "two");
    const before = performance.now() - 1;
    const late = once(call("thing.l", "", {}, before), { record: 1 }, async (tx) => {
      expect(tx.isTransaction).toBe(false);
      await tx.write((knex) => knex("things").delete());
    });
    await expect(late).rejects.toMatchObject({ name: "StorageUnavailable" });
    expect([await rows(), await things()]).toEqual([[], [{ id: 1, name: "two", version: 2 }]]);
  });
});
