import { expect, it } from "vitest";
import { Problem } from "../problem.ts";
import { UsageError } from "../safe-error.ts";
import { failureText } from "./failure.ts";

const failed = (facts: object, message = "Ada") => Object.assign(new Error(message), facts);
const away = (cause: unknown) => new Problem("storage-unavailable", { cause });
const database = "The database of DATABASE_URL cannot be used:";
const denied = (schema: string) =>
  failed({ code: "42501" }, `create … - permission denied for schema ${schema}`);
const refused = (address: string) =>
  failed({ code: "ECONNREFUSED", syscall: "connect", address, port: 1 });
const unreachable = (syscall: string, code: string) => failed({ syscall, code });
const noListening = "Cannot listen where HOST and PORT say:";
const both = new AggregateError([refused("::1"), refused("127.0.0.1")]);
const used = { syscall: "listen", code: "EADDRINUSE", port: 3000 };

it.each<[string, unknown, string | RegExp]>([
  // Of a driver's reason only the code.
  [
    "a disk",
    away(failed({ code: "SQLITE_IOERR", errno: 10 }, "select 'Ada' - Ada")),
    `${database} SQLITE_IOERR`,
  ],
  // Of a server's message an identifier, and only that.
  ["a schema", denied("public"), /create on schema public to ROLE/],
  ["no identifier", denied("Ada Lovelace"), /the role may not do that \(42501\)/],
  // The code of a certificate is one of the database only where it is.
  ["another server's certificate", failed({ code: "CERT_HAS_EXPIRED" }), "CERT_HAS_EXPIRED"],
  // Neither a path nor a message of ours is cut.
  [
    "a file",
    failed({ code: "EACCES", syscall: "open", path: "/a - b/c.sqlite" }),
    "open EACCES /a - b/c.sqlite",
  ],
  ["bad input", new UsageError("Unknown scope - a - b"), "Unknown scope - a - b"],
  ["a port", failed(used), "The port 3000 is in use already: choose another one with PORT."],
  [
    "another address",
    unreachable("listen", "EADDRNOTAVAIL"),
    `${noListening} listen EADDRNOTAVAIL`,
  ],
  ["a low port", unreachable("listen", "EACCES"), `${noListening} listen EACCES`],
  [
    "an unknown name",
    unreachable("getaddrinfo", "ENOTFOUND"),
    `${noListening} getaddrinfo ENOTFOUND`,
  ],
  [
    "that of a database",
    away(unreachable("getaddrinfo", "ENOTFOUND")),
    `${database} getaddrinfo ENOTFOUND`,
  ],
  ["each address of a name", both, "connect ECONNREFUSED ::1:1, connect ECONNREFUSED 127.0.0.1:1"],
  ["a message of ours", new Problem("internal-error", { detail: "safe" }), "safe"],
  [
    "a defect",
    new TypeError("Ada is not a function"),
    /^TypeError at .*failure\.test\.ts:\d+:\d+\)?$/,
  ],
  ["what is no error", "Ada", "string"],
])("names %s, in one line and without a value", (_, error, text) => {
  expect(failureText(error)).toEqual(typeof text === "string" ? text : expect.stringMatching(text));
  expect(failureText(error)).not.toMatch(/Ada|\n/);
});

it.each([
  ["3D000", "there is no database of that name"],
  ["28P01", "the log-in was rejected"],
  ["SQLITE_CANTOPEN", "the file cannot be opened, or nothing can be written next to it"],
  ["SQLITE_NOTADB", "the file is no SQLite database"],
  ["08P01", "the pooler rejected the connection"],
  ["42501", "the role may not do that"],
  ["3F000", "the role has no schema to create tables in"],
  [
    "SELF_SIGNED_CERT_IN_CHAIN",
    "the certificate of the server is from an authority that is unknown here",
  ],
])("says what %s is in words, and what to do", (code, words) => {
  expect(failureText(away(failed({ code })))).toMatch(
    new RegExp(`^${database} ${words} \\(${code}\\)\\. (?!.*Ada)`),
  );
});
