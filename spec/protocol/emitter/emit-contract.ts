import { createHash } from "node:crypto";
import type { ContractModel, OperationModel } from "./model.ts";
import type { Document } from "./openapi.ts";

/**
 * The form of `contract.json`; a suite reads one. An older file has no member `format`, and is of
 * the first.
 */
const FORMAT = 2;

/**
 * `contract.json`: the whole contract as data, for programs that read it at run time (the
 * conformance suite, `--contract`). Everything in it is stated in the spec; references in schemas
 * point into `schemas`.
 */
export function emitContract(model: ContractModel, wire: Document) {
  const { document, operations, problems, clauses, requirements, steps, limits, keys } = model;
  const { deploymentVersion, resources } = model;
  const { title, version } = document.info;
  const named = Object.entries(document.components.schemas).filter(
    ([name]) => !name.startsWith("problem."),
  );
  const contract = {
    format: FORMAT,
    title,
    version,
    hash: createHash("sha256").update(JSON.stringify(wire)).digest("hex"),
    ...(deploymentVersion && { deploymentVersion }),
    limits,
    keys,
    requestHeaders: requestHeadersOf(model),
    ...(Object.keys(resources).length > 0 && { resources }),
    steps,
    clauses,
    requirements,
    problems: Object.fromEntries(
      problems.map(({ code, status, title, detail }) => [code, { status, title, detail }]),
    ),
    scopes: [...new Set(operations.flatMap(({ scope }) => scope ?? []))].sort(),
    operations: Object.fromEntries(
      operations.map((operation) => [operation.id, factsOf(operation)]),
    ),
    schemas: Object.fromEntries(named),
  };
  const text = JSON.stringify(contract).replaceAll(
    '"$ref":"#/components/schemas/',
    '"$ref":"#/schemas/',
  );
  return JSON.parse(text) as typeof contract; // The same, except for the addresses of references.
}

const headerParameters = ({ operation }: OperationModel) =>
  operation.parameters.filter((parameter) => parameter.in === "header");

/**
 * Every request header field that the service reads: in lowercase, since their letter case means
 * nothing.
 */
function requestHeadersOf({ requestHeaders, operations }: ContractModel): readonly string[] {
  const declared = operations.flatMap(headerParameters).map(({ name }) => name);
  return [...new Set([...requestHeaders, ...declared].map((name) => name.toLowerCase()))].sort();
}

/** The table's facts of an operation, with the schemas of its input and responses. */
function factsOf(model: OperationModel) {
  const { facts, decides, unordered, effects, inputSchema, responses } = model;
  return {
    ...facts,
    ...(unordered && { unordered }),
    ...effects,
    decides,
    schema: inputSchema,
    headers: headerParameters(model).map(({ name, required = false, schema }) => ({
      name,
      required,
      schema,
    })),
    responses: responses.flatMap(({ status, answers }) =>
      answers.map(({ mediaType, schema }) => ({ status, mediaType, schema })),
    ),
  };
}

export type ContractData = ReturnType<typeof emitContract>;
