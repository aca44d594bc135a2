import { describe, expect, it } from "vitest";
import { readConfig } from "../config.ts";
import { databasesUnderTest, fresh, migrated } from "../test/databases.ts";
import { openAccess } from "./access.ts";
import { openDriver } from "./driver.ts";

describe.each(databasesUnderTest())("together on $name", (kind) => {
  it("fails when its end cannot be confirmed, and leaves the connection to the next", async () => {
    const { url } = await fresh(kind);
    await migrated(url);
    const driver = openDriver(readConfig({ DATABASE_URL: url }).database);
    const { together, write } = openAccess(driver);
    try {
      // What it refers to is looked for at the commit.
      const orphan = {
        id: "x",
        data_digest: "y",
        user_id: "01890a5d-ac96-774b-bcce-b302099a8057",
        created_at: new Date(0).toISOString(),
      };
      const insert = () => together((own) => own.write((database) => database("idempotency_keys").insert(orphan)));
      await expect(insert()).rejects.toThrow();
      await expect(insert()).rejects.toThrow();
      expect(await write((database) => database("idempotency_keys").delete())).toBe(0);
    } finally {
      await driver.close();
    }
  });
});
