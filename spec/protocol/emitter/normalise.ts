import { PLAIN_TIME } from "./formats.ts";
import type { Document } from "./openapi.ts";

type Node = Record<string, unknown>;
const isNode = (value: unknown): value is Node => typeof value === "object" && value !== null && !Array.isArray(value);

/** The compiler's form of a document, simplified without a change of meaning. */
export const normalise = (compiled: object): Document => rewrite(JSON.parse(JSON.stringify(compiled)), "") as Document;

function rewrite(value: unknown, key: string): unknown {
  if (Array.isArray(value)) return value.map((item) => rewrite(item, ""));
  if (!isNode(value) || key === "example" || key === "examples" || key === "default") return value;
  // The names of members may be spelled as keywords.
  if (key === "properties")
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, rewrite(member, "")]));
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]): [string, unknown][] => {
      if (name === "unevaluatedProperties" && !["allOf", "anyOf", "oneOf", "$ref"].some((other) => other in value)) {
        // `...Record<never>` closes a model.
        const never = isNode(member) && isNode(member.not) && Object.keys(member.not).length === 0;
        return [["additionalProperties", never ? false : rewrite(member, name)]];
      }
      // A reference next to a description: OpenAPI 3.1 needs no allOf for it. (With members next to it, it is an `extends`.)
      if (name === "allOf" && Array.isArray(member) && member.length === 1 && !("properties" in value))
        return Object.entries(rewrite(member[0], "") as Node);
      if (name === "format" && member === "time") return [["pattern", PLAIN_TIME]];
      // A server without variables.
      if (name === "variables" && isNode(member) && Object.keys(member).length === 0) return [];
      // Has no effect on a value that is not a list.
      if (name === "explode" && member === false && !(isNode(value.schema) && value.schema.type === "array")) return [];
      return [[name, rewrite(member, name)]];
    }),
  );
}
