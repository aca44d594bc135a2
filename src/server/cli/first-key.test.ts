import { readFileSync, rmSync } from "node:fs";
import { expect, it, onTestFinished } from "vitest";
import { contract } from "../../../generated/contract.ts";
import { firstKeyFile, readConfig } from "../../test/atpoint.ts";
import { databasesUnderTest, fresh, migrated } from "../../test/databases.ts";
import { patience } from "../../test/patience.ts";
import { hashKey } from "../key-form.ts";
import { firstKey } from "./first-key.ts";

it.each(databasesUnderTest())(
  "makes one key for processes that start at once: $name",
  async (kind) => {
    const { url } = await fresh(kind);
    const storage = await migrated(url);
    const file = firstKeyFile(url);
    onTestFinished(() => rmSync(file, { force: true }));
    const printed: string[] = [];
    const output = { tty: false, print: (text: string) => void printed.push(text) };
    const make = (NODE_ENV: string) => {
      const config = readConfig({ ...patience, PLATFORMS: "web,ios", DATABASE_URL: url, NODE_ENV });
      return firstKey(contract, config, { storage, url: "http://127.0.0.1:3000" }, output);
    };
    const { scopes } = contract;
    await make("production");
    expect(await storage.keys.count()).toBe(0);
    await Promise.all([make("test"), make("test"), make("test")]);
    const options = `--name NAME --scopes ${scopes.join(",")} --platforms web,ios`;
    const none = `There is no API key yet. To create one: atpoint keys create ${options}\n`;
    expect(printed).toEqual([none, `The first API key is in ${file}.\n`]);
    const key = await storage.keys.findByHash(hashKey(readFileSync(file, "utf8").trim()));
    expect(key).toMatchObject({ name: "first", scopes, platforms: ["web", "ios"] });
    expect(await storage.keys.count()).toBe(1);
  },
);

it.each([
  ["sqlite:data/atpoint.sqlite", "data/first-key"],
  ["sqlite:data/other.sqlite", "data/other.sqlite.first-key"],
  ["postgres://ada:s3cret@db.example.com/atpoint", "data/first-key-db.example.com-5432-atpoint"],
  ["postgres:///atpoint?host=/var/run/pg&port=1", "data/first-key-%2Fvar%2Frun%2Fpg-1-atpoint"],
  ["postgres://h/a?options=-csearch_path%3Db", "data/first-key-h-5432-a--csearch_path%3Db"],
])("keeps that of %s in %s", (url, file) => {
  expect(firstKeyFile(url)).toBe(file);
});
