import { effectSentences } from "./effects.ts";
import { calledName } from "./fold.ts";
import type { ContractModel, OperationModel } from "./model.ts";
import { type Document, resolve, type Schema, schemaName } from "./openapi.ts";

const json = (value: unknown): string => `\`\`\`json\n${JSON.stringify(value, null, 2)}\n\`\`\``;
const codes = (list: readonly string[]): string => list.map((code) => `\`${code}\``).join(", ");
const oneLine = (text: string): string => text.replaceAll(/\s*\n\s*/g, " ");

const begin = ({ document: { info } }: ContractModel, what: string, lead: string): string[] => [
  "<!-- Generated from spec/ by `npm run generate`. Do not edit. -->\n",
  `# ${info.title} ${info.version}: ${what}\n`,
  `${lead}\n`,
];

/** A cell of a table; a bar would end it. */
const cellOf = (value: unknown): string =>
  `${` ${oneLine(String(value).replaceAll("|", "\\|"))}`.trimEnd()} `;
const table = (head: readonly string[], rows: readonly (readonly unknown[])[]): string[] => [
  ...[head, head.map(() => "---"), ...rows].map((cells) => `|${cells.map(cellOf).join("|")}|`),
  "",
];

/** `docs/reference.md`: every operation with its input, its responses, its problems and a call. */
export function emitReference(contract: ContractModel): string {
  const { document, operations, common } = contract;
  return [
    ...begin(contract, "operations", document.info.description),
    "In the calls below `$BASE` is the base URL of a deployment, `$API_KEY` a key and " +
      "`web` the platform.\n",
    ...table(
      ["Operation", "Method", "Credentials", ""],
      operations.map(({ name, method, scope, summary }) => [
        `\`${name}\``,
        method,
        scope ? `key, platform, scope \`${scope}\`` : "none",
        summary,
      ]),
    ),
    ...operations.map((model) => operationSection(document, model)),
    "## Common problems\n",
    ...common.map(({ request, codes }) => `${request}: ${codes.map(problemLink).join(", ")}.\n`),
    "## Models\n",
    ...models(document),
  ].join("\n");
}

function operationSection(document: Document, model: OperationModel): string {
  const { name, operation, summary, scope, deprecation, responses, effects } = model;
  const sentences = effectSentences(effects, link);
  return [
    `## ${name}\n`,
    `**${summary}.** ${operation.description}\n`,
    ...sentences.map((one) => `- ${one}`),
    ...(sentences.length > 0 ? [""] : []),
    ...(deprecation
      ? [
          `Deprecated since ${deprecation.since}, ends on ${deprecation.sunset}: see ` +
            `<${deprecation.link}>.\n`,
        ]
      : []),
    scope
      ? `Needs an API key with the scope \`${scope}\` and a platform.\n`
      : "Needs no credentials.\n",
    `\`\`\`sh\n${curl(model)}\n\`\`\`\n`,
    ...inputTable(document, model),
    ...responses.flatMap(({ status, response: { description }, answers }) => {
      if (answers.length === 0) return status < 400 ? [`**${status}** ${description}\n`] : [];
      const types = answers.map(
        ({ mediaType, schema: { $ref } }) => `\`${mediaType}\`${$ref ? ` ${link($ref)}` : ""}`,
      );
      const examples = answers.flatMap(({ example }) =>
        typeof example === "object" ? [`${json(example)}\n`] : [],
      );
      return [`**${status}** ${description} ${types.join(", ")}\n`, ...examples];
    }),
    problemsOf(model),
  ].join("\n");
}

const problemLink = (code: string): string => `[\`${code}\`](problems.md#${code})`;

const problemsOf = ({ ownProblems }: OperationModel): string =>
  ownProblems.length > 0
    ? `Problems: ${ownProblems.map(problemLink).join(", ")}, and the ` +
      "[common problems](#common-problems).\n"
    : "Problems: the [common problems](#common-problems).\n";

/** A call that works unchanged, once `$BASE` and `$API_KEY` are set. */
function curl(model: OperationModel): string {
  const { method, name, parts, auth, example } = model;
  const credentials = auth ? ' -H "X-API-KEY: $API_KEY" -H "X-PLATFORM: web"' : "";
  if (method === "POST") {
    const body = JSON.stringify({ "@": name, data: example });
    return (
      `curl -s "$BASE/api/"${credentials} -H "Content-Type: application/json" \\\n  -d ` +
      `'${body}'`
    );
  }
  const query = Object.entries(example)
    .filter(([member]) => !parts.includes(member))
    .map(
      ([member, value]) => `&${encodeURIComponent(member)}=${encodeURIComponent(String(value))}`,
    );
  return `curl -s "$BASE/api/?@=${calledName(model)}${query.join("")}"${credentials}`;
}

function inputTable(
  document: Document,
  { method, inputSchema, parts, operation }: OperationModel,
): string[] {
  const { properties = {}, required = [] } = resolve(document, inputSchema);
  const place = (member: string) =>
    method === "POST"
      ? `\`data.${member}\``
      : parts.includes(member)
        ? `\`{${member}}\` in the name`
        : `\`${member}\``;
  const rows = Object.entries(properties).map(([member, schema]) =>
    row(document, place(member), schema, required.includes(member) && "required"),
  );
  for (const { in: kind, name, schema, required: needed, description = "" } of operation.parameters)
    if (kind === "header")
      rows.push(
        row(document, `header \`${name}\``, { ...schema, description }, needed && "required"),
      );
  return rows.length > 0 ? table(["Input", "Type", "", ""], rows) : ["No input.\n"];
}

