// The text of a new operation in the spec. Its response follows from its verb: `create` creates a
// record, `list` returns a page of them, anything else returns one. The record is that of the
// resource; if there is none yet, it is defined here.

export interface NewOperation {
  readonly id: string;
  readonly resource: string;
  readonly verb: string;
  readonly parts: readonly string[];
  readonly method: "GET" | "POST";
  /** Its name in the spec. */
  readonly camel: string;
}

export const HEAD = `import "@typespec/http"; import "@typespec/openapi";
import "../protocol"; import "../clauses.tsp";
using Http; using OpenAPI; namespace Atpoint;
`;

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** The first part of the scopes of a resource: `note` → `notes`. */
export const plural = (word: string): string =>
  /[^s]s$/.test(word)
    ? word
    : `${word.replace(/([^aeiou])y$/, "$1ie").replace(/(s|x|z|ch|sh)$/, "$1e")}s`;

/** The tag that a resource has in its spec, unless it is its name. */
export const tagOf = (spec: string, resource: string): string | undefined =>
  new RegExp(`@tag\\("([^"]+)"\\)(?:(?!@tag)[\\s\\S])*?\\bop ${resource}[A-Z]`).exec(spec)?.[1];

/**
 * The number of the clause for records of this name, and the text of the service's clauses with it:
 * the one whose title is that name.
 */
export function clauseOf(
  contract: string,
  protocol: string,
  records: string,
): readonly [clause: string, contract: string] {
  const title = `@summary("${capital(records)}")`;
  const known = contract.split(title)[1]?.match(/D\d+/)?.[0];
  if (known) return [known, contract];
  const numbers = [...`${protocol}${contract}`.matchAll(/\bD(\d+),$/gm)].map(([, number]) =>
    Number(number),
  );
  const clause = `D${Math.max(...numbers) + 1}`;
  const text = `\n  /** TODO: what is decided about ${records}. */\n  ${title} ${clause},\n`;
  return [clause, contract.replace(/\}\s*$/, `${text}}\n`)];
}

type Defined = Readonly<{ model: string; defined: string }>;

/** The record of a resource: its model in the spec, or the definition of one. */
function recordOf(
  spec: string,
  { resource, camel }: NewOperation,
  taken: ReadonlySet<string>,
): Defined {
  const names = [capital(resource), `${capital(resource)}Entry`];
  const known = names.find((model) => new RegExp(`\\bmodel ${model}\\b`).test(spec));
  if (known) return { model: known, defined: "" };
  const model = names.find((one) => !taken.has(one)) ?? `${capital(camel)}Answer`;
  const defined = `/** TODO: what it is. */
model ${model} {
  /** Its id. */ @visibility(Lifecycle.Read) id: Uuid;
  /** TODO */ @minLength(1) @example("example") name: string;
}
`;
  return { model, defined };
}

const isList = (id: string, parts: readonly string[]): boolean =>
  id.endsWith(".list") && parts.length === 0;

/** The models of its input, and its template with the type of its input. */
function inputOf(
  spec: string,
  { id, resource, verb, parts, method, camel }: NewOperation,
  record: Defined,
) {
  const type = capital(camel);
  if (method === "POST") {
    const which = verb === "create" ? "" : "; `@exampleFrom` on what says which record";
    const isNew = record.defined !== "" && verb === "create";
    const member = '/** TODO */ @minLength(1) @example("example") name: string';
    const members = isNew ? `...Create<${record.model}>` : member;
    return {
      models:
        `/** TODO: its input${which}. */\nmodel ${type}Input { ...Record<never>; ${members}; ` +
        "}",
      kind: `Command<"${id}", ${type}Input`,
    };
  }
  // The suite takes the id of a record from what creates or lists some; of another part it needs
  // values that every deployment has.
  const sources = Object.entries({ create: "/id", list: "/items/0/id" }).flatMap(
    ([sourceVerb, pointer]) => {
      const isDeclared = new RegExp(`\\bop ${resource}${capital(sourceVerb)}\\b`).test(spec);
      return isDeclared ? `#{ operation: "${resource}.${sourceVerb}", pointer: "${pointer}" }` : [];
    },
  );
  const all = parts.map((part) => {
    const scalar = `${type}${capital(part)}`;
    return part === "id" && sources.length > 0
      ? { model: "", member: `@exampleFrom(${sources.join(", ")}) @path id: Uuid;` }
      : {
          model:
            '/** TODO: its values. */ @pattern("^[a-z0-9-]{1,64}$") @example("example") ' +
            `scalar ${scalar} extends string;`,
          member:
            "/** TODO: values that every deployment has, or @exampleFrom. */ " +
            `@known("example") @path ${part}: ${scalar};`,
        };
  });
  const input = isList(id, parts)
    ? "PageParameters"
    : `{ ${all.map(({ member }) => member).join(" ")} }`;
  const name = [id, ...parts.map((part) => `{${part}}`)].join(".");
  return {
    models: all.map(({ model }) => model).join("\n"),
    kind: `Atpoint.Query<"${name}", ${input}`,
  };
}

/**
 * `clause`: that of its requirements, if this service has clauses; `taken`: names that are
 * declared.
 */
type Context = Readonly<{
  spec: string;
  tag: string | undefined;
  clause: string | null;
  taken: ReadonlySet<string>;
}>;

/** The text to append to `spec`, which has the resource if there is one. */
export function stub(operation: NewOperation, { spec, tag, clause, taken }: Context): string {
  const { id, resource, verb, parts, method, camel } = operation;
  const record = recordOf(spec, operation, taken);
  const input = inputOf(spec, operation, record);
  const records = plural(resource);
  const listed = method === "GET" && isList(id, parts);
  const created = method === "POST" && verb === "create";
  const page = `${capital(camel)}Page`;
  const models = listed
    ? `/** One page of the ${records}. */\nmodel ${page} is Page<${record.model}>;`
    : input.models;
  const one = created ? `Answered<201, ${record.model}>` : `Ok<${record.model}>`;
  const success = listed ? `OkPage<${page}>` : one;
  const tagged = tag === undefined ? "" : `@tag("${tag}") `;
  const sentence = `TODO: what \`${id}\` answers.`;
  const required = `@requirements(#{ ${clause}: #{ \`${id}/answer\`: "${sentence}" } })\n`;
  return `${record.defined}
${models}

${tagged}@summary("TODO: ${id} in a few words") @doc("TODO: what \`${id}\` does.")
@useAuth(KeyAndPlatform) @scope("${records}:${method === "GET" ? "read" : "write"}")
${clause === null ? "" : required}op ${camel} is ${input.kind}, ${success}>;
`;
}
