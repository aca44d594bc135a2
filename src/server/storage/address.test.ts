import { describe, expect, it } from "vitest";
import { databaseName, parseAddress, sqlitePath } from "./address.ts";

describe("an address of PostgreSQL", () => {
  it.each([
    "postgres://a:5432,b:5432/db",
    "postgres://u:p@a,b/db",
    "postgres:///db?host=a,b",
    "postgres://u:p,w@a:1,b/db?application_name=x",
  ])("names several hosts: %s", (url) => {
    expect(() => parseAddress(url)).toThrow("names several hosts, and the driver connects to one");
  });

  it.each(["postgres://u:p,a/b@h/db", "postgres://u:p,a@b@h:x/db"])("is no URL: %s", (url) => {
    expect(() => parseAddress(url)).toThrow("is no URL: in a password");
  });

  it.each([
    "postgres://u:p,w@127.0.0.1:1/db",
    "postgres://127.0.0.1:1/db?options=-c%20search_path%3Da,b",
    "postgres://u@%2Ftmp%2Fa,b/db",
  ])("has one host: %s", (url) => {
    expect(parseAddress(url).database).toBe("db");
  });
});

it("has a path in a file of SQLite only", () => {
  expect(sqlitePath("sqlite:data/a.sqlite")).toBe("data/a.sqlite");
  expect(sqlitePath("postgres://host/a")).toBeNull();
});

it.each([
  ["sqlite:/a b/c.sqlite", "sqlite:/a b/c.sqlite"],
  ["postgres://ada:s3cret@db.example.com/atpoint?options=-csearch_path%3Db", "postgres://db.example.com:5432/atpoint"],
  ["postgresql://[::1]:5433/a%20b?password=s3cret", "postgres://[::1]:5433/a%20b"],
  ["postgres:///atpoint?host=/tmp&user=ada", "postgres://%2Ftmp:5432/atpoint"],
])("the name of %s is %s", (url, name) => {
  expect(databaseName(url)).toBe(name);
});
