import type { Contract, Operation } from "../conformance/oracle/contract.ts";

/** How a call ended: its status, and the code of a problem. */
export interface Outcome {
  readonly id: string;
  readonly status: number;
  readonly code?: string;
}

const quoted = (value: unknown) => JSON.stringify(value);

/** Where a response has the value of a pointer: `["items"]?.[0]?.["id"]`. */
const placeOf = (pointer: string): string =>
  pointer
    .split("/")
    .slice(1)
    .map((step) => `?.[${/^\d+$/.test(step) ? step : quoted(step)}]`)
    .join("");

/** Records are created and read first, and deleted last. */
function turnOf({ method, effect }: Operation): number {
  if (effect?.kind === "deletes") return 2;
  return method === "GET" || effect?.kind === "creates" ? 0 : 1;
}

/**
 * A program that calls each operation with its example, in which the ids are those of records that
 * it has created before. It prints a list of `Outcome`.
 */
export function clientCalls({ operations }: Contract): string {
  const lines: string[] = [];
  const variables = new Map<string, string>();
  const valuesOf = ({ exampleFrom, example }: Operation): ReadonlyMap<string, string> => {
    const values = Object.entries(example).map(([name, value]) => [name, quoted(value)] as const);
    const found = Object.entries(exampleFrom).flatMap(([name, sources]) => {
      const [source] = sources;
      const { [source?.operation ?? ""]: operation } = operations;
      if (!source || !operation || !(name in example)) return [];
      const place = placeOf(source.pointer);
      return [[name, `${called(operation)}.data!${place.replace("?.", "")}`] as const];
    });
    return new Map([...values, ...found]);
  };
  /** The variable with the response of an operation, which is called once. */
  function called(operation: Operation): string {
    const { id, method, parts, name } = operation;
    const known = variables.get(id);
    if (known !== undefined) return known;
    const values = valuesOf(operation);
    const variable = `response${variables.size}`;
    variables.set(id, variable);
    const members = [...values].filter(([member]) => !parts.includes(member));
    const object = `{ ${members.map(([member, value]) => `${quoted(member)}: ${value}`)} }`;
    const text = name.replace(/\{(\w+)\}/g, (_, part) => `\${${values.get(part)}}`);
    const path = `/api/${id}/../`;
    const call =
      method === "POST"
        ? `client.POST("${path}", { body: { "@": "${name}", data: ${object} } })`
        : `client.GET("${path}", { params: { query: { "@": \`${text}\`, ...${object} } } })`;
    lines.push(
      `const ${variable} = await ${call};`,
      `note("${id}", ${variable}.response.status, ${variable}.error);`,
    );
    return variable;
  }
  const inTurn = Object.values(operations).toSorted((one, other) => turnOf(one) - turnOf(other));
  for (const operation of inTurn) called(operation);
  return `import createClient from "openapi-fetch";
import type { paths } from "./paths.ts";

const headers = { "X-API-KEY": process.env.API_KEY, "X-PLATFORM": process.env.PLATFORM };
const client = createClient<paths>({ baseUrl: process.env.BASE, headers });
const outcomes: object[] = [];
const note = (id: string, status: number, error?: { readonly code: string }) =>
  outcomes.push({ id, status, code: error?.code });

${lines.join("\n")}
console.log(JSON.stringify(outcomes));
`;
}
