import { expect, it } from "vitest";
import { ForeignKeyViolation, UniqueViolation, withStorageErrors } from "./errors.ts";

const withCode = (code: string) => Object.assign(new Error("any"), { code });
const isUnavailable = (error: unknown) =>
  withStorageErrors(() => Promise.reject(error)).catch((thrown: unknown) => thrown !== error);

const unavailable = `
  SQLITE_BUSY SQLITE_BUSY_SNAPSHOT SQLITE_CANTOPEN SQLITE_IOERR SQLITE_FULL SQLITE_READONLY
  SQLITE_CORRUPT SQLITE_NOTADB 08006 53300 57014 57P01 58030 XX000 28P01 3D000 3F000 25006 40001
  40P01 42501 42P01 55000 55006 55P03 25P03 25P04
  ECONNREFUSED ECONNRESET ENOTFOUND EPIPE ETIMEDOUT EHOSTUNREACH CERT_HAS_EXPIRED
  DEPTH_ZERO_SELF_SIGNED_CERT
  UNABLE_TO_VERIFY_LEAF_SIGNATURE ERR_TLS_CERT_ALTNAME_INVALID`;
const bugs =
  "SQLITE_CONSTRAINT SQLITE_ERROR 23514 42601 42703 22P02 25001 25P02 40002 ERR_INVALID_ARG_TYPE";

it.each([
  ["is unavailable", unavailable, true],
  ["has a bug", bugs, false],
])("a storage %s with: %s", async (_, codes, expected) => {
  for (const code of codes.trim().split(/\s+/))
    expect([code, await isUnavailable(withCode(code))]).toEqual([code, expected]);
});

it("knows what the drivers say without a code", async () => {
  const pool = Object.assign(new Error("any"), { name: "KnexTimeoutError" });
  const messages = [
    "timeout expired",
    "select 1 - Query read timeout",
    "Connection terminated unexpectedly",
    "Client was closed and is not queryable",
    "The server does not support SSL connections",
    "SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string",
  ];
  for (const error of [pool, ...messages.map((message) => new Error(message))])
    expect([error, await isUnavailable(error)]).toEqual([error, true]);
  for (const bug of [new TypeError("x is not a function"), "not an error"])
    expect(await isUnavailable(bug)).toBe(false);
});

it.each([
  [UniqueViolation, "23505", "any"],
  [UniqueViolation, "SQLITE_CONSTRAINT", "x - SQLITE_CONSTRAINT: UNIQUE constraint failed: a.b"],
  [ForeignKeyViolation, "23503", "any"],
  [ForeignKeyViolation, "23001", "any"],
  [ForeignKeyViolation, "SQLITE_CONSTRAINT", "SQLITE_CONSTRAINT: FOREIGN KEY constraint failed"],
])("is a $name for %s", async (kind, code, message) => {
  const cause = Object.assign(new Error(message), { code });
  const thrown = await withStorageErrors(() => Promise.reject(cause)).catch((error) => error);
  expect(thrown).toBeInstanceOf(kind);
  expect(thrown.cause).toBe(cause);
});
