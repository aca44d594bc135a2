import { readFileSync } from "node:fs";
import { join } from "node:path";
import { expect, it } from "vitest";
import { file } from "../conformance/cli/command.test-kit.ts";
import { command } from "./openapi-diff.ts";

const contract = join(import.meta.dirname, "../generated/openapi.operations.json");
const at = (name: string, method = "get") => `/paths/~1api~1${name}~1..~1/${method}`;
const list = at("user.list");
const create = at("user.create", "post");
const docs = at("docs.list");
const schemas = "/components/schemas";
const problems503 =
  "/components/responses/problems.503.2/content/application~1problem+json/schema/anyOf";
const key = [{ KeyInHeader: [] }];
const parameter = { name: "sort", in: "query", required: false, schema: { type: "string" } };
const text = { schema: { type: "string" } };
const operation = { operationId: "x", summary: "x", responses: { "200": { description: "x" } } };
const taken = { $ref: `#${schemas}/problem.email-taken` };
const gone = undefined;

/**
 * A change, its place (`-` as the last step: at the end of the list), the new value (`gone`:
 * removed), and the operations concerned.
 */
type Row = readonly [kind: string, pointer: string, value: unknown, operations?: string];

/**
 * Each group in one document: a comparison takes seconds. Changes of the same place are in
 * different groups.
 */
const BREAKING: readonly (readonly Row[])[] = [
  [
    ["an operation is removed", "/paths/~1api~1docs.list~1..~1", gone, "docs.list"],
    ["a parameter is removed", `${list}/parameters/2`, gone, "user.list"],
    ["a default is removed", `${list}/parameters/1/schema/default`, gone, "user.list"],
    ["a member of `data` is removed", `${schemas}/NewUser/properties/name`, gone, "user.create"],
    ["a member of an answer is removed", `${schemas}/User/properties/createdAt`, gone, "user.list"],
    ["a problem is removed", `${create}/responses/409`, gone, "user.create"],
    ["a success has another status", `${create}/responses/201`, gone, "user.create"],
  ],
  [
    [
      "an operation takes another method",
      "/paths/~1api~1docs.list~1..~1",
      { post: operation },
      "docs.list",
    ],
    [
      "the body has another media type",
      `${create}/requestBody/content`,
      { "text/json": text },
      "user.create",
    ],
    [
      "a member of an answer becomes optional",
      `${schemas}/User/required/3`,
      gone,
      "user.create user.list",
    ],
    [
      "a problem's code is another",
      `${schemas}/problem.email-taken/properties/code/enum`,
      ["taken"],
      "user.create",
    ],
  ],
  [
    ["a public operation needs a key", `${docs}/security`, key, "docs.list"],
    ["a parameter becomes required", `${list}/parameters/2/required`, true, "user.list"],
    ["`@` has another value", `${schemas}/user.list.name/enum`, ["user.all"], "user.list"],
    ["a way to send credentials is removed", `${list}/security/3`, gone, "user.list"],
    ["the scope is another", `${list}/x-scope`, "users:all", "user.list"],
    ["a scope is required", `${docs}/x-scope`, "docs:read", "docs.list"],
    [
      "a required parameter is added",
      `${list}/parameters/-`,
      { ...parameter, required: true },
      "user.list",
    ],
    [
      "a member of `data` becomes required",
      `${schemas}/NewUser/required/-`,
      "phone",
      "user.create",
    ],
    ["a shared input has a narrower bound", `${schemas}/PersonName/maxLength`, 100, "user.create"],
    [
      "a member of an answer has another type",
      `${schemas}/DocumentEntry/properties/size/type`,
      "string",
      "docs.list",
    ],
    [
      "an answer may have a further value",
      `${schemas}/CheckResult/enum/-`,
      "warn",
      "test.health ".repeat(4).trim(),
    ],
    [
      "a media type of an answer is removed",
      `${at("docs.get")}/responses/200/content/text~1html`,
      gone,
      "docs.get",
    ],
    ["a header of an answer is removed", `${list}/responses/200/headers/Link`, gone, "user.list"],
    [
      "a header becomes optional",
      `${list}/responses/200/headers/X-Operation/required`,
      false,
      "user.list",
    ],
    ["a problem of several is removed", `${problems503}/1`, gone, "user.create user.list"],
  ],
];

