import type { OperationModel } from "./model.ts";
import { responsesOf } from "./normalise.ts";
import {
  byJson,
  type Document,
  ENDPOINT,
  type Media,
  type Operation,
  type Parameter,
  pathOf,
  type Response,
  resolve,
  type Schema,
} from "./openapi.ts";

/** Both documents: `wire` has the one real path with GET and POST merged, `byOperation` a path for each operation. */
export function fold(
  document: Document,
  operations: readonly OperationModel[],
): { readonly wire: Document; readonly byOperation: Document } {
  const gets = operations.filter(({ method }) => method === "GET");
  const posts = operations.filter(({ method }) => method === "POST");
  const { parameters: _, ...components } = document.components;
  const items = (key: (model: OperationModel) => string) =>
    Object.fromEntries(
      operations.map((model) => [key(model), { [model.method.toLowerCase()]: onTheWire(document, model) }]),
    );
  return {
    wire: {
      ...document,
      paths: {
        [ENDPOINT]: {
          ...(gets.length > 0 ? { get: mergeQueries(document, gets) } : {}),
          ...(posts.length > 0 ? { post: mergeCommands(document, posts) } : {}),
        },
      },
      components: { ...components, pathItems: items(({ id }) => id) },
    },
    byOperation: { ...document, paths: items(({ id }) => pathOf(id)), components },
  };
}

const selector = (schema: Schema, example?: string): Parameter => ({
  name: "@",
  in: "query",
  required: true,
  description: "The name of the operation.",
  schema,
  ...(example === undefined ? {} : { example }),
});

/** The name of one operation: its only value, so that a client need not be told, or the pattern of a template. */
const nameSchema = ({ name, pattern }: OperationModel): Schema =>
  pattern === null ? { type: "string", enum: [name], default: name } : { type: "string", pattern };

/** An operation as it is sent: its name as the parameter `@`, the parts of a template name folded into it. */
function onTheWire(document: Document, model: OperationModel): Operation {
  const parameters = model.operation.parameters
    .map((parameter) => resolve(document, parameter))
    .filter(({ in: place }) => place !== "path");
  const { method, name, summary, example } = model;
  const called = name.replaceAll(/\{(\w+)\}/g, (_, part: string) => String(example[part]));
  return {
    ...model.operation,
    summary: `${name}: ${summary}`,
    parameters: method === "GET" ? [selector(nameSchema(model), called), ...parameters] : parameters,
  };
}

