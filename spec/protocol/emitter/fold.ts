import type { ContractModel, OperationModel } from "./model.ts";
import type { Document, Media, Operation, Parameter, Response, Schema } from "./openapi.ts";
import { PROBLEM, schemaRef } from "./openapi.ts";

/** The paths of operations resolve to it once their dot segments are removed (RFC 3986, 5.2.4). */
const ENDPOINT = "/api/";

/**
 * Both documents: `wire` has the one real path with GET and POST merged, `byOperation` a path for
 * each operation.
 */
export function fold({
  document,
  operations,
}: ContractModel): Record<"wire" | "byOperation", Document> {
  const gets = operations.filter(({ method }) => method === "GET");
  const posts = operations.filter(({ method }) => method === "POST");
  const { parameters: _, schemas, ...otherComponents } = document.components;
  const [alone, responses] = withSharedProblems(operations);
  const components = { schemas: { ...schemas, ...namesOf(gets) }, ...otherComponents, responses };
  const items = (key: (id: string) => string) =>
    Object.fromEntries(
      operations.map(({ id, method }, index) => [
        key(id),
        { [method.toLowerCase()]: alone[index] },
      ]),
    );
  return {
    wire: {
      ...document,
      paths: {
        [ENDPOINT]: {
          ...(gets.length > 0 ? { get: mergeQueries(gets) } : {}),
          ...(posts.length > 0 ? { post: mergeCommands(posts) } : {}),
        },
      },
      components: { ...components, pathItems: items((id) => id) },
    },
    byOperation: { ...document, paths: items((id) => `${ENDPOINT}${id}/../`), components },
  };
}

/**
 * Each operation as sent, and the responses that are only problems: each different one once, as
 * `problems.<status>[.<n>]`.
 */
function withSharedProblems(
  operations: readonly OperationModel[],
): [Operation[], Record<string, Response>] {
  const shared = new Map<string, Response>();
  const share = (status: number, response: Response): Response | { $ref: string } => {
    if (Object.keys(response.content ?? {}).join() !== PROBLEM) return response;
    const isTaken = (name: string) =>
      shared.has(name) && JSON.stringify(shared.get(name)) !== JSON.stringify(response);
    let name = `problems.${status}`;
    for (let n = 2; isTaken(name); n += 1) name = `problems.${status}.${n}`;
    shared.set(name, response);
    return { $ref: `#/components/responses/${name}` };
  };
  const alone = operations.map((model) => {
    const responses = model.responses.map(({ status, response }) => [
      status,
      share(status, response),
    ]);
    return { ...onTheWire(model), responses: Object.fromEntries(responses) };
  });
  return [alone, Object.fromEntries([...shared].sort(([a], [b]) => (a < b ? -1 : 1)))];
}

const selector = (schema: Schema, example?: string): Parameter => ({
  name: "@",
  in: "query",
  required: true,
  description: "The name of the operation.",
  schema,
  ...(example === undefined ? {} : { example }),
});

/** The name of one operation: a schema of its own, or the pattern of a template. */
const nameSchema = ({ id, pattern }: OperationModel): Schema =>
  pattern === null ? { $ref: schemaRef(nameKey(id)) } : { type: "string", pattern };

const nameKey = (id: string): string => `${id}.name`;

/**
 * The names of queries, each the only value of its schema, so that a client need not set it. From
 * `@` no generator can make an identifier: of a schema without a name of its own they would make
 * one that is named as a model.
 */
const namesOf = (queries: readonly OperationModel[]): Record<string, Schema> =>
  Object.fromEntries(
    queries
      .filter(({ pattern }) => pattern === null)
      .map(({ id, name }) => [nameKey(id), { type: "string", enum: [name], default: name }]),
  );

/** The name of a call: each part filled in from the example. */
export const calledName = ({ name, example }: OperationModel): string =>
  name.replaceAll(/\{(\w+)\}/g, (_, part: string) => String(example[part]));

/**
 * An operation as sent: its name as the parameter `@`, which includes the parts of a templated
 * name.
 */
function onTheWire(model: OperationModel): Operation {
  const { operation, method, name, summary } = model;
  const parameters = operation.parameters.filter((parameter) => parameter.in !== "path");
  if (method === "GET") parameters.unshift(selector(nameSchema(model), calledName(model)));
  return { ...operation, summary: `${name}: ${summary}`, parameters };
}

function mergeQueries(models: readonly OperationModel[]): Operation {
  // With a pattern next to the names, generators of types would allow any text as a name: known
  // names represent theirs.
  const names = models.flatMap(({ name, pattern, known }) => (pattern === null ? [name] : known));
  const patterns = models
    .filter(({ pattern, known }) => pattern !== null && known.length === 0)
    .map(nameSchema);
  const name: Schema = { type: "string", enum: names };
  const selected = selector(patterns.length > 0 ? { anyOf: [name, ...patterns] } : name);
  return merged("get", models, [selected, ...parametersOf(models)]);
}

