import { type Document, resolve, type Schema, schemaName, schemaRef } from "./openapi.ts";

/**
 * Leaves out of each input what is not for `Lifecycle.Create`. The compiler shares a model with
 * such a member between inputs and responses, and marks the member `readOnly`. Where it is shared,
 * the input has a copy, named as the compiler names other copies.
 */
export function leaveOutReadOnly(document: Document): void {
  const { schemas } = document.components;
  const operations = Object.values(document.paths).flatMap(({ get = [], post = [] }) =>
    [get, post].flat(),
  );
  const elsewhere = reachedFrom(
    document,
    operations.map(({ requestBody: _, ...others }) => others),
  );
  const names = new Map<string, string>();
  const inputName = (name: string): string => {
    const { [name]: schema = {} } = schemas;
    const known = names.get(name);
    if (known !== undefined || ![...reachedFrom(document, schema)].some(isReadOnly))
      return known ?? name;
    let ownName = name;
    if (elsewhere.has(schema)) while (ownName in schemas) ownName += "Create";
    names.set(name, ownName);
    schemas[ownName] = withoutReadOnly(schema, inputName);
    return ownName;
  };
  for (const { requestBody } of operations) {
    const body = requestBody?.content["application/json"]?.schema;
    const { properties } = body ? resolve(document, body) : {};
    if (properties?.data) properties.data = withoutReadOnly(properties.data, inputName);
  }
}

const isReadOnly = (node: object): boolean => "readOnly" in node && node.readOnly === true;

/** Everything in a part of the document, and what it refers to. */
function reachedFrom(
  document: Document,
  node: unknown,
  reached = new Set<object>(),
): ReadonlySet<object> {
  if (typeof node !== "object" || node === null || reached.has(node)) return reached;
  reached.add(node);
  const { $ref } = node as { readonly $ref?: unknown };
  if (typeof $ref === "string") reachedFrom(document, resolve(document, { $ref }), reached);
  for (const child of Object.values(node)) reachedFrom(document, child, reached);
  return reached;
}

/** A schema without such members, at any depth; `inputName` names what it refers to in an input. */
function withoutReadOnly(schema: Schema, inputName: (name: string) => string): Schema {
  const rewrite = (one: Schema) => withoutReadOnly(one, inputName);
  const { $ref, properties = {}, required, items, additionalProperties, anyOf } = schema;
  const members = Object.entries(properties).filter(([, member]) => !isReadOnly(member));
  const left = new Set(members.map(([name]) => name));
  return {
    ...schema,
    ...($ref && { $ref: schemaRef(inputName(schemaName($ref))) }),
    ...(schema.properties && {
      properties: Object.fromEntries(members.map(([name, member]) => [name, rewrite(member)])),
    }),
    ...(required && { required: required.filter((name) => left.has(name)) }),
    ...(items && { items: rewrite(items) }),
    ...(typeof additionalProperties === "object" && {
      additionalProperties: rewrite(additionalProperties),
    }),
    ...(anyOf && { anyOf: anyOf.map(rewrite) }),
  };
}
