import { describe, expect, it } from "vitest";
import { failureText } from "./failure.ts";
import { Problem } from "./problem.ts";

describe("failureText", () => {
  it("says that the database cannot be used, and the driver's reason without the statement", () => {
    const cause = new Error("select * from `users` where a - b - SQLITE_CANTOPEN: unable to open database file");
    expect(failureText(new Problem("storage-unavailable", { cause }))).toBe(
      "The database cannot be used: SQLITE_CANTOPEN: unable to open database file",
    );
  });

  it("says which port is in use", () => {
    const error = Object.assign(new Error("listen EADDRINUSE"), { code: "EADDRINUSE", port: 3000 });
    expect(failureText(error)).toBe("The port 3000 is in use already: choose another one with PORT.");
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
