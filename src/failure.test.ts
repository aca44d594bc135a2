import { describe, expect, it } from "vitest";
import { failureText } from "./failure.ts";
import { Problem } from "./problem.ts";

describe("failureText", () => {
  it("says that the database cannot be used, and the driver's reason without the statement", () => {
    const cause = new Error("select * from `users` where a - b - SQLITE_CANTOPEN: unable to open database file");
    expect(failureText(new Problem("storage-unavailable", { cause }))).toBe(
      "The database of DATABASE_URL cannot be used: SQLITE_CANTOPEN: unable to open database file",
    );
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
    const error = new AggregateError([new Error("refused ::1"), new Error("refused 127.0.0.1")]);
    expect(failureText(error)).toBe("refused ::1, refused 127.0.0.1");
  });

  it("says the message of any other error, and whatever else was thrown", () => {
    expect(failureText(new Problem("internal-error", { detail: "safe" }))).toBe("safe");
    expect(failureText(new TypeError("x is not a function"))).toBe("x is not a function");
    expect(failureText("text")).toBe("text");
  });
});
