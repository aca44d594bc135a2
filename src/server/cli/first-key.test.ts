import { mkdirSync, readFileSync, rmSync, statSync, symlinkSync } from "node:fs";
import { dirname } from "node:path";
import { beforeEach, describe, expect, it, onTestFinished } from "vitest";
import { contract } from "../../../generated/contract.ts";
import { firstKeyFile, readConfig } from "../../test/atpoint.ts";
import { databasesUnderTest, fresh, migrated } from "../../test/databases.ts";
import { patience } from "../../test/patience.ts";
import { hashKey } from "../key-form.ts";
import { databaseFolder, sqlitePath } from "../storage/address.ts";
import type { Storage } from "../storage/storage.ts";
import { firstKey } from "./first-key.ts";

const { scopes } = contract;

describe.each(databasesUnderTest())("firstKey on $name", (kind) => {
  let url: string;
  let file: string;
  let storage: Storage;
  let printed: string;

  beforeEach(async () => {
    await another();
    printed = "";
  });
  async function another() {
    ({ url } = await fresh(kind));
    const its = firstKeyFile(url);
    file = its;
    onTestFinished(() => rmSync(its, { recursive: true, force: true }));
    storage = await migrated(url);
  }

  const make = (tty: boolean, env: NodeJS.ProcessEnv = {}) => {
    const config = readConfig({ ...patience, PLATFORMS: "web,ios", ...env, DATABASE_URL: url });
    const print = (text: string) => {
      printed += text;
    };
    return firstKey({ contract, storage, config, url: "http://127.0.0.1:3000", tty, print });
  };

  it("shows the key on a terminal, once, with a line to try it", async () => {
    await make(true);
    const [key = ""] = /atp_[0-9a-f]{48}/.exec(printed) ?? [];
    expect(await storage.keys.findByHash(hashKey(key))).toMatchObject({
      name: "first",
      scopes,
      platforms: ["web", "ios"],
    });
    const headers = `-H 'X-API-KEY: ${key}' -H 'X-PLATFORM: web'`;
    expect(printed).toContain(`\n  curl ${headers} 'http://127.0.0.1:3000/api/?@=test.health'\n`);

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

  it("leaves that of another database, also of one in the same folder", async () => {
    await make(false);
    const [before, key] = [file, readFileSync(file, "utf8")];
    await another();
    await make(false);
    expect(readFileSync(before, "utf8")).toBe(key);
    expect(await storage.keys.findByHash(hashKey(readFileSync(file, "utf8").trim()))).not.toBeNull();
  });

  it("makes no key when the file cannot be written", async () => {
    mkdirSync(file, { recursive: true });
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

describe("firstKeyFile", () => {
  it.each([
    ["sqlite:data/atpoint.sqlite", "data/first-key"],
    ["sqlite:/var/lib/atpoint/atpoint.sqlite", "/var/lib/atpoint/first-key"],
    ["sqlite:data/other.sqlite", "data/other.sqlite.first-key"],
    ["postgres://ada:s3cret@db.example.com/atpoint", "data/first-key-db.example.com-5432-atpoint"],
    ["postgres://127.0.0.1:5433/atpoint?sslmode=disable", "data/first-key-127.0.0.1-5433-atpoint"],
    ["postgres:///atpoint?host=/var/run/pg&port=1", "data/first-key-%2Fvar%2Frun%2Fpg-1-atpoint"],
    ["postgres://ada@[::1]", "data/first-key-%3A%3A1-5432-ada"],
    ["postgres://h/a?options=-csearch_path%3Db", "data/first-key-h-5432-a--csearch_path%3Db"],
  ])("of %s is %s", (url, file) => {
    expect(firstKeyFile(url)).toBe(file);
  });

  it("is next to the file that a link names, since the link may name another one later", async () => {
    const { url } = await fresh();
    await migrated(url);
    const link = `${dirname(sqlitePath(url) ?? "")}/atpoint.sqlite`;
    symlinkSync(sqlitePath(url) ?? "", link);
    expect(firstKeyFile(`sqlite:${link}`)).toBe(firstKeyFile(url));
  });
});

describe("databaseFolder", () => {
  it("is the folder of the SQLite file, or data", () => {
    expect(databaseFolder("sqlite:/var/lib/atpoint/a.sqlite")).toBe("/var/lib/atpoint");
    expect(databaseFolder("postgres://host/atpoint")).toBe("data");
  });
});
