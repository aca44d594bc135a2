import { gzipSync } from "node:zlib";
import { contract, type OperationId } from "../../../generated/operations.ts";
import type { Aspect } from "../../client/expectation.ts";
import { answersItself, answersOtherwise, changesAnswer, type Mutant, OUTCOME, type Selector } from "../mutant.ts";
import { answersStatus, changed, dropsHeader, onBody, setsHeader, wholeBody } from "../operators.ts";
import { header, isObject, type JsonObject, pathOf } from "../proxy/look.ts";
import { respondProblem, withBody, withHeader, withJson } from "../proxy/shape.ts";

/** Broken publication of the contract: each of its files, and what stands in them. */

const WIRE = "/openapi.json";
const BY_OPERATION = "/openapi.operations.json";
const FILES = [WIRE, "/openapi.yaml", BY_OPERATION, "/openapi.operations.yaml"] as const;
type File = (typeof FILES)[number];

const at = (file: File): Selector => ({
  name: file,
  takes: (answer, request) =>
    request !== null && request.method === "GET" && pathOf(request).endsWith(file) && answer.status === 200,
});
const text = (what: string, change: (text: string) => string, breaks?: readonly Aspect[]) =>
  onBody(what, (body) => Buffer.from(change(`${body}`)), breaks);

/** A query that is called by one name, one with an input, and a command. */
const [query, listed, created] = ["sysinfo", "user.list", "user.create"] as const satisfies readonly OperationId[];
const pathOfListed = `/api/${listed}/../`;
const AT_SERVERS = /(servers"?:[\s\S]*?url"?: *)"?http[^"\s]*"?/;
const addresses =
  "https://one.invalid / https://{host}/ api.example.com file:///srv undefined https://staging.example.com";

