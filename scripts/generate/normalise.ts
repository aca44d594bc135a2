import type { ProblemFacts } from "./facts.ts";
import { type Document, PROBLEM, type Response, resolve, type Schema, schemaName } from "./openapi.ts";

type Node = Record<string, unknown>;
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value);

/** The compiler's spelling of a document, made simpler without a change of meaning. */
export function normalise(compiled: unknown, problems: readonly ProblemFacts[]): Document {
  const document = rewrite(compiled, "") as Document;
  for (const { code, meaning } of problems) {
    const schema = document.components.schemas[`problem.${code}`];
    if (schema) schema.description = meaning;
  }
  for (const item of Object.values(document.paths)) {
    for (const operation of Object.values(item)) {
      if (operation["x-deprecation"]) operation.deprecated = true;
      // Written out, so that an operation means the same where it is read alone.
      operation.security ??= document.security ?? [];
      for (const response of Object.values(operation.responses)) describe(response, problems);
    }
  }
  hoistProblems(document);
  return document;
}

function rewrite(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value.map((item) => rewrite(item, ""));
  if (!isNode(value)) return value;
  if (key === "example" || key === "examples" || key === "default") return value;
  const result: Node = {};
  for (const [name, member] of Object.entries(value)) {
    if (
      name === "unevaluatedProperties" &&
      !("allOf" in value || "anyOf" in value || "oneOf" in value || "$ref" in value)
    ) {
      // `...Record<never>` closes a model.
      const never = isNode(member) && isNode(member.not) && Object.keys(member.not).length === 0;
      result.additionalProperties = never ? false : rewrite(member, name);
    } else if (
      name === "allOf" &&
      Array.isArray(member) &&
      member.length === 1 &&
      isNode(member[0]) &&
      !("properties" in value)
    ) {
      // A reference with a description beside it: OpenAPI 3.1 needs no allOf for it. (With members beside it, it is an `extends`.)
      Object.assign(result, rewrite(member[0], ""));
    } else if (name === "variables" && isNode(member) && Object.keys(member).length === 0) {
      // A server without variables.
    } else if (name === "explode" && member === false && !(isNode(value.schema) && value.schema.type === "array")) {
      // Says nothing of a value that is no list.
    } else {
      result[name] = rewrite(member, name);
    }
  }
  return result;
}

/** The compiler describes a status by one of its problems; all of them count. */
function describe(response: Response, problems: readonly ProblemFacts[]): void {
  const media = response.content?.[PROBLEM];
  if (!media) return;
  const codes = problemCodes(media.schema);
  response.description = problems
    .filter(({ code }) => codes.includes(code))
    .map(({ code, meaning }) => `\`${code}\`: ${meaning}`)
    .join("\n\n");
}

/** The codes that a schema of problems allows, in its order. */
export const problemCodes = (schema: Schema): string[] =>
  (schema.anyOf ?? [schema]).map(({ $ref }) => schemaName(String($ref)).replace(/^problem\./, ""));

/** Answers that are only problems stand in many operations: each different one is kept once, as `problems.<status>[.<n>]`. */
function hoistProblems(document: Document): void {
  const hoisted: Record<string, Response> = {};
  for (const item of Object.values(document.paths)) {
    for (const operation of Object.values(item)) {
      for (const [status, response] of Object.entries(operation.responses)) {
        if (Object.keys(response.content ?? {}).join() !== PROBLEM) continue;
        const same = (name: string) => JSON.stringify(hoisted[name]) === JSON.stringify(response);
        let name = `problems.${status}`;
        for (let n = 2; hoisted[name] && !same(name); n += 1) name = `problems.${status}.${n}`;
        hoisted[name] = response;
        operation.responses[status] = { $ref: `#/components/responses/${name}` } as Response;
      }
    }
  }
  document.components.responses = Object.fromEntries(Object.entries(hoisted).sort(([a], [b]) => (a < b ? -1 : 1)));
}

/** The answers of an operation by status, references followed. */
export const responsesOf = (
  document: Document,
  responses: Record<string, Response>,
): [status: number, response: Response][] =>
  Object.entries(responses).map(([status, response]) => [Number(status), resolve(document, response)]);
