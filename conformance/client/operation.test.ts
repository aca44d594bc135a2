import { describe, expect, it } from "vitest";
import {
  findOperation,
  knownParts,
  nameIn,
  nameOf,
  operationById,
  operationCalled,
  withoutParts,
} from "./operation.ts";

const body = (text: string) => Buffer.from(text);
const query = (text: string) => new URLSearchParams(text);

describe("an operation", () => {
  it("is found by its id, its name and the names of its template", () => {
    expect(findOperation("user.list")?.id).toBe("user.list");
    expect(findOperation("docs.get")?.id).toBe("docs.get");
    expect(findOperation("docs.get.README")?.id).toBe("docs.get");
    expect(findOperation("docs.get.a.b")).toBeNull();
    expect(findOperation("constructor")).toBeNull();
  });

  it("is not called by the id of its template, nor by the template", () => {
    expect(operationCalled("docs.get.README")?.id).toBe("docs.get");
    expect(operationCalled("docs.get")).toBeNull();
    expect(operationCalled("docs.get.{name}")).toBeNull();
  });

  it("is named with the parts of the input, by default of the example", () => {
    const document = operationById("docs.get");
    expect(nameOf(document)).toBe("docs.get.README");
    expect(nameOf(document, { name: "$&" })).toBe("docs.get.$&");
    expect(withoutParts(document, { name: "README", format: "text" })).toEqual({ format: "text" });
    expect(knownParts(document)).toContain("README");
    expect(knownParts(operationById("sysinfo"))).toEqual([]);
  });
});

describe("a request", () => {
  it("names its operation in the query, or in the body of a POST", () => {
    expect(nameIn({ method: "HEAD", query: query("%40=docs.get.a"), body: body("") })).toBe("docs.get.a");
    expect(nameIn({ method: "POST", query: query(""), body: body('{"@":"user.create"}') })).toBe("user.create");
    expect(nameIn({ method: "POST", query: query("@=sysinfo"), body: body('{"@":7}') })).toBeNull();
    for (const text of ["", "{", "null", "[]"])
      expect(nameIn({ method: "POST", query: query(""), body: body(text) })).toBeNull();
  });
});
