import { expect, it } from "vitest";
import { databaseName, parseAddress } from "./address.ts";

const several = "names several hosts, and the driver connects to one";
const none = "is no URL: in a password";

it.each([
  ["postgres://a:5432,b:5432/db", several],
  ["postgres://u:p@a,b/db", several],
  ["postgres:///db?host=a,b", several],
  ["postgres://u:p,w@a:1,b/db?application_name=x", several],
  ["postgres://u:p,a/b@h/db", none],
  ["postgres://u:p,a@b@h:x/db", none],
])("the address %s %s", (url, fault) => {
  expect(() => parseAddress(url)).toThrow(fault);
});

it.each([
  "postgres://u:p,w@127.0.0.1:1/db",
  "postgres://127.0.0.1:1/db?options=-c%20search_path%3Da,b",
  "postgres://u@%2Ftmp%2Fa,b/db",
])("the address %s has one host", (url) => {
  expect(parseAddress(url).database).toBe("db");
});

it.each([
  ["sqlite:/a b/c.sqlite", "sqlite:/a b/c.sqlite"],
  [
    "postgres://ada:s3cret@db.example.com/atpoint?options=-csearch_path%3Db",
    "postgres://db.example.com:5432/atpoint",
  ],
  ["postgresql://[::1]:5433/a%20b?password=s3cret", "postgres://[::1]:5433/a%20b"],
  ["postgres:///atpoint?host=/tmp&user=ada", "postgres://%2Ftmp:5432/atpoint"],
])("the name of %s is %s", (url, name) => {
  expect(databaseName(url)).toBe(name);
});
