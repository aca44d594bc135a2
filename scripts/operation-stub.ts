// The text of a new operation in the spec. Its response follows from its verb: `create` creates a record, `list` returns a page
// of them, anything else returns one. The record is that of the resource; if there is none yet, it is defined here.

export interface NewOperation {
  readonly id: string;
  readonly resource: string;
  readonly verb: string;
  readonly parts: readonly string[];
  readonly method: "GET" | "POST";
  readonly camel: string;
  readonly kebab: string;
}

export const HEAD = `import "@typespec/http"; import "@typespec/openapi"; import "../protocol"; import "../clauses.tsp";
using Http; using OpenAPI; namespace Atpoint;
`;

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);
const small = (text: string): string => text.charAt(0).toLowerCase() + text.slice(1);

/** The tag and the first part of the scopes of a new resource: `note` → `notes`. */
export const plural = (word: string): string =>
  /[^s]s$/.test(word)
    ? word
    : word
        .replace(/([^aeiou])y$/, "$1ie")
        .replace(/(s|x|z|ch|sh)$/, "$1e")
        .concat("s");

/** The number of the clause for a resource, and the text of the service's clauses with it: the one whose title is its tag. */
export function clauseOf(
  contract: string,
  protocol: string,
  tag: string,
): { readonly clause: string; readonly contract: string } {
  const title = `@summary("${capital(tag)}")`;
  const found = contract.split(title)[1]?.match(/D\d+/)?.[0];
  if (found) return { clause: found, contract };
  const last = Math.max(...[...`${protocol}${contract}`.matchAll(/\bD(\d+),$/gm)].map(([, number]) => Number(number)));
  const clause = `D${last + 1}`;
  const text = `\n  /** TODO: what is decided about ${tag}. */\n  ${title} ${clause},\n`;
  return { clause, contract: contract.replace(/\}\s*$/, `${text}}\n`) };
}

/** The record of a resource, from its spec: its model, an example of that, and the definitions that these need. */
function recordOf(spec: string, { resource, camel }: NewOperation, taken: ReadonlySet<string>) {
  const names = [capital(resource), `${capital(resource)}Entry`];
  const found = names.flatMap((model) => {
    const example = new RegExp(`const (\\w+): ${model}\\b`).exec(spec)?.[1];
    return example ? [{ model, example, defined: "" }] : [];
  });
  if (found[0]) return found[0];
  const name = names.find((one) => !taken.has(one)) ?? `${capital(camel)}Answer`;
  const defined = `/** TODO: what it is. */
model ${name} { /** Its id. */ @visibility(Lifecycle.Read) id: Uuid; /** TODO */ @minLength(1) name: string; }

const ${small(name)}Example: ${name} = #{ id: "019c1395-e200-7000-8000-0123456789ab", name: "example" };
`;
  return { model: name, example: `${small(name)}Example`, defined };
}

/** Where the suite finds a value of a part that exists: in what another operation answers, or it is one that every deployment has. */
function sourceOf(spec: string, resource: string, part: string): string {
  if (part === "id" && new RegExp(`\\bop ${resource}Create\\b`).test(spec))
    return `@exampleFrom(#{ operation: "${resource}.create", pointer: "/id" })`;
  return `/** TODO: values that every deployment has, or @exampleFrom. */ @known("example")`;
}

/** The models of its input, its template with the type of its input, and an example of that. */
function inputOf(spec: string, { id, resource, verb, parts, method, camel }: NewOperation) {
  const type = capital(camel);
  if (method === "POST") {
    const which = verb === "create" ? "" : "; `@exampleFrom` on what says which record";
    return {
      models: `/** TODO: its input${which}. */\nmodel ${type}Input { ...Record<never>; /** TODO */ @minLength(1) name: string; }`,
      kind: `Command<"${id}", ${type}Input`,
      example: `#{ body: #{ \`@\`: "${id}", data: #{ name: "example" } } }`,
    };
  }
  const models = parts.map(
    (part) => `/** TODO: its values. */ @pattern("^[a-z0-9-]{1,64}$") scalar ${type}${capital(part)} extends string;`,
  );
  const members = parts.map((part) => `${sourceOf(spec, resource, part)} @path ${part}: ${type}${capital(part)};`);
  const input = isList(id, parts) ? "PageParameters" : `{ ${members.join(" ")} }`;
  const name = [id, ...parts.map((part) => `{${part}}`)].join(".");
  const example = `#{ ${parts.map((part) => `${part}: "example"`).join(", ")} }`;
  return { models: models.join("\n"), kind: `Query<"${name}", ${input}`, example };
}

const isList = (id: string, parts: readonly string[]): boolean => id.endsWith(".list") && parts.length === 0;

/** The names that TypeSpec files declare. */
export const declaredIn = (texts: readonly string[]): Set<string> =>
  new Set(
    texts.flatMap((text) =>
      [...text.matchAll(/\b(?:model|scalar|enum|union|alias|op|interface|namespace) (\w+)/g)].map(
        ([, name = ""]) => name,
      ),
    ),
  );

/** The text to append to the spec of the resource, which is `spec` so far; `tag`: that of the resource; `taken`: names of others. */
export function stub(
  spec: string,
  operation: NewOperation,
  tag: string,
  clause: string,
  taken: ReadonlySet<string>,
): string {
  const { id, verb, parts, method, camel } = operation;
  const record = recordOf(spec, operation, taken);
  const input = inputOf(spec, operation);
  const [created, listed] = [method === "POST" && verb === "create", method === "GET" && isList(id, parts)];
  const page = `${capital(camel)}Page`;
  const models = listed ? `/** One page of the ${tag}. */\nmodel ${page} is Page<${record.model}>;` : input.models;
  const ok = `Ok<${record.model}>`;
  const success = created ? `Answered<201, ${record.model}>` : listed ? `OkPage<${page}> | InvalidCursor` : ok;
  const body = listed ? `#{ items: #[${record.example}] }` : record.example;
  return `${record.defined}
${models}

@tag("${tag}") @summary("TODO: ${id} in a few words") @doc("TODO: what \`${id}\` does.")
@useAuth(KeyAndPlatform) @scope("${tag}:${method === "GET" ? "read" : "write"}")
@opExample(#{ parameters: ${input.example}, returnType: #{ _: ${created ? 201 : 200}, requestIdHeader: "a", operationHeader: "${id}", body: ${body} } })
@requirements(#{ ${clause}: #{ \`${id}/answer\`: "TODO: what \`${id}\` answers." } })
op ${camel} is ${input.kind}, ${success} | CredentialProblem>;
`;
}
