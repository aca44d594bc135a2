import { describe, expect, it } from "vitest";
import { Problem } from "../problem.ts";
import { UsageError } from "../safe-error.ts";
import { failureText } from "./failure.ts";

describe("failureText", () => {
  it("says that the database cannot be used, and of the driver's reason only the code", () => {
    const cause = Object.assign(new Error("select 'Ada' - SQLITE_IOERR: Ada"), {
      code: "SQLITE_IOERR",
      errno: 10,
    });
    expect(failureText(new Problem("storage-unavailable", { cause }))).toBe(
      "The database of DATABASE_URL cannot be used: SQLITE_IOERR",
    );
  });

  it.each([
    ["3D000", "there is no database of that name"],
    ["28P01", "the log-in was rejected"],
    ["SQLITE_CANTOPEN", "the file cannot be opened, or nothing can be written next to it"],
    ["SQLITE_NOTADB", "the file is no SQLite database"],
    ["08P01", "the pooler rejected the connection"],
    ["42501", "the role may not do that"],
    ["3F000", "the role has no schema to create tables in"],
    ["SELF_SIGNED_CERT_IN_CHAIN", "the certificate of the server is from an authority that is unknown here"],
  ])("says what %s is in words, and what to do", (code, words) => {
    const cause = Object.assign(new Error("Ada"), { code });
    const text = failureText(new Problem("storage-unavailable", { cause }));
    expect(text.startsWith(`The database of DATABASE_URL cannot be used: ${words} (${code}). `)).toBe(true);
    expect(text).not.toContain("Ada");
  });

  it("takes the code of a certificate for one of the database only where it is", () => {
    expect(failureText(Object.assign(new Error("any"), { code: "CERT_HAS_EXPIRED" }))).toBe("CERT_HAS_EXPIRED");
  });

  it("shows of a server's message an identifier, and only that", () => {
    const denied = (schema: string) =>
      failureText(Object.assign(new Error(`create … - permission denied for schema ${schema}`), { code: "42501" }));
    expect(denied("public")).toContain("create on schema public to ROLE");
    expect(denied("Ada Lovelace")).not.toContain("Ada");
  });

  it("cuts neither a path nor a message of ours", () => {
    const error = Object.assign(new Error("any"), { code: "EACCES", syscall: "open", path: "/a - b/c - d.sqlite" });
    expect(failureText(error)).toBe("open EACCES /a - b/c - d.sqlite");
    expect(failureText(new UsageError("Unknown scope - a - b"))).toBe("Unknown scope - a - b");
  });

  it("says which port is in use", () => {
    const error = Object.assign(new Error("listen EADDRINUSE"), { syscall: "listen", code: "EADDRINUSE", port: 3000 });
    expect(failureText(error)).toBe("The port 3000 is in use already: choose another one with PORT.");
  });

  it.each([
    ["listen", "EADDRNOTAVAIL"],
    ["listen", "EACCES"],
    ["getaddrinfo", "ENOTFOUND"],
  ])("names the variables when %s fails with %s, unless it was the database", (syscall, code) => {
    const error = Object.assign(new Error(`${syscall} ${code}`), { syscall, code });
    expect(failureText(error)).toBe(`Cannot listen where HOST and PORT say: ${syscall} ${code}`);
    expect(failureText(new Problem("storage-unavailable", { cause: error }))).toBe(
      `The database of DATABASE_URL cannot be used: ${syscall} ${code}`,
    );
  });

  it("says what failed for each address of a name", () => {
    const failed = (address: string) =>
      Object.assign(new Error("any"), { code: "ECONNREFUSED", syscall: "connect", address, port: 1 });
    expect(failureText(new AggregateError([failed("::1"), failed("127.0.0.1")]))).toBe(
      "connect ECONNREFUSED ::1:1, connect ECONNREFUSED 127.0.0.1:1",
    );
  });

  it("says the message of our own errors, and of others their kind and where they come from", () => {
    expect(failureText(new Problem("internal-error", { detail: "safe" }))).toBe("safe");
    expect(failureText(new TypeError("Ada is not a function"))).toMatch(
      /^TypeError at .*failure\.test\.ts:\d+:\d+\)?$/,
    );
    expect(failureText("Ada")).toBe("string");
  });
});
