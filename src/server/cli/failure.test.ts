import { expect, it } from "vitest";
import { UsageError } from "../expected-error.ts";
import { StorageUnavailable } from "../storage/errors.ts";
import { failureText } from "./failure.ts";

const failed = (facts: object, message = "Ada") => Object.assign(new Error(message), facts);
const away = (cause: unknown) => new StorageUnavailable(cause);
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
    /^The database .* cannot be resolved \(getaddrinfo ENOTFOUND\)\. Correct the host/,
  ],
  [
    "a server that does not respond",
    away(new UsageError("timeout expired")),
    /^The database .*: the server does not respond\. Correct host and port/,
  ],
  [
    "a socket that is not there",
    away(failed({ code: "ENOENT", syscall: "connect" }, "connect ENOENT /run/.s.PGSQL.5432")),
    /^The database .*: the server has no socket there \(connect ENOENT\)\. Start PostgreSQL/,
  ],
  ["each address of a name", both, "connect ECONNREFUSED ::1:1, connect ECONNREFUSED 127.0.0.1:1"],
  ["a message of ours", new UsageError("safe"), "safe"],
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
