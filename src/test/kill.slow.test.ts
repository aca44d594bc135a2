import { once } from "node:events";
import { createInterface } from "node:readline";
import { expect, it } from "vitest";
import { storesOf } from "./atpoint.ts";
import { fresh, keyIn, migrated } from "./databases.ts";
import { spawnService } from "./process.ts";

it("has every acknowledged user after it was killed", async () => {
  const { url: DATABASE_URL } = await fresh();
  const storage = await migrated(DATABASE_URL);
  const key = await keyIn(storage.keys, "users:write");
  const { child, stdout } = spawnService({ DATABASE_URL });
  const ended = once(child, "exit");
  const { url } = JSON.parse((await once(createInterface(stdout), "line"))[0]);

  const acknowledged = new Set<string>();
  const headers = { "X-API-KEY": key, "X-PLATFORM": "web", "Content-Type": "application/json" };
  /** Creates until nobody answers any more. */
  const client = async (name: string) => {
    for (let serial = 0; ; serial += 1) {
      const data = { name, email: `${name}-${serial}@example.com` };
      const body = JSON.stringify({ "@": "user.create", data });
      const answer = await fetch(`${url}/api/`, { method: "POST", headers, body }).catch(
        () => null,
      );
      if (!answer) return;
      if (answer.status === 201) acknowledged.add(data.email);
      if (acknowledged.size === 200) child.kill("SIGKILL");
    }
  };
  await Promise.all(Array.from({ length: 16 }, (_, index) => client(`c${index}`)));
  await ended;

  expect(acknowledged.size).toBeGreaterThanOrEqual(200);
  const page = await storesOf(storage).users.page({ after: null, limit: 100_000 });
  for (const { email } of JSON.parse(page.items)) acknowledged.delete(email);
  expect([...acknowledged]).toEqual([]);
});
