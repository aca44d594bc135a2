import { describe, expect, it } from "vitest";
import { validators } from "../../generated/validators.ts";
import { checkDocuments } from "./check-documents.ts";
import { loadDocuments, packageRoot } from "./documents.ts";

const documents = loadDocuments(packageRoot());
const docsGet = validators["docs.get"];
const { "200 text/html": _, ...answers } = docsGet.answers;
const withoutHtml = { ...docsGet, answers };

function told(...[contract, checkAnswers]: [typeof docsGet, "off" | "log" | "throw"]): readonly string[] {
  const told: string[] = [];
  checkDocuments(documents, contract, checkAnswers, (faults) => told.push(...faults));
  return told;
}

describe("checkDocuments", () => {
  it("finds nothing in our own", () => {
    expect(told(docsGet, "throw")).toEqual([]);
  });

  it("tells what breaks the contract, or refuses to start with it, as is configured", () => {
    expect(told(withoutHtml, "log")).toContain("README: 200 text/html is not documented");
    expect(() => told(withoutHtml, "throw")).toThrow("README: 200 text/html is not documented");
    expect(told(withoutHtml, "off")).toEqual([]);
  });
});
