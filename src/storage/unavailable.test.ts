import { describe, expect, it } from "vitest";
import { orUnavailable } from "./unavailable.ts";

const withCode = (code: string) => Object.assign(new Error("any"), { code });
const named = (name: string) => Object.assign(new Error("any"), { name });
const away = (error: unknown) =>
  orUnavailable(() => Promise.reject(error)).catch((thrown: unknown) => thrown !== error);

describe("orUnavailable", () => {
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
    expect(await away(withCode(code))).toBe(true);
  });

  const faults = "SQLITE_CONSTRAINT SQLITE_ERROR 23505 42P01 22P02 25001 25P02 40002 ERR_INVALID_ARG_TYPE";
  it.each(faults.split(" "))("lets %s pass as it is", async (code) => {
    expect(await away(withCode(code))).toBe(false);
  });

  it("knows what the drivers say without a code", async () => {
    expect(await away(named("KnexTimeoutError"))).toBe(true);
    for (const text of [
      "timeout expired",
      "select 1 - Query read timeout",
      "Connection terminated unexpectedly",
      "Client was closed and is not queryable",
      "The server does not support SSL connections",
      "SASL: SCRAM-SERVER-FIRST-MESSAGE: client password must be a string",
    ])
      expect(await away(new Error(text))).toBe(true);
    expect(await away(new TypeError("x is not a function"))).toBe(false);
    expect(await away("not an error")).toBe(false);
  });

  it("keeps the cause and asks to come back in 5 s", async () => {
    const cause = withCode("ECONNREFUSED");
    await expect(orUnavailable(() => Promise.reject(cause))).rejects.toMatchObject({
      code: "storage-unavailable",
      headers: { "Retry-After": "5" },
      cause,
    });
    expect(await orUnavailable(async () => 1)).toBe(1);
  });
});
