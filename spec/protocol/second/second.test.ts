// The generator and the dispatcher do not depend on our own operations: a second contract goes through both.
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { Validator } from "@seriousme/openapi-schema-validator";
import supertest from "supertest";
import ts from "typescript";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import { readContract } from "../../../conformance/oracle/contract.ts";
import { createOracle } from "../../../conformance/oracle/predict.ts";
import type { OperationValidators } from "../../../src/server/contract.ts";
import type { RequestContext } from "../../../src/server/handler.ts";
import { HandlerResponse } from "../../../src/server/response/response.ts";
import { write } from "../emitter/write.test-kit.ts";
import { generateBooks, startBooks } from "./books.test-kit.ts";

const root = resolve(import.meta.dirname, "../../..");
const books = [
  { kind: "paper", isbn: "7", pages: 9 },
  { kind: "audio", isbn: "8", minutes: 1.5 },
];
const seen: object[] = [];
const added: object[] = [];
const carried: unknown[] = [];

const handlers = {
  "book.find": (input: { count: number }) => {
    seen.push(input);
    return { items: books.slice(0, input.count) };
  },
  "book.read": ({ isbn }: { isbn: string }, { mediaType }: RequestContext) => {
    const book = books.find((candidate) => candidate.isbn === isbn);
    if (!book) throw new Error("there is no such book");
    return mediaType === "text/plain"
      ? new HandlerResponse({ status: 200, mediaType: "text/plain", body: `${book.kind} ${book.isbn}` })
      : new HandlerResponse({ status: 200, mediaType: "application/json", body: book });
  },
  "book.count": (_: object, { headers }: RequestContext) => {
    carried.push(headers);
    return { items: [] };
  },
  "book.list": () => ({ items: [] }),
  "book.add": (input: { isbn: string }, { headers, createOnce }: RequestContext) => {
    carried.push(headers);
    const book = { kind: "paper", isbn: input.isbn, pages: 1 };
    const insert = async () => {
      added.push(input);
      return book;
    };
    return createOnce({ id: input.isbn, createdAt: new Date().toISOString(), insert, find: async () => book });
  },
  "book.remove": () => ({ done: true }),
};

let files: ReadonlyMap<string, string>;
let validators: Readonly<Record<string, OperationValidators>>;
let service: Awaited<ReturnType<typeof startBooks>>;
let url: string;
let key: string;

beforeAll(async () => {
  files = await generateBooks();
  service = await startBooks(files, handlers, { books });
  ({ url, validators } = service);
  key = service.credentials.full.key;
});
afterAll(() => service.close());

const get = (query: string) => supertest(url).get(`/api/?${query}`);
const post = (body: object) => supertest(url).post("/api/").set({ "X-API-KEY": key, "X-PLATFORM": "web" }).send(body);

it("is written as valid OpenAPI 3.1", async () => {
  for (const [path, text] of files)
    if (path.startsWith("openapi"))
      expect([path, await new Validator().validate(text)]).toMatchObject([path, { valid: true }]);
});

