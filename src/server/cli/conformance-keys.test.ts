import { readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { dirname } from "node:path";
import { expect, it } from "vitest";
import { contract } from "../../../generated/contract.ts";
import { run } from "../../test/command.ts";
import { fresh } from "../../test/databases.ts";
import { replay } from "../../test/transcript.ts";
import { databaseFolder } from "../storage/address.ts";

const names = ["full", "noScopes", ...contract.scopes, "otherPlatform", "expired", "revoked"];

/** A database, the file for the keys next to it, and the valid keys by name. */
async function suite() {
  const env = { DATABASE_URL: (await fresh()).url };
  const valid = async (): Promise<string[]> => {
    const keys: { name: string; revokedAt?: string }[] = JSON.parse(
      (await run(env, "keys", "list", "--json")).out,
    );
    return keys.filter(({ revokedAt }) => revokedAt === undefined).map(({ name }) => name);
  };
  return { env, file: `${databaseFolder(env.DATABASE_URL)}/credentials.json`, valid };
}

it("creates no key and no database where the file cannot be written", async () => {
  const { env, file, valid } = await suite();
  writeFileSync(file, "old", { mode: 0o644 });
  await replay(env)`
    $ atpoint keys conformance --out ${file}
    ! ${file} exists. To revoke the keys in it and write new ones: --force; or name another file.
    exit 1
    $ atpoint keys conformance --out ${dirname(file)} --force
    ! ${dirname(file)} exists, and is not a file.
    exit 1`;
  expect(readFileSync(file, "utf8")).toBe("old");
  expect(readdirSync(dirname(file))).toEqual(["credentials.json"]);
  rmSync(file);
  symlinkSync("/nowhere", file);
  await run(env, "migrate");
  await replay(env)`
    $ atpoint keys conformance --out ${file} --force
    ! ${file} exists, and is not a file.
    exit 1
    $ atpoint keys conformance --out /nowhere/c.json
    ! open ENOENT /nowhere/c.json.${String(process.pid)}.new
    exit 1`;
  expect(await valid()).toEqual([]);
});

it("writes a file for its owner; --force revokes the suite's keys in it", async () => {
  const { env, file, valid } = await suite();
  const create = "keys create --name mine --scopes users:read --platforms web --json --create";
  const { out: mine } = await run(env, ...create.split(" "));
  const written = `Wrote ${names.length} keys for 30 days to ${file}: ${names.join(", ")}.`;
  await replay(env)`
    $ atpoint keys conformance --out ${file}
    ${written}`;
  const old = JSON.parse(readFileSync(file, "utf8"));
  expect(Object.keys(old)).toEqual(names);
  const { out: listed } = await run(env, "keys", "list");
  expect(listed).toMatch(/expired .*conformance expired/);
  expect(listed).toMatch(/never +none +web +conformance noScopes/);

  // It names one of ours less, and one that is not of the suite.
  writeFileSync(file, JSON.stringify({ ...old, noScopes: JSON.parse(mine) }), { mode: 0o644 });
  // But for the one that was revoked already, those that the file names.
  await replay(env)`
    $ atpoint keys conformance --out ${file} --force
    Revoked ${String(names.length - 2)} keys that ${file} named.
    ${written}`;
  const again = names.filter((name) => name !== "revoked").map((name) => `conformance ${name}`);
  expect((await valid()).sort()).toEqual(["mine", "conformance noScopes", ...again].sort());
  expect(JSON.parse(readFileSync(file, "utf8")).full).not.toEqual(old.full);
  expect(statSync(file).mode & 0o777).toBe(0o600);
  expect(readdirSync(dirname(file)).filter((name) => name.includes("credentials"))).toHaveLength(1);
});
