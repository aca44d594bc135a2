import { mkdirSync, readFileSync, statSync } from "node:fs";
import { join } from "node:path";
import { beforeEach, describe, expect, it } from "vitest";
import { operations, scopes } from "../../generated/operations.ts";
import { readConfig } from "../config.ts";
import { hashKey } from "../keys/key.ts";
import { databaseFolder, type Storage } from "../storage/storage.ts";
import { fresh, migrated } from "../test/databases.ts";
import { patience } from "../test/patience.ts";
import { firstKey } from "./first-key.ts";

describe("firstKey", () => {
  let url: string;
  let file: string;
  let storage: Storage;
  let printed: string;

  beforeEach(async () => {
    ({ url } = await fresh());
    file = join(databaseFolder(url), "first-key");
    storage = await migrated(url);
    printed = "";
  });

  const make = (tty: boolean, env: NodeJS.ProcessEnv = {}) => {
    const config = readConfig({ ...patience, PLATFORMS: "web,ios", ...env, DATABASE_URL: url });
    const print = (text: string) => {
      printed += text;
    };
    return firstKey({ storage, config, url: "http://127.0.0.1:3000", tty, print });
  };

  it("shows the key on a terminal, once, with a line for each operation", async () => {
    await make(true);
    const [key = ""] = /atp_[0-9a-f]{48}/.exec(printed) ?? [];
    expect(await storage.keys.findByHash(hashKey(key))).toMatchObject({
      name: "first",
      scopes,
      platforms: ["web", "ios"],
    });
    expect(printed.match(/^ {2}curl /gm)).toHaveLength(Object.keys(operations).length);

    printed = "";
    await make(true);
    expect(printed).toBe("");
    expect(await storage.keys.count()).toBe(1);
  });

  it("keeps it out of a log, in a file for its owner only", async () => {
    await make(false);
    const key = readFileSync(file, "utf8").trim();
    expect(statSync(file).mode & 0o777).toBe(0o600);
    expect(await storage.keys.findByHash(hashKey(key))).not.toBeNull();
    expect(printed).toBe(`The first API key is in ${file}.\n`);
  });

  it("makes no key when the file cannot be written", async () => {
    mkdirSync(file);
    await expect(make(false)).rejects.toThrow();
    expect(await storage.keys.count()).toBe(0);
  });

  it("is made once by processes that start at once, and the file holds it", async () => {
    await Promise.all([make(false), make(false), make(false)]);
    expect(await storage.keys.findByHash(hashKey(readFileSync(file, "utf8").trim()))).not.toBeNull();
    expect(await storage.keys.count()).toBe(1);
    expect(printed).toBe(`The first API key is in ${file}.\n`);
  });

  it("only says in production how to create one", async () => {
    await make(true, { NODE_ENV: "production" });
    expect(printed).toContain(`keys create --name NAME --scopes ${scopes.join(",")} --platforms web,ios`);
    expect(await storage.keys.count()).toBe(0);
  });
});

describe("databaseFolder", () => {
  it("is the folder of the SQLite file, or data", () => {
    expect(databaseFolder("sqlite:/var/lib/atpoint/a.sqlite")).toBe("/var/lib/atpoint");
    expect(databaseFolder("postgres://host/atpoint")).toBe("data");
  });
});