/** The parameters of all, except the name: each lists its operations. */
function parametersOf(models: readonly OperationModel[]): Parameter[] {
  const uses = models.flatMap((model) =>
    onTheWire(model).parameters.flatMap((parameter) =>
      parameter.name === "@" ? [] : [{ user: model.id, parameter }],
    ),
  );
  return grouped(uses, ({ parameter }) => `${parameter.in} ${parameter.name}`).map((all) => {
    const { example: _, ...parameter } = all[0].parameter;
    return {
      ...parameter,
      schema: anyOf(all.map((use) => use.parameter.schema)),
      required: parameter.required === true && all.length === models.length,
      description: (
        `${parameter.description ?? ""} Only for ` +
        `${all.map(({ user }) => `\`${user}\``).join(", ")}.`
      ).trim(),
    };
  });
}

function mergeCommands(models: readonly OperationModel[]): Operation {
  const refs = models.flatMap(({ name, bodySchema }) =>
    bodySchema?.$ref ? [[name, bodySchema.$ref] as const] : [],
  );
  const examples = models.map(({ id, name, summary, example }) => [
    id,
    { summary, value: { "@": name, data: example } },
  ]);
  const schema = {
    oneOf: refs.map(([, $ref]) => ({ $ref })),
    discriminator: { propertyName: "@", mapping: Object.fromEntries(refs) },
  };
  const content = { "application/json": { schema, examples: Object.fromEntries(examples) } };
  return {
    ...merged("post", models, parametersOf(models)),
    requestBody: { required: true, content },
  };
}

/**
 * The shared parts of all operations of a method. Security is the union: each operation's own entry
 * has its requirement.
 */
function merged(
  method: string,
  models: readonly OperationModel[],
  parameters: Parameter[],
): Operation {
  const answers = models.flatMap(({ id, responses }) => responses.map((one) => ({ id, ...one })));
  return {
    operationId: method === "get" ? "apiGet" : "apiPost",
    summary: `Every operation of ${method.toUpperCase()}, chosen by \`@\``,
    description: [
      "| `@` | Operation | Key and platform |",
      "| --- | --- | --- |",
      ...models.map(
        ({ name, summary, auth }) => `| \`${name}\` | ${summary} | ${auth ? "yes" : "no"} |`,
      ),
    ].join("\n"),
    tags: unique(models.flatMap(({ operation }) => operation.tags ?? [])),
    security: unique(models.flatMap(({ operation }) => operation.security ?? [])),
    parameters,
    responses: Object.fromEntries(
      grouped(answers, ({ status }) => status).map((same) => [
        same[0].status,
        mergeResponses(same),
      ]),
    ),
  };
}

function mergeResponses(
  answers: readonly { readonly id: string; readonly response: Response }[],
): Response {
  const media = answers.flatMap(({ id, response }) =>
    Object.entries(response.content ?? {}).map(([type, one]) => ({ id, type, ...one })),
  );
  const content = grouped(media, ({ type }) => type).map((same): [string, Media] => {
    const examples = same.flatMap(({ id, example }) =>
      example === undefined ? [] : [[id, { value: example }]],
    );
    const schema = anyOf(same.map((one) => one.schema));
    return [
      same[0].type,
      { schema, ...(examples.length > 0 ? { examples: Object.fromEntries(examples) } : {}) },
    ];
  });
  const responses = answers.map(({ response }) => response);
  const descriptions = new Set(responses.flatMap(({ description }) => description.split("\n\n")));
  // A header that only some of the merged responses have is optional.
  const headers = Object.entries<object>(
    Object.assign({}, ...responses.map((one) => one.headers)),
  ).map(([name, header]) => [
    name,
    responses.every((one) => name in (one.headers ?? {})) ? header : { ...header, required: false },
  ]);
  return {
    description: [...descriptions].join("\n\n"),
    headers: Object.fromEntries(headers),
    ...(content.length > 0 ? { content: Object.fromEntries(content) } : {}),
  };
}

/** One schema for several: the alternatives of all, each once. */
function anyOf(schemas: readonly Schema[]): Schema {
  const [only, ...rest] = unique(schemas.flatMap((schema) => schema.anyOf ?? [schema]));
  return only && rest.length === 0 ? only : { anyOf: [...(only ? [only] : []), ...rest] };
}

const unique = <T>(list: readonly T[]): T[] => [
  ...new Map(list.map((item) => [JSON.stringify(item), item])).values(),
];

/** Groups items by key, in the order of the first of each. */
function grouped<T>(list: readonly T[], keyOf: (item: T) => unknown): [T, ...T[]][] {
  const groups = new Map<unknown, [T, ...T[]]>();
  for (const item of list) {
    const group = groups.get(keyOf(item));
    if (group) group.push(item);
    else groups.set(keyOf(item), [item]);
  }
  return [...groups.values()];
}
