import { every, nameOf } from "../../client/operation.ts";
import { answersItself, answersOtherwise, type Mutant, OUTCOME, takesFor } from "../mutant.ts";
import { header, jsonBody, namedIn, pathOf, queryOf } from "../proxy/look.ts";
import type { ProxyRequest } from "../proxy/message.ts";
import { letIn, respondProblem, withHeader, withJsonBody, withQuery } from "../proxy/shape.ts";
import {
  asGet,
  asPost,
  called,
  decoded,
  exampleOf,
  isPost,
  onEndpoint,
  oneParameter,
  type Repair,
  readName,
} from "../requests.ts";
import { successOf } from "../selectors.ts";

/** Broken dispatch: how the name is read, where from, by which method and at which path. */

/** Ways to read what is no name of an operation as one. */
export const readers: Readonly<Record<string, (name: string) => string>> = {
  trimmed: (name) => name.trim(),
  "in lower case": (name) => name.toLowerCase(),
  "without letter case": (name) => every.find((one) => one.name.toLowerCase() === name.toLowerCase())?.name ?? name,
  "as it folds": (name) => name.normalize("NFKC"),
  "without marks": (name) => name.normalize("NFD").replace(/\p{M}/gu, ""),
  "without controls": (name) => name.replace(/\p{C}/gu, ""),
  "up to a NUL": (name) => name.split("\0")[0] ?? "",
  "up to the first line": (name) => name.split(/[\r\n]/)[0] ?? "",
  "up to a comma": (name) => name.split(",")[0] ?? "",
  "behind a comma": (name) => name.split(",").at(-1) ?? "",
  "decoded twice": (name) => decoded(name),
  "without a slash": (name) => name.replace(/^\/|\/$/g, ""),
  "with a slash for the dot": (name) => name.replaceAll("/", "."),
  "with other signs for the dot": (name) => name.replace(/[-_:]/g, "."),
  "without empty parts": (name) => name.split(".").filter(Boolean).join("."),
  "without an extension": (name) => name.replace(/\.(json|md|txt|html|xml)$/, ""),
  "in quotes": (name) => name.replace(/^"(.*)"$/s, "$1"),
  "by its beginning": (name) => beginning((one) => name !== "" && one.startsWith(name), name),
  "by what it begins with": (name) => beginning((one) => name.startsWith(one), name),
  "by its end": (name) => beginning((one) => name !== "" && one.endsWith(`.${name}`), name),
  "by what it ends with": (name) => beginning((one) => name.endsWith(one), name),
  "as a member of an object": (name) => (name in {} ? (every[0]?.name ?? name) : name),
};

const beginning = (fits: (name: string) => boolean, name: string) =>
  every.map((one) => nameOf(one)).find((one) => one !== name && fits(one)) ?? name;

const reads = Object.entries(readers).map(([how, read]) => takesFor(`reads the name ${how}`, readName(read)));

/** Where a name must not be looked for; null where there is none. */
const sources: Readonly<Record<string, (request: ProxyRequest) => string | null>> = {
  "the path": (request) => /\/api\/@?([^/]+)\/?$/.exec(pathOf(request))?.[1] ?? null,
  "X-Operation": (request) => header(request, "X-Operation"),
  "the parameter operation": (request) => queryOf(request).get("operation") ?? queryOf(request).get("op"),
  "the parameter @[]": (request) => queryOf(request).get("@[]") ?? queryOf(request).get("@[0]"),
  "the parameter of another case": (request) => queryOf(request).get("＠"),
  "the body's operation": (request) => text(jsonBody(request)?.operation ?? jsonBody(request)?.op),
  "the body's method": (request) => text(jsonBody(request)?.method),
  "a cookie": (request) => /(?:^|; )@=([^;]*)/.exec(header(request, "Cookie") ?? "")?.[1] ?? null,
  "a form": (request) => new URLSearchParams(request.body.toString()).get("@"),
  "a multipart form": (request) => /name="@"\r\n\r\n([^\r]+)/.exec(request.body.toString())?.[1] ?? null,
};

const text = (value: unknown) => (typeof value === "string" ? value : null);

const nowhereElse = Object.entries(sources).map(([place, look]) =>
  takesFor(`looks for the name in ${place}`, (request) => {
    const name = namedIn(request) === null ? look(request) : null;
    if (name === null || !every.some((one) => nameOf(one) === name || one.name === name)) return request;
    const target = request.target.replace(/^[^?]*/, "/api/");
    return isPost(request)
      ? withHeader(
          { ...request, target, body: Buffer.from(JSON.stringify({ "@": name, data: jsonBody(request)?.data ?? {} })) },
          "Content-Type",
          "application/json",
        )
      : withQuery({ ...request, target }, (query) => {
          for (const [alias, value] of [...query]) if (value === name) query.delete(alias);
          query.set("@", name);
        });
  }),
);

