import { expectObject } from "../../client/expect.ts";
import { follow, type Json, member, objects, strings } from "./files.ts";

const METHODS = ["get", "post", "put", "patch", "delete"];

/** An operation as a document has it. */
export interface Documented {
  readonly method: string;
  readonly path: string;
  readonly id: string;
  /** Whether `@` has to be sent. */
  readonly required: boolean;
  /** What `@` may be: names, and patterns of names. */
  readonly names: readonly string[];
  readonly patterns: readonly string[];
  /** A name that fits a pattern. */
  readonly example: unknown;
}

interface At {
  readonly required: boolean;
  readonly schema: Json;
  readonly example?: unknown;
}

function atOfQuery(document: Json, { parameters }: Json): At {
  const all = objects(parameters).map((parameter) => follow(document, parameter));
  const at = all.find(({ name, in: place }) => name === "@" && place === "query") ?? {};
  return { required: at.required === true, schema: follow(document, member(at, "schema")), example: at.example };
}

/** By the schema of the body, or by the discriminator of several. */
function atOfBody(document: Json, operation: Json): At {
  const content = member(follow(document, member(operation, "requestBody")), "content");
  const body = follow(document, member(member(content, "application/json"), "schema"));
  const required = strings(body.required).includes("@");
  return body.discriminator === undefined
    ? { required, schema: follow(document, member(member(body, "properties"), "@")) }
    : { required, schema: { enum: Object.keys(member(member(body, "discriminator"), "mapping")) } };
}

/** The operations of a document below an object of path items. */
function operationsIn(document: Json, items: Json): Documented[] {
  return Object.entries(items).flatMap(([path, item]) =>
    METHODS.filter((method) => Object.hasOwn(expectObject(item), method)).map((method) => {
      const operation = member(expectObject(item), method);
      const at = method === "post" ? atOfBody(document, operation) : atOfQuery(document, operation);
      const branches = [at.schema, ...objects(at.schema.anyOf), ...objects(at.schema.oneOf)];
      return {
        method,
        path,
        id: String(operation.operationId),
        required: at.required,
        names: branches.flatMap((branch) => [...strings(branch.enum), ...strings([branch.const])]),
        patterns: branches.flatMap((branch) => strings([branch.pattern])),
        example: at.example,
      };
    }),
  );
}

/** What a document says below `paths`. */
export const inPaths = (document: Json) => operationsIn(document, member(document, "paths"));

/** What the wire document says of each operation by itself, below `components.pathItems`. */
export const inItems = (document: Json) => operationsIn(document, member(member(document, "components"), "pathItems"));
