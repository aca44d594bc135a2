import { describe, fail } from "../../client/expect.ts";
import { every, nameOf } from "../../client/operation.ts";
import { check } from "../check.ts";
import { entries } from "../docs/document.ts";
import { inEach, toJudge } from "../probe.ts";
import { DOCUMENTS, type Json, member, objects, read } from "./files.ts";

const ENDPOINT = "/api/";

/** An operation as a document has it: whether `@` has to be sent, and what it says that it may be. */
interface Documented {
  readonly method: string;
  readonly path: string;
  readonly id: unknown;
  readonly required: boolean;
  readonly names: readonly string[];
  /** Of a template none of whose names every deployment has: what its names look like. */
  readonly patterns: readonly string[];
}

function documentedIn(path: string, method: string, operation: Json): Documented {
  const at = objects(operation.parameters).find(({ name, in: place }) => name === "@" && place === "query");
  const body = member(operation, "requestBody");
  const media = member(member(body, "content"), "application/json");
  const examples = [{ value: media.example }, ...Object.values(member(media, "examples"))];
  const schema = member(at ?? {}, "schema");
  const kinds = [schema, ...objects(schema.anyOf)];
  const listed = kinds.flatMap((kind) => kind.enum ?? []);
  const names = at
    ? [listed.length > 0 ? listed : at.example].flat()
    : objects(examples).map(({ value }) => member({ value }, "value")["@"]);
  const required = (at ?? body).required === true;
  const texts = (values: readonly unknown[]) => values.filter((value) => typeof value === "string");
  const patterns = texts(kinds.map(({ pattern }) => pattern));
  return { method, path, id: operation.operationId, required, names: texts(names), patterns };
}

const operationsOf = (document: Json): readonly Documented[] =>
  Object.entries(member(document, "paths")).flatMap(([path, item]) =>
    Object.entries(member({ item }, "item")).map(([method, operation]) =>
      documentedIn(path, method.toUpperCase(), member({ operation }, "operation")),
    ),
  );

/** The published contract holds what is served (D11). */
export const contractOperations = [
  ...DOCUMENTS.map((file) =>
    check(`contract/operations#${file.slice(1)}`, {}, async (api) => {
      // By operation a template stands for all of its names; on the wire each is one of a list.
      const listed = file === "/openapi.json" ? (await entries(api)).map(({ operation }) => [operation, "GET"]) : [];
      const documented = operationsOf(await read(api, file));
      const named = documented.flatMap(({ method, names }) => names.map((name) => [name, method] as const));
      const known = every.map((one) => [nameOf(one), one.method] as const);
      const fits = ([name, verb]: readonly unknown[]) =>
        documented.some(
          ({ method, patterns }) => method === verb && patterns.some((one) => RegExp(one).test(`${name}`)),
        );
      const missing = [...known, ...listed].filter(
        (one) => !named.some((other) => `${other}` === `${one}`) && !fits(one),
      );
      if (missing.length > 0)
        fail("body:/paths", "every operation", `no ${missing.map((one) => one.join(" by ")).join(", no ")}`);
      // Called without credentials and input: it may be refused, but it must be known.
      await inEach(named, async ([name, method]) => {
        const body = method === "GET" ? {} : { body: { "@": name } };
        const reply = await api.call(name, { method, credentials: "none", ...body });
        if (reply.status === 405 || reply.status === 404)
          fail("body:/paths", `what the contract has served by ${method}`, describe(reply));
      });
    }),
  ),
  check("contract/callable", {}, async (api) => {
    const documented = toJudge(operationsOf(await read(api, "/openapi.operations.json")), "documented operation");
    for (const { path, required, names } of documented) {
      const { pathname } = new URL(path, "https://h.example");
      if (pathname !== ENDPOINT) fail("body:/paths", `${path} to be sent as ${ENDPOINT}`, pathname);
      if (names.length !== 1 || !required)
        fail("body:/paths", `one name at @, that ${path} requires`, names.join() || "none");
    }
    const ids = documented.map(({ id }) => String(id));
    const bad = ids.filter((id, index) => !/^[A-Za-z]\w*$/.test(id) || ids.indexOf(id) !== index);
    if (bad.length > 0) fail("body:/paths", "an identifier of its own as each operationId", bad.join(", "));
  }),
];
