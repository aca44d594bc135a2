import { createHash } from "node:crypto";
import { contract as packaged } from "./contract.ts";
import type { Contract, Schema } from "./oracle/contract.ts";
import { resolve } from "./oracle/contract.ts";
import { readContract as readComplete } from "./oracle/read-contract.ts";
import { isObject } from "./oracle/schema.ts";

type Json = Readonly<Record<string, unknown>>;

const objectIn = (value: unknown): Json => (isObject(value) ? value : {});
const objectsIn = (value: unknown): readonly Json[] =>
  Array.isArray(value) ? value.map(objectIn) : [];

/** The codes of the step `handle` that every service has. */
const isOfProtocol = (code: string) =>
  /^invalid-(?:cursor|idempotency-key)$|^idempotency-key-reused$/.test(code) ||
  (packaged.problems[code]?.status ?? 0) >= 500;

/** What every service has, by the contract of this one. */
const requirements = packaged.requirements.filter(
  ({ operation, location }) => operation === null && location?.file.startsWith("protocol/"),
);
const clauses = packaged.clauses.filter(({ id }) =>
  requirements.some(({ clause }) => clause === id),
);
const steps = packaged.steps.map(({ step, problems, ...rest }) => ({
  ...rest,
  step,
  problems: step === "handle" ? problems.filter(isOfProtocol) : problems,
}));
const problems = Object.fromEntries(
  steps.flatMap((step) => step.problems.map((code) => [code, packaged.problems[code]])),
);

const NO_INPUT: Schema = { type: "object", properties: {}, additionalProperties: false };
const SIMPLE = ["string", "integer", "number", "boolean"];

/** An operation with what follows from what is written of it. */
function operationOf(id: string, given: unknown, schemas: Json) {
  const written: Json = { name: id, schema: NO_INPUT, ...objectIn(given) };
  const parts = [...`${written.name}`.matchAll(/\{(\w+)\}/g)].map(([, part = ""]) => part);
  if (parts.length > 0 && !("pattern" in written))
    throw new Error(`it is no contract: #/operations/${id}/pattern is missing`);
  const read = (schema: unknown) => objectIn(resolve({ schemas } as Contract, objectIn(schema)));
  const { properties, required } = read(written.schema);
  const members = Object.entries(objectIn(properties)).filter(([name]) => !parts.includes(name));
  const input = members.map(([name, schema]) => {
    const { type } = read(schema);
    const isRequired = Array.isArray(required) && required.includes(name);
    return [name, { type: SIMPLE.includes(`${type}`) ? type : "json", required: isRequired }];
  });
  const responses = objectsIn(written.responses);
  const answers = [...new Set(responses.map(({ status }) => status))].map((status) => ({
    status,
    mediaTypes: responses.flatMap((one) => (one.status === status ? one.mediaType : [])),
  }));
  return {
    id,
    summary: id,
    pattern: null,
    parts,
    known: [],
    scope: null,
    input: Object.fromEntries(input),
    answers,
    problems: [],
    exampleFrom: {},
    deprecation: null,
    decides: {},
    headers: [],
    ...written,
  };
}

/** A contract that is written by hand, with what every service has, and what follows. */
function completed(written: Json): Json {
  const own = objectIn(written.problems);
  const schemas = objectIn(written.schemas);
  const operations = Object.entries(objectIn(written.operations)).map(
    ([id, given]) => [id, operationOf(id, given, schemas)] as const,
  );
  const scopes = operations.flatMap(([, { scope }]) => scope ?? []);
  return {
    format: packaged.format,
    hash: createHash("sha256").update(JSON.stringify(written)).digest("hex"),
    limits: packaged.limits,
    keys: packaged.keys,
    scopes: [...new Set(scopes)],
    ...written,
    schemas,
    steps: steps.map((step) =>
      step.step === "handle"
        ? { ...step, problems: [...step.problems, ...Object.keys(own)] }
        : step,
    ),
    clauses: [...clauses, ...objectsIn(written.clauses)],
    requirements: [...requirements, ...objectsIn(written.requirements)],
    problems: { ...problems, ...own },
    operations: Object.fromEntries(operations),
  };
}

/**
 * Reads the JSON value of a contract file: of one that a generator wrote, or, without `format` and
 * `steps`, of one that is written by hand. Throws an `Error` that says what is wrong with it, and
 * where.
 */
export const readContract = (value: unknown): Contract =>
  readComplete(
    isObject(value) && isObject(value.operations) && !("format" in value || "steps" in value)
      ? completed(value)
      : value,
  );
