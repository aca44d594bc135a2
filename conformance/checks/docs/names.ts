import type { Api } from "../../client/api.ts";
import { expectProblem, expectStatus, expectSuccess } from "../../client/expect.ts";
import { check } from "../check.ts";
import { documentNames, ENTRY, getDocument } from "./document.ts";

const capitalised = (name: string) => name.slice(0, 1).toUpperCase() + name.slice(1).toLowerCase();
const swapped = (name: string) =>
  name.replace(/[a-z]/gi, (letter) => (letter === letter.toLowerCase() ? letter.toUpperCase() : letter.toLowerCase()));
const otherCases = (name: string) => [name.toLowerCase(), name.toUpperCase(), capitalised(name), swapped(name)];

/** Inside the pattern, but not there. */
const absent: Readonly<Record<string, (names: readonly string[]) => readonly string[]>> = {
  unknown: () => ["no-such-document", "a", "0", "A_b-9", "a-", "a_"],
  "letter-case": (names) => names.flatMap(otherCases),
  "near-miss": () => ["READM", "README1", "README-", "READMEREADME", "README_md", "docs"],
  // 64 characters are the longest name that there can be.
  "longest-name": () => ["a".repeat(64), `R${"-".repeat(63)}`],
  "prototype-names": () => ["constructor", "toString", "hasOwnProperty", "valueOf", "prototype"],
  "file-names": () => ["package", "LICENSE", "index", "main", "CON", "src", "node_modules"],
};

/** Outside the pattern; each value as it stands in the query. */
const outside: Readonly<Record<string, readonly string[]>> = {
  paths: [
    "../README",
    "../../../../../etc/passwd",
    "/etc/passwd",
    "./README",
    "README/",
    "a/b",
    "..",
    "reference/../README",
  ],
  "escaped-paths": [
    "%2e%2e%2fREADME",
    "..%2fREADME",
    "%2fetc%2fpasswd",
    "..%5cREADME",
    "%252e%252e%252fREADME",
    "%252e%252e/README",
  ],
  "file-names": ["README.md", "CHANGELOG.md", "package.json", ".env", ".git", "README.", "README%00", "README%00.md"],
  "first-character": ["-x", "_x", "-README", "_README", "__proto__", ".README"],
  characters: [
    "README;x",
    "README*",
    "*",
    "%7Bname%7D",
    "%3Cname%3E",
    "README~",
    "README:",
    "README,reference",
    "README@",
    "READ%25ME",
  ],
  blanks: ["%20README", "README%20", "+README", "README%0A", "README%0D%0A", "READ%20ME", "%09README", "README%C2%A0"],
  letters: ["R%C3%89ADME", "%EF%BC%B2EADME", "README%E2%80%8B", "%D0%90README", "README%CC%81", "README%E2%82%AC"],
  "too-long": ["a".repeat(65), `README${"-".repeat(59)}`, "a".repeat(1000)],
  empty: [""],
};

const literal = (api: Api, name: string) =>
  api.call("docs.get", { input: { name: "" }, credentials: "none", rawQuery: `@=docs.get.${name}` });

/** Names of documents that are not there, and names that can be none (D30). */
export const docsNames = [
  ...Object.entries(absent).map(([variant, names]) =>
    check(`docs.get/absent#${variant}`, {}, async (api) => {
      const there = await documentNames(api);
      expectStatus(await getDocument(api, ENTRY), 200);
      for (const name of new Set(names(there).filter((one) => !there.includes(one)))) {
        expectProblem(await getDocument(api, name), 404, "document-not-found", "docs.get");
      }
    }),
  ),
  check("docs.get/absent#whatever-headers", {}, async (api) => {
    const name = "no-such-document";
    for (const accept of ["text/markdown", "text/html", "application/json"]) {
      expectProblem(await getDocument(api, name, { accept }), 404, "document-not-found", "docs.get");
    }
    expectProblem(await getDocument(api, name, { ifNoneMatch: "*" }), 404, "document-not-found", "docs.get");
    expectStatus(await getDocument(api, name, { method: "HEAD" }), 404);
  }),
  ...Object.entries(outside).map(([variant, names]) =>
    check(`docs.get/name-pattern#${variant}`, {}, async (api) => {
      expectSuccess(await literal(api, ENTRY), "docs.get");
      for (const name of names) expectProblem(await literal(api, name), 404, "operation-not-found");
    }),
  ),
];
