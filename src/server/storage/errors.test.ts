import { describe, expect, it } from "vitest";
import { withStorageErrors } from "./errors.ts";

const withCode = (code: string) => Object.assign(new Error("any"), { code });
const named = (name: string) => Object.assign(new Error("any"), { name });
const isUnavailable = (error: unknown) =>
  withStorageErrors(() => Promise.reject(error)).catch((thrown: unknown) => thrown !== error);

describe("withStorageErrors", () => {
  const sqlite = "BUSY BUSY_SNAPSHOT CANTOPEN IOERR FULL READONLY CORRUPT NOTADB"
    .split(" ")
    .map((end) => `SQLITE_${end}`);
  const postgres = "08006 53300 57014 57P01 58030 XX000 28P01 3D000 25006 40001 40P01 55P03 25P03 25P04".split(" ");
  const network = "ECONNREFUSED ECONNRESET ENOTFOUND EPIPE ETIMEDOUT EHOSTUNREACH".split(" ");
  const tls =
    "CERT_HAS_EXPIRED DEPTH_ZERO_SELF_SIGNED_CERT UNABLE_TO_VERIFY_LEAF_SIGNATURE ERR_TLS_CERT_ALTNAME_INVALID".split(
      " ",
    );
  it.each([...sqlite, ...postgres, ...network, ...tls])("takes %s as the storage being away", async (code) => {
    expect(await isUnavailable(withCode(code))).toBe(true);
  });

  const faults = "SQLITE_CONSTRAINT SQLITE_ERROR 23505 42P01 22P02 25001 25P02 40002 ERR_INVALID_ARG_TYPE";
  it.each(faults.split(" "))("lets %s pass as it is", async (code) => {
    expect(await isUnavailable(withCode(code))).toBe(false);
  });

  it("knows what the drivers say without a code", async () => {
    expect(await isUnavailable(named("KnexTimeoutError"))).toBe(true);
    for (const text of [
      "timeout expired",
      "select 1 - Query read timeout",
      "Connection terminated unexpectedly",
      "Client was closed and is not queryable",
      "The server does not support SSL connections",
      "SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string",
    ])
      expect(await isUnavailable(new Error(text))).toBe(true);
    expect(await isUnavailable(new TypeError("x is not a function"))).toBe(false);
    expect(await isUnavailable("not an error")).toBe(false);
  });

  it("keeps the cause and asks to come back in 5 s", async () => {
    const cause = withCode("ECONNREFUSED");
    await expect(withStorageErrors(() => Promise.reject(cause))).rejects.toMatchObject({
      code: "storage-unavailable",
      headers: { "Retry-After": "5" },
      cause,
    });
    expect(await withStorageErrors(async () => 1)).toBe(1);
  });
});