describe("a second contract through the dispatcher", () => {
  it("reads lists, numbers, booleans and defaults out of a query", async () => {
    await get("@=book.find&isbns=1,2&years=1999,2001&audio=true&weight=-0.5&title=a+b%2B").expect(200, {
      items: books,
    });
    expect(seen.at(-1)).toEqual({
      isbns: ["1", "2"],
      years: [1999, 2001],
      audio: true,
      weight: -0.5,
      title: "a b+",
      count: 3,
    });
    await get("@=book.find&audio=false&count=1").expect(200, { items: books.slice(0, 1) });
    expect(seen.at(-1)).toEqual({ audio: false, count: 1 });
  });

  it.each([
    "isbns=",
    "isbns=1,",
    "isbns=x",
    "years=1,x",
    "years=01",
    "audio=1",
    "audio=",
    "weight=1e3",
    "weight=",
    "count=10",
    "count=0x1",
    "count=9007199254740993",
  ])("rejects %s and names the parameter", async (query) => {
    const { body } = await get(`@=book.find&${query}`).expect(422);
    expect(body.errors).toEqual([{ parameter: query.split("=")[0], detail: expect.any(String) }]);
  });

  it("reads the header parameters that an operation declares, without those that were not sent", async () => {
    await get("@=book.count").set("X-Shelf", "2").expect(200);
    expect(carried.at(-1)).toEqual({ "X-Shelf": 2, "X-Most": 3 });
    const all = { "x-shelf": "9", "X-YEARS": "1999 , 2001", "X-Most": "1", "If-None-Match": '"a", "b"', "X-By": "me" };
    await get("@=book.count").set(all).expect(200);
    expect(carried.at(-1)).toEqual({
      ...{ "X-Shelf": 9, "X-Years": [1999, 2001], "X-Most": 1 },
      "If-None-Match": '"a", "b"',
    });
    await get("@=book.count")
      .set({ "X-Shelf": "2", "X-Most": "", "X-Years": ["1999", "2001"] })
      .expect(200);
    expect(carried.at(-1)).toEqual({ "X-Shelf": 2, "X-Years": [1999, 2001], "X-Most": 3 });
    await post({ "@": "book.add", data: { title: "Sums", isbn: "7" } })
      .set({ "X-By": "Ada", "Idempotency-Key": "k-1" })
      .expect(201);
    expect(carried.at(-1)).toEqual({ "X-By": "Ada" });
  });

  it("creates once for each idempotency key, without a line of its own for that", async () => {
    const add = (isbn: string) =>
      post({ "@": "book.add", data: { isbn, title: "Sums" } }).set({ "X-By": "Ada", "Idempotency-Key": "k-2" });
    const before = added.length;
    const first = await add("9").expect(201);
    const again = await post({ "@": "book.add", data: { title: "Sums", isbn: "9" } })
      .set({ "X-By": "Ada", "Idempotency-Key": "k-2" })
      .expect(201, first.body);
    expect([first, again].map(({ headers }) => headers["idempotent-replayed"])).toEqual([undefined, "true"]);
    expect(added).toHaveLength(before + 1);
    await add("8").expect(422);
  });

  it.each([
    [{}, "X-Shelf", "is required"],
    [{ "X-Shelf": "" }, "X-Shelf", "is required"],
    [{ "X-Shelf": "0" }, "X-Shelf", "must be at least 1"],
    [{ "X-Shelf": "02" }, "X-Shelf", "must be an integer"],
    [{ "X-Shelf": "2, 2" }, "X-Shelf", "must be an integer"],
    [{ "X-Shelf": "2", "X-Years": "1999,x" }, "X-Years", "must be an integer"],
  ])("rejects the header fields %j and names the one at fault", async (fields, parameter, detail) => {
    const before = carried.length;
    const { body } = await get("@=book.count").set(fields).expect(422);
    expect(body.errors).toEqual([{ parameter, detail }]);
    expect(carried).toHaveLength(before);
  });

  it("reports the faults of header fields and of the rest together", async () => {
    const query = await get("@=book.count&audio=1&X-Shelf=2").expect(422);
    expect(query.body.errors.map(({ parameter = "#" }) => parameter).sort()).toEqual(["#", "X-Shelf", "audio"]);
    const command = await post({ "@": "book.add", data: { title: "Sums" } })
      .set("X-By", "somebody")
      .expect(422);
    expect(command.body.errors).toEqual([
      { parameter: "X-By", detail: "must have at most 5 characters" },
      { pointer: "#/data/isbn", detail: "is required" },
    ]);
  });

  it("predicts what header fields are rejected for", async () => {
    const oracle = createOracle(readContract(JSON.parse(files.get("contract.json") ?? "")));
    const empty = { keys: new Map(), names: new Map(), cursors: new Map(), tags: new Map(), created: new Map() };
    const world = { ...empty, taken: new Map(), platforms: ["web"], files: new Set<string>() };
    for (const [fields, places] of [
      [[["x-shelf", "2"]], undefined],
      [[], ["X-Shelf"]],
      [[["X-Shelf", ""]], ["X-Shelf"]],
      [[["X-Shelf", "10"]], ["X-Shelf"]],
      [
        [
          ["X-Shelf", "x"],
          ["X-Years", "1 ,2,x"],
        ],
        ["X-Shelf", "X-Years"],
      ],
    ] as const) {
      const headers = [["Host", "books.invalid"], ...fields] as const;
      const wire = { method: "GET", target: "/api/?@=book.count", fields: headers, body: "" };
      const { status } = await get("@=book.count").set(Object.fromEntries(fields));
      expect(oracle.predict(wire, world)).toMatchObject(
        places ? { status, code: "invalid-input", places } : { status, code: null },
      );
    }
  });

  it("finds a template name and offers its two media types", async () => {
    await get("@=book.read.7").expect(200, books[0] as object);
    await get("@=book.read.8")
      .set("Accept", "text/plain")
      .expect("Content-Type", "text/plain; charset=utf-8")
      .expect(200, "audio 8");
    await get("@=book.read.x").expect(404);
    await get("@=book.read.7").set("Accept", "text/html").expect(406);
  });

  it("answers 500 and nothing more when a handler fails", async () => {
    const { body } = await get("@=book.read.9").expect(500);
    expect(body).toMatchObject({ code: "internal-error" });
    expect(JSON.stringify(body)).not.toContain("no such book");
  });

  it("takes both operations of POST, each with its own schema", async () => {
    expect(files.get("commands.ts")).toContain("/^(?:book\\.add|book\\.remove)$/");
    await post({ "@": "book.add", data: { title: "Sums", isbn: "7", tags: ["a"] } }).expect(201);
    expect(added.at(-1)).toEqual({ title: "Sums", isbn: "7", tags: ["a"] });
    const { body } = await post({ "@": "book.add", data: { title: "", tags: ["a", 1], more: true } }).expect(422);
    expect(body.errors.map(({ pointer }: { pointer: string }) => pointer).sort()).toEqual([
      "#/data",
      "#/data/isbn",
      "#/data/tags/1",
      "#/data/title",
    ]);
    await post({ "@": "book.remove", data: { title: "Sums", isbn: "7" } }).expect(422);
  });

  it("says that an operation is deprecated", async () => {
    const answer = await post({ "@": "book.remove", data: { isbn: "7" } }).expect(200, { done: true });
    expect(answer.headers).toMatchObject({
      deprecation: "@1769817600",
      sunset: "Sun, 31 Jan 2027 00:00:00 GMT",
      link: '<https://books.invalid/removal>; rel="deprecation"',
    });
    const other = await get("@=book.find").expect(200);
    expect(other.headers).not.toHaveProperty("deprecation");
  });
});

