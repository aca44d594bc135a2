import { describe, fail } from "../../client/expect.ts";
import type { Aspect } from "../../client/expectation.ts";
import { every, nameOf } from "../../client/operation.ts";
import { check } from "../check.ts";
import { entries } from "../docs/document.ts";
import { inCase } from "../probe.ts";
import { type Documented, inItems, inPaths } from "./documented.ts";
import { BY_OPERATION, member, read, strings, valuesOf, WIRE } from "./files.ts";

const ENDPOINT = "/api/";

const takes = ({ names, patterns }: Documented, name: string) =>
  names.includes(name) || patterns.some((pattern) => new RegExp(pattern).test(name));

/** Each of these names is documented for its method. */
function expectAll(aspect: Aspect, documented: readonly Documented[], wanted: readonly (readonly [string, string])[]) {
  const missing = wanted.filter(
    ([method, name]) => !documented.some((one) => one.method === method.toLowerCase() && takes(one, name)),
  );
  if (missing.length > 0) fail(aspect, "every operation", `no ${missing.map(([, name]) => name).join(", no ")}`);
}

const sorted = (names: Iterable<string>) => [...new Set(names)].sort();

function expectSame(what: string, one: readonly string[], other: readonly string[]): void {
  const [a, b] = [sorted(one), sorted(other)];
  if (a.join() !== b.join()) fail("body:/paths", `${what}: ${a.join(", ")}`, b.join(", ") || "none");
}

const calls = every.map((one) => [one.method, nameOf(one)] as const);
const namesOf = (documented: readonly Documented[]) =>
  documented.flatMap(({ names, patterns }) => [...names, ...patterns]);

/** The published contract holds what is served, in each of its files (D11). */
export const contractOperations = [
  check("contract/operations#by-operation", {}, async (api) => {
    const documented = inPaths(await read(api, "/openapi.operations.json"));
    const own = documented.filter(({ path }) => path !== ENDPOINT);
    expectAll("body:/paths", own, calls);
  }),
  check("contract/operations#wire", {}, async (api) => {
    const document = await read(api, "/openapi.json");
    const paths = Object.keys(member(document, "paths"));
    if (!paths.includes(ENDPOINT) || paths.some((path) => path !== ENDPOINT && /^\/api/.test(path)))
      fail("body:/paths", `${ENDPOINT} as the one endpoint`, paths.join(", "));
    const documented = inPaths(document).filter(({ path }) => path === ENDPOINT);
    expectAll("body:/paths", documented, calls);
    expectAll("body:/components/pathItems", inItems(document), calls);
    const byOperation = inPaths(await read(api, "/openapi.operations.json"));
    expectSame("the operations of the document by operation", namesOf(byOperation), namesOf(inItems(document)));
    const documents = (await entries(api)).map(({ operation }) => ["GET", operation] as const);
    expectAll("body:/paths", documented, documents);
  }),
  // Nothing is served under a name that has no operation. Called without credentials and input: it may refuse, but it must be known.
  check("contract/operations#served", {}, async (api) => {
    const wire = inPaths(await read(api, "/openapi.json")).filter(({ path }) => path === ENDPOINT);
    const asked = new Set<string>();
    for (const one of [...inPaths(await read(api, "/openapi.operations.json")), ...wire]) {
      const method = one.method.toUpperCase();
      for (const name of [...one.names, ...(one.patterns.length > 0 ? strings([one.example]) : [])]) {
        if (asked.has(`${method} ${name}`)) continue;
        asked.add(`${method} ${name}`);
        const body = method === "GET" ? {} : { body: { "@": name } };
        const reply = await api.call(name, { method, credentials: "none", ...body });
        if (reply.status === 405 || reply.status === 404)
          fail("body:/paths", `${name} to be served by ${method}, as the contract says`, describe(reply));
      }
    }
  }),
  check("contract/operations#yaml", {}, async (api) => {
    for (const [json, yaml] of [WIRE, BY_OPERATION]) {
      const [one, other] = [await read(api, json), await read(api, yaml)];
      await inCase(yaml, () => {
        expectSame("the paths", Object.keys(member(one, "paths")), Object.keys(member(other, "paths")));
        expectSame("the operations", valuesOf("operationId", one), valuesOf("operationId", other));
      });
    }
  }),
  check("contract/callable", {}, async (api) => {
    const documented = inPaths(await read(api, "/openapi.operations.json"));
    for (const { path, required, names, patterns, example } of documented) {
      const { pathname } = new URL(path, "https://h.example");
      if (pathname !== ENDPOINT) fail("body:/paths", `${path} to be sent as ${ENDPOINT}`, pathname);
      const one = names.length === 1 || (patterns.length === 1 && new RegExp(String(patterns)).test(String(example)));
      if (!one || !required)
        fail(
          "body:/paths",
          `one name at @, or a pattern and an example, that ${path} requires`,
          names.join() || "none",
        );
    }
    const ids = documented.map(({ id }) => id);
    const bad = ids.filter((id, index) => !/^[A-Za-z]\w*$/.test(id) || ids.indexOf(id) !== index);
    if (bad.length > 0) fail("body:/paths", "an identifier of its own as each operationId", bad.join(", "));
  }),
];