const COMPATIBLE: readonly Row[] = [
  ["an operation is added", "/paths/~1api~1user.get~1..~1", { get: operation }, "user.get"],
  ["an optional parameter is added", `${list}/parameters/-`, parameter, "user.list"],
  [
    "an optional member of `data` is added",
    `${schemas}/NewUser/properties/phone`,
    text.schema,
    "user.create",
  ],
  [
    "a member of an answer is added",
    `${schemas}/User/properties/phone`,
    text.schema,
    "user.create user.list",
  ],
  ["a header of an answer is added", `${list}/responses/200/headers/RateLimit`, text, "user.list"],
  ["a problem is added", `${docs}/responses/409`, { description: "x" }, "docs.list"],
  ["a problem is added to another", `${problems503}/-`, taken, "user.create user.list"],
  ["another way to send credentials is added", `${list}/security/-`, key[0], "user.list"],
  ["a scope is no longer required", `${list}/x-scope`, gone],
  ["a description is another", `${list}/description`, "x"],
  ["the servers are others", "/servers", [{ url: "https://api.example.com" }]],
];

/**
 * Changes the contract at these places: the exit code, the last line, and the operation of each
 * break, and of each addition.
 */
async function changed(rows: readonly Row[], version = "3.0.3") {
  const document = JSON.parse(readFileSync(contract, "utf8"));
  document.info.version = version;
  for (const [, pointer, value] of rows) {
    const steps = pointer.split("/").slice(1);
    const last = (steps.pop() ?? "").replaceAll("~1", "/");
    const owner = steps.reduce((part, step) => part[step.replaceAll("~1", "/")], document);
    if (!Array.isArray(owner)) owner[last] = value;
    else if (last === "-") owner.push(value);
    else owner.splice(Number(last), 1, ...(value === gone ? [] : [value]));
  }
  const { code, lines } = await run(contract, file("revised.json", document));
  const last = lines.pop();
  const operations = lines.join("\n").split(/\n(?! )/);
  const of = (kind: string) =>
    operations.flatMap(
      (text) => text.match(RegExp(`^  ${kind}`, "gm"))?.map(() => text.split("\n", 1).join()) ?? [],
    );
  return { code, last, breaks: of("breaks").sort(), adds: of("adds").sort() };
}

/** The exit code of the command, and what it prints. */
async function run(...files: readonly string[]) {
  const lines: string[] = [];
  const code = await command(files, (line) => lines.push(line));
  return { code, lines };
}

const namesOf = (rows: readonly Row[]) =>
  rows.flatMap(([, , , names]) => names?.split(" ") ?? []).sort();
const kindsOf = (rows: readonly Row[]) => rows.map(([kind]) => kind).join("; ");

for (const rows of BREAKING)
  it(`breaks a client: ${kindsOf(rows)}`, async () => {
    const last = expect.stringMatching(
      /^3.0.3 to 3.0.3: .* breaking, .* added; a break needs a new major version.$/,
    );
    expect(await changed(rows)).toMatchObject({ code: 1, last, breaks: namesOf(rows) });
  });

it(`breaks no client: ${kindsOf(COMPATIBLE)}`, async () => {
  const adds = namesOf(COMPATIBLE);
  const last = `3.0.3 to 3.0.3: 0 breaking, ${adds.length} added.`;
  expect(await changed(COMPATIBLE)).toEqual({ code: 0, last, breaks: [], adds });
});

it("allows a break in a new major version, and names each operation that it breaks", async () => {
  const rows: Row[] = [["", `${schemas}/PersonName/maxLength`, 100]];
  const last = "3.0.3 to 4.0.0: 1 breaking, 0 added.";
  expect(await changed(rows, "4.0.0")).toEqual({
    code: 0,
    last,
    breaks: ["user.create"],
    adds: [],
  });
});

it.each([
  [/^Usage: /, []],
  [/^missing.yaml cannot be compared: ENOENT/, ["missing.yaml", contract]],
  [/it is no OpenAPI document$/, [join(import.meta.dirname, "../package.json")]],
])("prints %s for what it cannot compare", async (line, files) => {
  expect(await run(...files)).toEqual({ code: 2, lines: [expect.stringMatching(line)] });
});