describe("the validators of a second contract", () => {
  const answer = (value: unknown) => validators["book.find"]?.answers["200 application/json"]?.(value);

  it("take each member of a union and nothing else", () => {
    expect(answer({ items: books })).toBe(true);
    expect(answer({ items: [{ kind: "paper", isbn: "7", minutes: 1 }] })).toBe(false);
    expect(answer({ items: [{ kind: "scroll", isbn: "7" }] })).toBe(false);
  });

  it("take an answer without undocumented members only", () => {
    expect(answer({ items: [], more: 1 })).toBe(false);
    expect(answer({})).toBe(false);
  });
});

it("has exact types: of inputs, of answers, of a table of handlers", async () => {
  const folder = await mkdtemp(join(tmpdir(), "atpoint-second-"));
  const use = `import type { Handlers } from "${root}/src/server/handler.ts";
import { contract, type Types } from "./contract.ts";
const { operations, validators } = contract;
export const scope: "books:write" = operations["book.add"].scope;
export const fits: boolean | undefined = validators["book.find"].query?.({});
// A parameter with a default is there.
export const count = (input: Types["book.find"]["input"]): number => input.count;
export const years = (input: Types["book.find"]["input"]): number[] | undefined => input.years;
// @ts-expect-error it is optional
export const title = (input: Types["book.find"]["input"]): string => input.title;
// @ts-expect-error there is no such member
export const more = (input: Types["book.add"]["input"]) => input.more;
const found = { items: [{ kind: "paper" as const, isbn: "7", pages: 9 }] };
export const shelf = (headers: Types["book.count"]["headers"]): number => headers["X-Shelf"];
export const by = (headers: Types["book.add"]["headers"]): string | undefined => headers["X-By"];
// @ts-expect-error it has a step and a problem of its own
export const key = (headers: Types["book.add"]["headers"]) => headers["Idempotency-Key"];
type Books = Handlers<Types, object>;
export const find: Books["book.find"] = () => found;
// @ts-expect-error a book has one of two kinds
export const odd: Books["book.find"] = () => ({ items: [{ kind: "scroll", isbn: "7", pages: 9 }] });
// @ts-expect-error of several answers a bare body does not say which
export const read: Books["book.read"] = () => found.items[0];
// @ts-expect-error one operation is missing
export const few: Books = { "book.find": find, "book.count": (_, { headers }) => ({ items: found.items.slice(headers["X-Shelf"]) }), "book.read": () => { throw 0; }, "book.add": () => { throw 0; } };
`;
  try {
    await write(new Map([...files, ["use.ts", use], ["package.json", '{ "type": "module" }']]), folder);
    const { config } = ts.readConfigFile(join(root, "tsconfig.json"), ts.sys.readFile);
    const { options } = ts.parseJsonConfigFileContent({ ...config, include: [] }, ts.sys, root);
    const typeRoots = [join(root, "node_modules/@types")];
    const here = { typeRoots, rewriteRelativeImportExtensions: false, allowImportingTsExtensions: true };
    const program = ts.createProgram([join(folder, "use.ts")], { ...options, ...here });
    const diagnostics = ts.getPreEmitDiagnostics(program).filter(({ file }) => file?.fileName.startsWith(folder));
    expect(diagnostics.map(({ messageText }) => ts.flattenDiagnosticMessageText(messageText, " "))).toEqual([]);
    expect(program.getSourceFiles().map(({ fileName }) => fileName)).toContain(join(root, "src/server/handler.ts"));
  } finally {
    await rm(folder, { recursive: true });
  }
});