/** The name of the other place: a POST's in the query, a GET's in its body. */
const crossed: readonly Mutant[] = [
  takesFor("reads the name of a POST in the query", (request) => {
    const name = isPost(request) && onEndpoint(request) ? queryOf(request).get("@") : null;
    if (name === null) return request;
    const bare = withQuery(request, (query) => query.delete("@"));
    return jsonBody(bare) ? withJsonBody(bare, (body) => ({ ...body, "@": name })) : bare;
  }),
  takesFor("ignores a name in the query of a POST", (request) =>
    isPost(request) && namedIn(request) !== null ? withQuery(request, (query) => query.delete("@")) : request,
  ),
  takesFor("reads the name of a GET in its body", (request, context) =>
    request.method === "GET" && typeof jsonBody(request)?.["@"] === "string"
      ? asGet(bareOf(request), context)
      : request,
  ),
  takesFor("reads the input of a GET in its body", (request, context) => {
    const data = request.method === "GET" ? jsonBody(request)?.data : undefined;
    return data === undefined ? request : asGet(request, context);
  }),
  takesFor("takes a GET with a body for a POST", (request) =>
    request.method === "GET" && jsonBody(request)
      ? withHeader({ ...request, method: "POST" }, "Content-Type", "application/json")
      : request,
  ),
  takesFor("takes the first of several names", (request) => oneParameter(request, "@", 0)),
  takesFor("takes the last of several names", (request) => oneParameter(request, "@", -1)),
  takesFor("takes the first member @ of a body", (request) => {
    const first = isPost(request) ? /"@"\s*:\s*"([^"]*)"/.exec(request.body.toString())?.[1] : undefined;
    return first === undefined || request.body.toString().split('"@"').length < 3
      ? request
      : withJsonBody(request, (body) => ({ ...body, "@": first }));
  }),
];

const bareOf = (request: ProxyRequest) => withQuery(request, (query) => query.delete("@"));

/** Methods that an operation must not take, each as its own; HEAD of a GET is right. */
const METHODS = ["GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "TRACE"];

const methods = every.flatMap((operation) =>
  METHODS.filter((method) => method !== operation.method && !(method === "HEAD" && operation.method === "GET")).map(
    (method) =>
      takesFor(`${operation.id} is served by ${method}`, (request, context) => {
        if (request.method !== method || !onEndpoint(request)) return request;
        const inBody = jsonBody(request)?.["@"];
        const name = queryOf(request).get("@") ?? (typeof inBody === "string" ? inBody : null);
        if (name !== nameOf(operation) && name !== operation.name) return request;
        const right: Repair = operation.method === "GET" ? asGet : asPost;
        return right({ ...request, method: operation.method }, context);
      }),
  ),
);

const served = every.flatMap((operation) => [
  answersItself(`${operation.id} is not served`, OUTCOME, (request) =>
    called(request)?.id === operation.id ? respondProblem(404, "operation-not-found") : null,
  ),
  ...(operation.method === "GET"
    ? [
        answersItself(`${operation.id} has no HEAD`, OUTCOME, (request) =>
          request.method === "HEAD" && called(request)?.id === operation.id
            ? respondProblem(405, "method-not-allowed")
            : null,
        ),
      ]
    : []),
  ...every
    .filter(({ id, method }) => method === "GET" && id !== operation.id)
    .map((other) =>
      answersOtherwise(
        successOf(operation, operation.method === "GET" ? 200 : 201),
        `answers as ${other.id}`,
        ["status", "body", "header:content-type"],
        (_answer, request, context) =>
          context.forward(
            letIn(
              withQuery({ ...asGet(request, context), target: "/api/" }, (query) => {
                for (const [name, value] of Object.entries(exampleOf(other))) query.set(name, String(value));
              }),
              context,
            ),
          ),
      ),
    ),
]);

const overrides = ["X-HTTP-Method-Override", "X-HTTP-Method", "X-Method-Override"].map((field) =>
  takesFor(`obeys ${field}`, (request, context) => {
    const method = header(request, field)?.toUpperCase();
    if (!method || method === request.method) return request;
    return method === "POST"
      ? asPost(request, context)
      : method === "GET"
        ? asGet(request, context)
        : { ...request, method };
  }),
);

export const mutants: readonly Mutant[] = [...reads, ...nowhereElse, ...crossed, ...methods, ...served, ...overrides];
