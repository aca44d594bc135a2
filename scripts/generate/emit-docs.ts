import type { ContractModel, OperationModel } from "./model.ts";
import { responsesOf } from "./normalise.ts";
import { type Document, PROBLEM, resolve, type Schema, schemaName } from "./openapi.ts";

export const HEADER = "<!-- Generated from spec/ by `npm run generate`. Do not edit. -->\n";
const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
const cell = (text: string): string => text.replaceAll("|", "\\|").replaceAll(/\s*\n\s*/g, " ");

/** `docs/reference.md`: every operation with its input, its answers, its problems and a call. */
export function emitReference({ document, operations }: ContractModel): string {
  return [
    HEADER,
    `# ${document.info.title} ${document.info.version}: reference\n`,
    `${document.info.description}\n`,
    "In the calls below `$BASE` is the base URL of a deployment, `$API_KEY` a key and `web` the platform.\n",
    "| Operation | Method | Credentials | |",
    "| --- | --- | --- | --- |",
    ...operations.map(
      ({ name, method, scope, summary }) =>
        `| \`${name}\` | ${method} | ${scope ? `key, platform, scope \`${scope}\`` : "none"} | ${cell(summary)} |`,
    ),
    "",
    ...operations.map((model) => operationSection(document, model)),
    "## Models\n",
    ...models(document),
  ].join("\n");
}

function operationSection(document: Document, model: OperationModel): string {
  const { name, operation, summary, scope, deprecation } = model;
  return [
    `## ${name}\n`,
    `**${summary}.** ${operation.description}\n`,
    ...(deprecation
      ? [`Deprecated since ${deprecation.since}, ends on ${deprecation.sunset}: see <${deprecation.link}>.\n`]
      : []),
    scope ? `Needs an API key with the scope \`${scope}\` and a platform.\n` : "Needs no credentials.\n",
    "```sh",
    curl(model),
    "```\n",
    ...inputTable(document, model),
    ...answers(document, model),
    `Problems: ${model.problems.map((code) => `\`${code}\``).join(", ")}.\n`,
  ].join("\n");
}

/** A call that works as it stands, once `$BASE` and `$API_KEY` are set. */
function curl({ method, name, parts, auth, example }: OperationModel): string {
  const credentials = auth ? ' -H "X-API-KEY: $API_KEY" -H "X-PLATFORM: web"' : "";
  if (method === "POST") {
    const body = JSON.stringify({ "@": name, data: example });
    return `curl -s "$BASE/api/"${credentials} -H "Content-Type: application/json" \\\n  -d '${body}'`;
  }
  const called = name.replaceAll(/\{(\w+)\}/g, (_, part: string) => String(example[part]));
  const query = Object.entries(example)
    .filter(([member]) => !parts.includes(member))
    .map(([member, value]) => `&${member}=${encodeURIComponent(String(value))}`);
  return `curl -s "$BASE/api/?@=${called}${query.join("")}"${credentials}`;
}

function inputTable(document: Document, { method, inputSchema, parts }: OperationModel): string[] {
  const { properties = {}, required = [] } = resolve(document, inputSchema);
  const members = Object.entries(properties);
  if (members.length === 0) return ["No input.\n"];
  const place = (member: string) =>
    method === "POST" ? `\`data.${member}\`` : parts.includes(member) ? `\`{${member}}\` in the name` : `\`${member}\``;
  return [
    "| Input | Type | | |",
    "| --- | --- | --- | --- |",
    ...members.map(
      ([member, schema]) =>
        `| ${place(member)} | ${cell(typeText(document, schema))} | ${required.includes(member) ? "required" : "optional"} | ${cell(schema.description ?? "")} |`,
    ),
    "",
  ];
}

function answers(document: Document, { operation }: OperationModel): string[] {
  return responsesOf(document, operation.responses).flatMap(([status, { description, content = {} }]) => {
    const types = Object.entries(content).filter(([type]) => type !== PROBLEM);
    if (types.length === 0) return status < 400 ? [`**${status}** ${description}\n`] : [];
    return [
      `**${status}** ${description} ${types.map(([type, { schema }]) => `\`${type}\`${schema.$ref ? ` ${link(schema.$ref)}` : ""}`).join(", ")}\n`,
      ...types.flatMap(([, { example }]) => (example === undefined ? [] : [`${json(example)}\n`])),
    ];
  });
}

const link = (ref: string): string => `[${schemaName(ref)}](#${schemaName(ref).toLowerCase()})`;

/** A schema in a few words: its type and its limits. */
function typeText(document: Document, schema: Schema): string {
  if (schema.$ref) {
    const { type } = resolve(document, schema);
    return `${typeof type === "string" && type !== "object" ? `${type}, ` : ""}${link(schema.$ref)}`;
  }
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(" or ");
  if (schema.items) return `list of ${typeText(document, schema.items)}`;
  const { minimum, maximum, minLength, maxLength, pattern } = schema;
  const limits = [
    minimum === undefined ? "" : `from ${minimum}`,
    maximum === undefined ? "" : `to ${maximum}`,
    minLength === undefined ? "" : `at least ${minLength} long`,
    maxLength === undefined ? "" : `at most ${maxLength} long`,
    pattern === undefined ? "" : `\`${pattern}\``,
    schema.default === undefined ? "" : `default ${JSON.stringify(schema.default)}`,
  ];
  return [String(schema.type ?? "any"), ...limits.filter(Boolean)].join(", ");
}

function models(document: Document): string[] {
  return Object.entries(document.components.schemas)
    .filter(([name]) => !name.startsWith("problem.") && !name.endsWith(".body"))
    .flatMap(([name, schema]) => [
      `### ${name}\n`,
      `${schema.description ?? ""}\n`,
      ...(schema.properties
        ? [
            "| Member | Type | | |",
            "| --- | --- | --- | --- |",
            ...Object.entries(schema.properties).map(
              ([member, inner]) =>
                `| \`${member}\` | ${cell(typeText(document, inner))} | ${schema.required?.includes(member) ? "always" : "optional"} | ${cell(inner.description ?? "")} |`,
            ),
            "",
          ]
        : [`${cell(typeText(document, { ...schema }))}\n`]),
    ]);
}

/** `docs/problems.md`: every code under a heading of its own, so that `type` of a problem leads to it. */
export function emitProblems({ document, problems }: ContractModel): string {
  return [
    HEADER,
    `# ${document.info.title} ${document.info.version}: problems\n`,
    "Every refusal is a problem document (RFC 9457), `application/problem+json`. Program against `code`; `title` and `detail` are for people and may be reworded.\n",
    "| Code | Status | |",
    "| --- | --- | --- |",
    ...problems.map(({ code, status, title }) => `| [\`${code}\`](#${code}) | ${status} | ${title} |`),
    "",
    ...problems.flatMap(({ code, status, meaning, example }) => [
      `## ${code}\n`,
      `${status}. ${meaning}\n`,
      `${json(example)}\n`,
    ]),
  ].join("\n");
}