const inEach = [
  answersStatus(404),
  setsHeader("Content-Type", "text/plain; charset=utf-8"),
  dropsHeader("ETag"),
  ...wholeBody.slice(0, 2),
  text("cuts the last line of", (all) => all.slice(0, -20)),
  text("names another service in", (all) => all.replace(contract.title, "Petstore")),
  text("is of Swagger in", (all) => all.replace(/openapi("?: "?)3[\d.]+/, "swagger$12.0")),
  text("is of an older version in", (all) => all.replaceAll(contract.version, "0.0.1"), ["body:/info/version"]),
  text("has no version in", (all) => all.replace(/"?version"?: "?[\d.]+"?,?/, ""), ["body:/info/version", "body"]),
  text("has a reference to nothing in", (all) =>
    all.replace(/#\/components\/schemas\/[\w.]+/, "#/components/schemas/None"),
  ),
  text("calls an operation otherwise in", (all) =>
    all.replaceAll(listed, `${listed}s`).replaceAll(/\buserList\b/g, "userLists"),
  ),
  text("allows more in", (all) => all.replace(/(maximum"?: )200/, "$15000")),
  text("needs no key in", (all) => all.replace(/^(\s*"?)security("?:)/m, "$1x-security$2")),
  text("closes a bracket too many in", (all) => `${all}}`),
  text("has no servers in", (all) => all.replace(/^(\s*"?)servers/m, "$1x-servers"), ["body:/servers"]),
  ...addresses
    .split(" ")
    .map((url) =>
      text(`says ${url} for a server in`, (all) => all.replace(AT_SERVERS, `$1"${url}"`), ["body:/servers"]),
    ),
  text("leaves a placeholder in", (all) => all.replace(/https:\/\/\w+\.org/, "https://two.invalid")),
];

const files = FILES.flatMap((file, index): Mutant[] => [
  ...inEach.map((operator) => changesAnswer(at(file), operator)),
  answersOtherwise(at(file), "is the other document", ["body"], (_answer, request, { forward }) =>
    forward({ ...request, target: request.target.replace(file, FILES[(index + 2) % 4] ?? file) }),
  ),
  answersItself(`${file} has no HEAD`, ["status", "header:etag"], (request) =>
    request.method === "HEAD" && pathOf(request).endsWith(file) ? respondProblem(405, "method-not-allowed") : null,
  ),
  answersItself(`${file} needs a key`, OUTCOME, (request) =>
    request.method === "GET" && pathOf(request).endsWith(file) ? respondProblem(401, "credentials-missing") : null,
  ),
  answersOtherwise(
    at(file),
    "is coded for who refuses the coding",
    ["header:content-encoding", "body"],
    (answer, request) =>
      /gzip;q=0/.test(header(request, "Accept-Encoding") ?? "") && header(answer, "Content-Encoding") === null
        ? withHeader({ ...answer, body: gzipSync(answer.body) }, "Content-Encoding", "gzip")
        : answer,
  ),
  answersOtherwise(at(file), "is a page to browsers", ["header:content-type", "body"], (answer, request) =>
    header(request, "Accept")?.includes("html")
      ? withHeader(withBody(answer, "<!doctype html>"), "Content-Type", "text/html")
      : answer,
  ),
]);

type Change = (value: JsonObject) => unknown;
/** Another value at a place of a document, whose steps are parted by blanks. */
const says = (file: File, what: string, steps: string, change: Change, aspect: Aspect = "body:/paths") =>
  changesAnswer(at(file), {
    name: what,
    breaks: [aspect],
    change: (answer) =>
      withJson(answer, (json) => changed(json, steps.split(" "), (one) => (isObject(one) ? change(one) : one))),
  });

const ITEMS = "components pathItems";
const MAPPING = "paths /api/ post requestBody content application/json schema discriminator mapping";
const without = (name: string) => (all: JsonObject) =>
  Object.fromEntries(Object.entries(all).filter(([each]) => each !== name));
const renamed = (name: string, other: string) => (all: JsonObject) => ({ ...without(name)(all), [other]: all[name] });
const AT = { name: "@", in: "query", required: true };
const get = (name: string) => ({ get: { operationId: "added", parameters: [{ ...AT, schema: { enum: [name] } }] } });

/** The names of GET in the wire document. */
const names = (what: string, change: (names: readonly unknown[]) => readonly unknown[]) =>
  says(WIRE, what, "paths /api/ get parameters * schema", (schema) =>
    Array.isArray(schema.enum) ? { ...schema, enum: change(schema.enum) } : schema,
  );
const parameter = (what: string, change: (parameter: JsonObject) => JsonObject) =>
  says(BY_OPERATION, what, `paths ${pathOfListed} get parameters *`, (one) => (one.name === "@" ? change(one) : one));

const documents: readonly Mutant[] = [
  says(BY_OPERATION, "has no paths", "paths", () => ({})),
  says(BY_OPERATION, "misses a command", "paths", without(`/api/${created}/../`)),
  says(BY_OPERATION, "misses a template", "paths", without("/api/docs.get/../")),
  says(BY_OPERATION, "has a query for a command", "paths", (all) => ({
    ...all,
    [`/api/${created}/../`]: get(created),
  })),
  says(BY_OPERATION, "has one more", "paths", (all) => ({ ...all, "/api/user.delete/../": get("user.delete") })),
  names("misses a name", (all) => all.filter((name) => name !== query)),
  names("misses a document", (all) => all.slice(0, -1)),
  names("has no names", () => []),
  names("has a name more", (all) => [...all, "user.get"]),
  names("has a command among its queries", (all) => [...all, created]),
  says(WIRE, "has no commands", MAPPING, () => ({})),
  says(WIRE, "has a command more", MAPPING, (all) => ({ ...all, "user.update": "#" })),
  says(WIRE, "misses an item", ITEMS, without(listed), "body"),
  says(WIRE, "has an item more", ITEMS, (all) => ({ ...all, "user.get": get("user.get") }), "body"),
  says(WIRE, "has a path for an operation", "paths", (all) => ({ ...all, [`/api/${query}`]: {} })),
  says(WIRE, "has a version in its path", "paths", renamed("/api/", "/api/v3/")),
  ...[`@${listed}`, listed, `${listed}/../../`, `${listed}/%2E./x`].map((path) =>
    says(BY_OPERATION, `has the path ${path}`, "paths", renamed(pathOfListed, `/api/${path}`)),
  ),
  parameter("has a name for two", (one) => ({ ...one, schema: { enum: [listed, query] } })),
  parameter("has an optional name", without("required")),
  parameter("has any name", (one) => ({ ...one, schema: { type: "string" } })),
  ...[listed, query].map((operationId) =>
    says(BY_OPERATION, `has the operationId ${operationId}`, `paths ${pathOfListed} get`, (one) => ({
      ...one,
      operationId,
    })),
  ),
];

export const mutants: readonly Mutant[] = [...files, ...documents];