const row = (
  document: Document,
  label: string,
  schema: Schema,
  needed: string | false | undefined,
): string[] => [label, typeText(document, schema), needed || "optional", schema.description ?? ""];

const link = (ref: string): string => `[${schemaName(ref)}](#${schemaName(ref).toLowerCase()})`;

/** Limits in words: `1 to 200`, `at most 254`; "" without any. */
function rangeOf(from: number | undefined, to: number | undefined, until: string): string {
  if (from !== undefined && to !== undefined) return `${from}${until}${to}`;
  if (from !== undefined) return `at least ${from}`;
  return to === undefined ? "" : `at most ${to}`;
}

/** A schema in a few words: its type, its limits and its default. */
function typeText(document: Document, schema: Schema): string {
  if (schema.$ref) {
    const { enum: choices, pattern: _, ...target } = resolve(document, schema);
    const isNamed = target.type === undefined || target.type === "object" || target.items;
    return `${isNamed ? "" : `${typeText(document, target)}, `}${link(schema.$ref)}`;
  }
  if (schema.enum) return schema.enum.map((value) => `\`${JSON.stringify(value)}\``).join(" or ");
  if (schema.items) return `list of ${typeText(document, schema.items)}`;
  const { type = "any", minimum, maximum, minLength, maxLength, pattern, default: preset } = schema;
  const length = rangeOf(minLength, maxLength, " to ");
  // A dash before a minus would be read as two.
  const range = rangeOf(minimum, maximum, Number(minimum) < 0 ? " to " : "–");
  const unit = maxLength === undefined && minLength === 1 ? "character" : "characters";
  return [
    length ? `${length} ${unit}` : `${type} ${range}`.trim(),
    pattern === undefined ? "" : `\`${pattern}\``,
    preset === undefined ? "" : `default ${JSON.stringify(preset)}`,
  ]
    .filter(Boolean)
    .join(", ");
}

const models = (document: Document): string[] =>
  Object.entries(document.components.schemas)
    .filter(([name]) => !name.startsWith("problem.") && !name.endsWith(".body"))
    .flatMap(([name, schema]) => {
      const rows = Object.entries(schema.properties ?? {}).map(([member, inner]) =>
        row(document, `\`${member}\``, inner, schema.required?.includes(member) && "always"),
      );
      const text = schema.properties
        ? table(["Member", "Type", "", ""], rows)
        : [`${typeText(document, schema)}\n`];
      return [`### ${name}\n`, `${schema.description ?? ""}\n`, ...text];
    });

/**
 * `docs/problems.md`: every code under its own heading, so that `type` of a problem links to it.
 */
export const emitProblems = (contract: ContractModel): string =>
  [
    ...begin(
      contract,
      "problems",
      "Every error response is a problem document (RFC 9457), `application/problem+json`. " +
        "Program against `code`; `title` and `detail` are for people and may be reworded.",
    ),
    ...table(
      ["Code", "Status", ""],
      contract.problems.map(({ code, status, title }) => [
        `[\`${code}\`](#${code})`,
        status,
        title,
      ]),
    ),
    ...contract.problems.flatMap(({ code, status, meaning, example }) => [
      `## ${code}\n`,
      `${status}. ${meaning}\n`,
      `${json(example)}\n`,
    ]),
  ].join("\n");

/**
 * `docs/contract.md`: every clause with its decision and the requirements that follow from it, each
 * under its id.
 */
export function emitClauses(contract: ContractModel): string {
  const of = (id: string) => contract.requirements.filter(({ clause }) => clause === id);
  return [
    ...begin(
      contract,
      "contract",
      "Clauses whose number begins with G are given by the document that this service " +
        "implements; all others were decided where that document is silent. The conformance " +
        "suite tries every sentence below them from outside: `--explain ID` shows how. Parts " +
        "that are not built, or cannot be tried, are listed too.",
    ),
    ...table(
      ["Clause", "", "Requirements"],
      contract.clauses.map(({ id, title }) => [
        `[${id}](#${id.toLowerCase()})`,
        title,
        of(id).length,
      ]),
    ),
    ...contract.clauses.flatMap(({ id, title, decision, untried }) => [
      `## ${id}\n`,
      `**${title}.** ${oneLine(decision)}\n`,
      ...(untried === null ? [] : [`**Not tried.** ${untried}\n`]),
      ...(id === "Order" ? orderTable(contract) : []),
      ...of(id).map(
        ({ id, level, origin, sentence, operation }) =>
          `### ${id}\n\n${level}, ${origin}${operation ? `, of \`${operation}\`` : ""}. ` +
          `${sentence}\n`,
      ),
    ]),
  ].join("\n");
}

const orderTable = ({ steps }: ContractModel): string[] =>
  table(
    ["", "Step", "Condition", "Rejected with"],
    steps.map(({ step, does, problems }, index) => [
      index + 1,
      `\`${step}\``,
      does,
      codes(problems),
    ]),
  );
