import { once } from "node:events";
import { expect, it } from "vitest";
import { openStorage, readConfig } from "../../test/atpoint.ts";
import { withoutWarnings } from "../../test/warnings.ts";
import { parameterFaults, parametersWithoutEffect } from "./database-url.ts";

const at = "postgres://ada:s3cret@db.example.com/atpoint?";

it.each([
  ["schema=s3cret", "schema, which is not read: write options=-csearch_path%3DNAME"],
  ["sslmod=verify-full", "sslmod, which is not read: did you mean sslmode?"],
  ["sslmode=verify_full", "sslmode with another value than disable, allow, "],
  ["sslmode=verify-full&sslmode=disable", "has sslmode twice"],
  ["ssl=false", "ssl with another value than true, 1, 0, no-verify"],
  ["gssencmode=require", "gssencmode=require, and encrypts by TLS alone"],
  ["connection_limit=1", "connection_limit, which is not read: known are host, port, "],
  ["s3cret@h/db", "has a parameter, which is not read: in a password, @ : / ? # % have to be"],
])("rejects %s", (search, fault) => {
  const read = () => readConfig({ DATABASE_URL: at + search });
  expect(read).toThrow(`DATABASE_URL has ${fault.replace(/^has /, "")}`);
  expect(read).not.toThrow("s3cret");
});

it.each([
  at,
  `${at}sslmode=verify-full&sslrootcert=/a@b.pem&application_name=x&statement_timeout=`,
  `${at}options=-c%20search_path%3Da,b%20-c%20timezone%3DUTC#fragment`,
  "postgres://ada:p,w@/db?host=/tmp&port=5433",
  "postgresql://u@%2Ftmp%2Fa,b/db?ssl=no-verify",
  `${at}uselibpqcompat=true&sslmode=require&sslnegotiation=direct`,
  "sqlite:/data/is this it?.sqlite",
])("accepts %s", (url) => {
  expect([parameterFaults(url), parametersWithoutEffect(url)]).toEqual([[], []]);
});

it.each(["sqlite:data/a.sqlite?mode=ro", "sqlite:a?cache=shared&schema=b"])("rejects %s", (url) => {
  expect(() => readConfig({ DATABASE_URL: url })).toThrow(
    "DATABASE_URL has parameters, and sqlite:PATH takes none",
  );
});

it("warns once of those of libpq that have no effect", async () => {
  const without = "channel_binding=require&connect_timeout=9&gssencmode=disable&keepalives_idle=9";
  const url = `${at}sslmode=require&${without}`;
  expect(parameterFaults(url)).toEqual([]);
  expect(parametersWithoutEffect(url)).toEqual([
    "channel_binding",
    "connect_timeout",
    "gssencmode",
    "keepalives_idle",
  ]);
  withoutWarnings();
  const warned = once(process, "warning");
  await openStorage(readConfig({ DATABASE_URL: url })).close();
  const message =
    "DATABASE_URL has channel_binding, connect_timeout, gssencmode, keepalives_idle: of no " +
    "effect here.";
  expect(await warned).toMatchObject([{ message }]);
});
