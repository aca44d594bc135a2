import { readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { contract } from "../../../generated/contract.ts";
import { run } from "../../test/command.ts";
import { fresh } from "../../test/databases.ts";
import { replay } from "../../test/transcript.ts";
import { databaseFolder } from "../storage/address.ts";

const { scopes } = contract;

const names = ["full", "noScopes", ...scopes, "otherPlatform", "expired", "revoked"];

describe("keys conformance --out", () => {
  let env: { DATABASE_URL: string };
  let folder: string;
  let file: string;
  let written: string;
  beforeEach(async () => {
    env = { DATABASE_URL: (await fresh()).url };
    folder = databaseFolder(env.DATABASE_URL);
    file = join(folder, "credentials.json");
    written = `Wrote 8 keys for 30 days to ${file}: ${names.join(", ")}.`;
  });
  const keys = async (): Promise<{ name: string; revokedAt?: string }[]> =>
    JSON.parse((await run(env, "keys", "list", "--json")).out);

  it("creates no key when the file cannot be written, whatever is there", async () => {
    await run(env, "migrate");
    for (const out of [folder, join(folder, "nowhere", "c.json")]) {
      const { code, err } = await run(env, "keys", "conformance", "--out", out);
      expect({ code, err }).toEqual({ code: 1, err: expect.stringContaining(out) });
      expect(err).not.toContain("database");
    }
    expect(await keys()).toEqual([]);
  });

  it("creates no key and no database where there is a file", async () => {
    writeFileSync(file, "old", { mode: 0o644 });
    await replay(env)`
      $ atpoint keys conformance --out ${file}
      ! ${file} exists. To revoke the keys in it and write new ones: --force; or name another file.
      exit 1`;
    expect(readFileSync(file, "utf8")).toBe("old");
    expect(readdirSync(folder)).toEqual(["credentials.json"]);
    rmSync(file);
    symlinkSync("/nowhere", file);
    await replay(env)`
      $ atpoint keys conformance --out ${file} --force
      ! ${file} exists, and is not a file.
      exit 1`;
  });

  it("writes a file for its owner only; with --force it revokes the keys of the suite that the file names", async () => {
    const create = "keys create --name mine --scopes users:read --platforms web --json";
    const { out: mine } = await run(env, ...create.split(" "));
    await replay(env)`
      $ atpoint keys conformance --out ${file}
      ${written}`;
    const old = JSON.parse(readFileSync(file, "utf8"));
    expect(Object.keys(old)).toEqual(names);
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder).filter((name) => name.includes("credentials"))).toHaveLength(1);
    const { out: listed } = await run(env, "keys", "list");
    expect(listed).toMatch(/expired .*conformance expired/);
    expect(listed).toMatch(/never +none +web +conformance noScopes/);

    // It names one of ours less, and one that is not of the suite.
    writeFileSync(file, JSON.stringify({ ...old, noScopes: JSON.parse(mine) }), { mode: 0o644 });
    // But for the one that was revoked already, those that the file names.
    await replay(env)`
      $ atpoint keys conformance --out ${file} --force
      Revoked 6 keys that ${file} named.
      ${written}`;
    const valid = (await keys()).filter(({ revokedAt }) => revokedAt === undefined).map(({ name }) => name);
    const again = names.filter((name) => name !== "revoked").map((name) => `conformance ${name}`);
    expect(valid.sort()).toEqual(["mine", "conformance noScopes", ...again].sort());
    expect(JSON.parse(readFileSync(file, "utf8")).full).not.toEqual(old.full);
    expect(statSync(file).mode & 0o777).toBe(0o600);
  });
});