function mergeQueries(document: Document, models: readonly OperationModel[]): Operation {
  // A pattern beside the names would make any text a name to whoever generates types: known names stand for theirs.
  const names = models.flatMap(({ name, pattern, known }) => (pattern === null ? [name] : known));
  const patterns = models.filter(({ pattern, known }) => pattern !== null && known.length === 0).map(nameSchema);
  const name: Schema = { type: "string", enum: names };
  const others = new Map<string, { parameter: Parameter; users: string[] }>();
  for (const model of models) {
    for (const parameter of onTheWire(document, model).parameters.slice(1)) {
      const key = `${parameter.in} ${parameter.name}`;
      const known = others.get(key);
      if (known) {
        known.users.push(model.id);
        const schemas = byJson([...(known.parameter.schema.anyOf ?? [known.parameter.schema]), parameter.schema]);
        known.parameter.schema = schemas.length === 1 && schemas[0] ? schemas[0] : { anyOf: schemas };
      } else {
        const { example: _, ...rest } = parameter;
        others.set(key, { parameter: rest, users: [model.id] });
      }
    }
  }
  const parameters = [...others.values()].map(({ parameter, users }) => ({
    ...parameter,
    required: parameter.required === true && users.length === models.length,
    description: `${parameter.description ?? ""} Only for ${users.map((user) => `\`${user}\``).join(", ")}.`.trim(),
  }));
  return {
    ...merged(document, "get", models),
    parameters: [selector(patterns.length > 0 ? { anyOf: [name, ...patterns] } : name), ...parameters],
  };
}

function mergeCommands(document: Document, models: readonly OperationModel[]): Operation {
  const bodies = models.flatMap(({ name, bodySchema }) => (bodySchema?.$ref ? [{ name, ref: bodySchema.$ref }] : []));
  const examples = models.map(({ id, name, summary, example }) => [
    id,
    { summary, value: { "@": name, data: example } },
  ]);
  return {
    ...merged(document, "post", models),
    requestBody: {
      required: true,
      content: {
        "application/json": {
          schema: {
            oneOf: bodies.map(({ ref }) => ({ $ref: ref })),
            discriminator: {
              propertyName: "@",
              mapping: Object.fromEntries(bodies.map(({ name, ref }) => [name, ref])),
            },
          },
          examples: Object.fromEntries(examples),
        },
      },
    },
  };
}

/** What all operations of a method have together. Security is the union: which operation needs what is in its own entry. */
function merged(document: Document, method: string, models: readonly OperationModel[]): Operation {
  const statuses = new Map<number, Response[]>();
  for (const model of models) {
    for (const [status, response] of responsesOf(document, model.operation.responses)) {
      statuses.set(status, [...(statuses.get(status) ?? []), withNamedExamples(model.id, response)]);
    }
  }
  return {
    operationId: method === "get" ? "apiGet" : "apiPost",
    summary: `Every operation of ${method.toUpperCase()}, chosen by \`@\``,
    description: [
      "| `@` | Operation | Key and platform |",
      "| --- | --- | --- |",
      ...models.map(({ name, summary, auth }) => `| \`${name}\` | ${summary} | ${auth ? "yes" : "no"} |`),
    ].join("\n"),
    tags: byJson(models.flatMap(({ operation }) => operation.tags ?? [])),
    security: byJson(models.flatMap(({ operation }) => operation.security ?? [])),
    parameters: [],
    responses: Object.fromEntries([...statuses].map(([status, responses]) => [status, mergeResponses(responses)])),
  };
}

function withNamedExamples(id: string, response: Response): Response {
  const content = Object.entries(response.content ?? {}).map(([type, { example, ...media }]): [string, Media] => [
    type,
    example === undefined ? media : { ...media, examples: { [id]: { value: example } } },
  ]);
  return content.length > 0 ? { ...response, content: Object.fromEntries(content) } : response;
}

function mergeResponses(responses: readonly Response[]): Response {
  const content: Record<string, Media> = {};
  for (const response of responses) {
    for (const [type, media] of Object.entries(response.content ?? {})) {
      const known = content[type];
      const schemas = byJson([...alternatives(known?.schema), ...alternatives(media.schema)]);
      const examples = { ...known?.examples, ...media.examples };
      content[type] = {
        schema: schemas.length === 1 && schemas[0] ? schemas[0] : { anyOf: schemas },
        ...(Object.keys(examples).length > 0 ? { examples } : {}),
      };
    }
  }
  const descriptions = [...new Set(responses.flatMap(({ description }) => description.split("\n\n")))];
  return {
    description: descriptions.join("\n\n"),
    headers: optionalWhereNotShared(responses),
    ...(Object.keys(content).length > 0 ? { content } : {}),
  };
}

const alternatives = (schema: Schema | undefined): Schema[] => (schema ? (schema.anyOf ?? [schema]) : []);

/** A header that only some of the merged answers have is not required of all. */
function optionalWhereNotShared(responses: readonly Response[]): Record<string, unknown> {
  const all = Object.assign({}, ...responses.map(({ headers }) => headers)) as Record<string, Record<string, unknown>>;
  return Object.fromEntries(
    Object.entries(all).map(([name, header]) => [
      name,
      responses.every(({ headers }) => headers && name in headers) ? header : { ...header, required: false },
    ]),
  );
}
