// The suite is for any operations: it checks the service of the second spec with `--contract` only.
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { Report } from "../../../conformance/report/report.ts";
import { bundledCommand, launchProgram } from "../../../conformance/test/process.test-kit.ts";
import type { RequestContext } from "../../../src/server/handler.ts";
import { Problem } from "../../../src/server/problem.ts";
import { HandlerResponse } from "../../../src/server/response/response.ts";
import { generateBooks, type Parts, startBooks } from "./books.test-kit.ts";

interface Book {
  readonly kind: "paper";
  readonly isbn: string;
  readonly pages: number;
}

/** The handlers of the operations, with the books in memory. */
function createHandlers() {
  const books: Book[] = ["1", "2", "3"].map((isbn) => ({ kind: "paper", isbn, pages: 9 }));
  const cursors = new Map<string, number>();
  return {
    "book.find": ({ count }: { count: number }) => ({ items: books.slice(0, count) }),
    "book.read": ({ isbn }: Book, { mediaType }: RequestContext) => {
      const book = books.find((one) => one.isbn === isbn);
      if (!book) throw new Problem("document-not-found");
      const text = { status: 200, mediaType: "text/plain", body: `${book.kind} ${book.isbn}` } as const;
      return new HandlerResponse(
        mediaType === "text/plain" ? text : { status: 200, mediaType: "application/json", body: book },
      );
    },
    "book.list": ({ limit, cursor }: { limit: number; cursor?: string }) => {
      const start = cursor === undefined ? 0 : cursors.get(cursor);
      if (start === undefined) throw new Problem("invalid-cursor");
      const items = books.slice(start, start + limit);
      const end = start + items.length;
      if (end >= books.length) return { items };
      const nextCursor = Buffer.from(`book ${end}`).toString("base64url");
      cursors.set(nextCursor, end);
      const Link = `<?@=book.list&limit=${limit}&cursor=${nextCursor}>; rel="next"`;
      return new HandlerResponse({
        status: 200,
        mediaType: "application/json",
        body: { items, nextCursor },
        headers: { Link },
      });
    },
    "book.count": () => ({ items: [] }),
    "book.add": ({ isbn }: Book, { createOnce }: RequestContext) => {
      const book = { kind: "paper", isbn, pages: 1 } as const;
      const insert = async () => {
        books.push(book);
        return book;
      };
      return createOnce({ id: isbn, createdAt: new Date().toISOString(), insert, find: async () => book });
    },
    "book.remove": () => ({ done: true }),
  };
}

let files: ReadonlyMap<string, string>;
const folder = mkdtempSync(join(tmpdir(), "atpoint-books-"));
const contract = join(folder, "contract.json");
beforeAll(async () => {
  files = await generateBooks();
  writeFileSync(contract, files.get("contract.json") ?? "");
});
afterAll(() => rmSync(folder, { recursive: true }));

/** A run of the suite against the service, unchanged or with a defect. */
async function check(change?: (parts: Parts) => Parts, words: readonly string[] = []) {
  const service = await startBooks(files, createHandlers(), {}, change);
  const [credentials, report] = ["credentials.json", "report.json"].map((name) => join(folder, name));
  try {
    writeFileSync(`${credentials}`, JSON.stringify(service.credentials));
    const target = ["--contract", contract, "--url", service.url, "--credentials", `${credentials}`];
    const all = [bundledCommand(), ...target, "--json", `${report}`, ...words];
    const { code, stderr } = await launchProgram(process.execPath, all).ended;
    if (code !== 0 && code !== 1) throw new Error(stderr);
    const { results, verdict }: Report = JSON.parse(readFileSync(`${report}`, "utf8"));
    return { code, verdict, results };
  } finally {
    await service.close();
  }
}

const changed = (id: string, more: object) => (parts: Parts) => {
  const { [id]: operation } = parts.operations;
  // One fact differs.
  return { ...parts, operations: { ...parts.operations, [id]: { ...operation, ...more } } as Parts["operations"] };
};
const without =
  (name: string) =>
  (parts: Parts): Parts => ({
    ...parts,
    fields: (sent) => sent.filter((_, at) => sent[at - (at % 2)] !== name),
  });
/** With a validator that also accepts whatever `takes` accepts. */
const lax =
  (id: string, part: "query" | "body", takes: (value: unknown) => boolean) =>
  (parts: Parts): Parts => {
    const { [id]: all } = parts.validators;
    const right = all?.[part];
    if (!all || !right) throw new Error(`${id} has no validator of its ${part}`);
    const wrong = (value: unknown) => {
      const fits = right(value) || takes(value);
      wrong.errors = fits ? null : (right.errors ?? null);
      return fits;
    };
    wrong.errors = right.errors ?? null;
    return { ...parts, validators: { ...parts.validators, [id]: { ...all, [part]: wrong } } };
  };

const TEXTS = { answers: [{ status: 200, mediaTypes: ["application/json", "text/plain", "text/html"] }] };
/** The requirement that each defect breaks. */
const defects: readonly (readonly [what: string, requirement: string, change: (parts: Parts) => Parts])[] = [
  ["a command needs no scope", "credentials/scope", changed("book.add", { scope: null })],
  ["a command needs no credentials", "credentials/missing", changed("book.remove", { auth: false })],
  ["a public query needs credentials", "credentials/public", changed("book.read", { auth: true })],
  ["a 401 has no challenge", "credentials/challenge", without("WWW-Authenticate")],
  ["a response names no operation", "dispatch/x-operation", without("X-Operation")],
  ["a template takes any part", "dispatch/case-sensitive", changed("book.read", { pattern: "^book\\.read\\.(.+)$" })],
  ["a representation that nobody documented", "answers/not-acceptable", changed("book.read", TEXTS)],
  ["a query takes any parameter", "input/unknown-parameter", lax("book.find", "query", () => true)],
  [
    "a command takes a text for a boolean",
    "input/wrong-type",
    lax("book.remove", "body", (body) => /"forGood":"/.test(JSON.stringify(body))),
  ],
  [
    "a body may be a byte longer",
    "http/body-limit",
    (parts) => ({ ...parts, env: { ...parts.env, MAX_BODY_BYTES: "65537" } }),
  ],
];

describe("the service of the second spec", () => {
  it("is conformant", async () => {
    const { code, verdict, results } = await check();
    const others = results.filter(({ outcome }) => outcome !== "passed");
    expect(others.filter(({ reason }) => reason !== "waits for a time-out: needs --slow")).toEqual([]);
    expect([verdict, code]).toEqual(["conformant", 0]);
  });

  it("is right for requests and sequences that no check has", async () => {
    const { code, results } = await check(undefined, ["--explore", "600", "--seed", "1"]);
    expect(results.filter(({ outcome }) => outcome === "failed")).toEqual([]);
    expect(code).toBe(0);
  });

  it.each(defects)("is found out where %s: %s", async (_, requirement, change) => {
    const { code, results } = await check(change, ["--only", `${requirement}*`]);
    const failed = results.filter(({ outcome }) => outcome === "failed");
    expect(failed.map((one) => one.requirement.id)).toContain(requirement);
    expect(code).toBe(1);
  });
});
