import { describe, expect, it } from "vitest";
import { readConfig, storesOf } from "../../test/atpoint.ts";
import { databasesUnderTest, fresh, migrated, opened, sqlite } from "../../test/databases.ts";
import { patience } from "../../test/patience.ts";
import { behindProxy } from "../../test/proxy.ts";
import { openDatabase, openDriver } from "./database.ts";

const kinds = databasesUnderTest();

describe.each(kinds)("a transaction on $name", (kind) => {
  it("fails when its end cannot be confirmed, and leaves the connection to the next", async () => {
    const { url } = await fresh(kind);
    await migrated(url);
    const driver = openDriver(readConfig({ ...patience, DATABASE_URL: url }).database);
    const { transaction, write } = openDatabase(driver);
    try {
      // What it refers to is looked for at the commit.
      const orphan = {
        id: "x",
        data_digest: "y",
        user_id: "01890a5d-ac96-774b-bcce-b302099a8057",
        created_at: new Date(0).toISOString(),
      };
      const insert = () => transaction((tx) => tx.write((knex) => knex("idempotency_keys").insert(orphan)));
      await expect(insert()).rejects.toThrow();
      await expect(insert()).rejects.toThrow();
      expect(await write((knex) => knex("idempotency_keys").delete())).toBe(0);
    } finally {
      await driver.close();
    }
  });
});

describe.each(kinds.filter((kind) => kind !== sqlite))("a connection to $name that ends", (kind) => {
  /** A storage behind a proxy that closes a connection, once, instead of passing on the statement with these words. */
  async function endingAt(words: string) {
    const database = await fresh(kind);
    await migrated(database.url);
    let ended = false;
    const url = await behindProxy(database.url, (client, server) => {
      server.pipe(client);
      client.on("data", (data) => {
        if (ended || !data.includes(words)) return server.write(data);
        ended = true;
        return server.destroy();
      });
    });
    return opened(url, { DATABASE_POOL: "1" });
  }
  const once = { id: "k", dataDigest: "d", since: new Date(0) };
  const ada = { name: "Ada", email: "ada@example.com", createdAt: new Date() };
  const unconfirmed = /may still have happened/;

  it.each([
    ["BEGIN", expect.not.stringMatching(unconfirmed)],
    ['insert into "users"', expect.stringMatching(unconfirmed)],
    ["COMMIT;", expect.stringMatching(unconfirmed)],
  ])("at %s makes a create with a key storage-unavailable, to be sent again", async (words, message) => {
    const storage = await endingAt(words);
    const problem = { code: "storage-unavailable", message, headers: { "Retry-After": "5" } };
    await expect(storesOf(storage).users.insertOnce(ada, once)).rejects.toMatchObject(problem);
    const again = await storesOf(storage).users.insertOnce(ada, once);
    expect(again).toMatchObject({ resource: { email: ada.email }, replayed: false });
  });
});
