import { resolve, type Schema } from "../../oracle/contract.ts";
import { packaged } from "../../packaged.ts";
import {
  header,
  isObject,
  type JsonObject,
  jsonAnswer,
  problemCode,
  textOf,
} from "../proxy/look.ts";
import type { ProxyAnswer } from "../proxy/message.ts";
import { withBody, withJson } from "../proxy/shape.ts";
import {
  type Aspect,
  echoes,
  LEAKS,
  type Operator,
  ofFields,
  ofStatus,
  operator,
  scopes,
} from "./operators.ts";

/** Every way in which a right response can be wrong, derived from its status, its fields, its members and their schema. */

const { contract } = packaged.oracle;

const GONE = Symbol("gone");
/** The changed value; `GONE` to remove it. */
type Change = (value: unknown) => unknown;

function changed(value: unknown, [step, ...rest]: readonly string[], change: Change): unknown {
  if (step === undefined) return change(value);
  if (step === "*")
    return Array.isArray(value) ? value.map((each) => changed(each, rest, change)) : value;
  if (!isObject(value) || !(step in value)) return value;
  const member = changed(value[step], rest, change);
  const { [step]: _old, ...others } = value;
  return member === GONE ? others : { ...value, [step]: member };
}

/** Changes the value at a pointer (`/items/*\/id`, empty for the whole) of a JSON body, wherever it exists. */
function atPointer(
  name: string,
  pointer: string,
  change: Change,
  breaks?: readonly Aspect[],
): Operator {
  const aspect: Aspect = pointer === "" ? "body" : `body:/${pointer.slice(1)}`;
  return operator(
    `${name} ${pointer === "" ? "the body" : pointer}`,
    breaks ?? [aspect],
    (answer) => {
      const json = jsonAnswer(answer);
      if (!json) return answer;
      const after = changed(json, pointer.split("/").slice(1), change);
      return JSON.stringify(after) === JSON.stringify(json)
        ? answer
        : withBody(answer, JSON.stringify(after));
    },
  );
}
const atPointers = (ways: readonly (readonly [how: string, change: Change])[], pointer: string) =>
  ways.map(([how, change]) => atPointer(how, pointer, change));

/** The same with another JSON type. */
function retyped(value: unknown): unknown {
  if (typeof value === "string") return [value];
  if (typeof value === "object")
    return Array.isArray(value) ? { ...value } : Object.values(value ?? {});
  return String(value);
}

function renames(pointer: string): Operator {
  const at = pointer.lastIndexOf("/");
  const member = pointer.slice(at + 1);
  const rename: Change = (value) => {
    if (!isObject(value) || !(member in value)) return value;
    const { [member]: old, ...rest } = value;
    return { ...rest, [`${member}_`]: old };
  };
  const breaks: readonly Aspect[] = [`body:/${pointer.slice(1)}`, `body:/${pointer.slice(1)}_`];
  return atPointer(`renames ${member} in`, pointer.slice(0, at), rename, breaks);
}

const adds = (pointer: string) =>
  atPointer(
    "adds a member to",
    pointer,
    (value) => (isObject(value) ? { ...value, extra: "more" } : value),
    [`body:/${pointer === "" ? "" : `${pointer.slice(1)}/`}extra`],
  );

/** A problem with another code of the contract, its status unchanged. */
const saysCode = (code: string) =>
  operator(`says ${code}`, ["body:/code", "body:/type"], (answer) =>
    withJson(answer, (problem) => ({
      ...problem,
      type: String(problem.type).replace(/#.*/, `#${code}`),
      title: contract.problems[code]?.title,
      code,
    })),
  );

const wholes = (
  ways: Readonly<Record<string, (body: Buffer) => Buffer | string>>,
): readonly Operator[] =>
  Object.entries(ways).map(([name, change]) =>
    operator(name, ["body"], (answer) => {
      const body = Buffer.from(textOf(answer));
      const changed = body.length === 0 ? body : Buffer.from(change(body));
      // Not every body can be broken in every way: one of numbers only is the same in any charset.
      return changed.equals(body) ? answer : withBody(answer, changed);
    }),
  );

/** Defects of any text. */
const OF_TEXT = {
  "answers nothing": () => "",
  "puts a byte order mark before": (body: Buffer) => `\uFEFF${body}`,
};
const wholeText = wholes({
  ...OF_TEXT,
  "cuts the last half": (body) => body.subarray(0, body.length / 2),
});

/** Defects of any JSON body as a whole. */
export const wholeBody = wholes({
  ...OF_TEXT,
  "answers twice": (body) => `${body}${body}`,
  "cuts the end": (body) => body.subarray(0, -2),
  "puts a NUL behind": (body) => `${body}\0`,
  guards: (body) => `)]}',\n${body}`,
  "wraps in a list": (body) => `[${body}]`,
  "wraps in data": (body) => `{"data":${body}}`,
  "wraps beside a flag": (body) => `{"success":true,"result":${body}}`,
  "answers a JSON string of": (body) => JSON.stringify(`${body}`),
  "answers in UTF-16": (body) => Buffer.from(`${body}`, "utf16le"),
  "answers in Latin-1": (body) => Buffer.from(`${body}`.replace(/"(?=[,}])/, '\u00ff"'), "latin1"),
});

/** Times that are not RFC 3339 in UTC, ending in Z. */
const TIMES: Readonly<Record<string, (time: string) => unknown>> = {
  "writes an offset in": (time) => time.replace("Z", "+00:00"),
  "writes as HTTP does": (time) => new Date(time).toUTCString(),
  "writes milliseconds in": (time) => Date.parse(time),
  "writes a day that never was in": (time) => time.replace(/^(\d+)-\d+-\d+/, "$1-02-30"),
};

/** Of the right type, with another value. */
function another(value: unknown): unknown {
  if (typeof value === "string") return `${value.slice(0, -1)}${value.endsWith("1") ? "2" : "1"}`;
  return typeof value === "boolean" ? !value : Number(value) + 1;
}

/** Values just outside the bounds that a schema sets. */
function outside({
  minLength,
  maxLength,
  minimum,
  maximum,
  pattern,
  enum: values,
  const: value,
  format,
}: Schema) {
  const isFormed = pattern || values || value !== undefined || format;
  const times = format === "date-time" ? Object.entries(TIMES) : [];
  return [
    ...(minLength ? [["is too short for", () => "x".repeat(minLength - 1)] as const] : []),
    ...(maxLength ? [["is too long for", () => "x".repeat(maxLength + 1)] as const] : []),
    ...(minimum === undefined ? [] : [["is too small for", () => minimum - 1] as const]),
    ...(maximum === undefined ? [] : [["is too large for", () => maximum + 1] as const]),
    ...(isFormed ? [["malforms", (old: unknown) => `${old} `.replace("T", " ")] as const] : []),
    ...times.map(([how, change]) => [how, (old: unknown) => change(String(old))] as const),
  ];
}

const listed = (change: (list: readonly unknown[]) => readonly unknown[]) => (value: unknown) =>
  Array.isArray(value) ? change(value) : value;

const LISTS = Object.entries({
  empties: listed(() => []),
  "drops the last of": listed((list) => list.slice(0, -1)),
  "repeats the last of": listed((list) => [...list, ...list.slice(-1)]),
  "turns round": listed((list) => [...list].reverse()),
});

/** The ways for a place of a body, derived from its value and its schema if there is one. */
function ofPlace(place: string, value: unknown, schema: Schema): readonly Operator[] {
  if (place === "") return [adds("")];
  const inside: readonly Aspect[] = [`body:/${place.slice(1)}`, "state"];
  return [
    ...(place.endsWith("/*") ? [] : [atPointer("drops", place, () => GONE), renames(place)]),
    ...atPointers([["nulls", () => null], ["retypes", retyped], ...outside(schema)], place),
    ...(isObject(value) ? [adds(place)] : []),
    ...(Array.isArray(value) ? atPointers(LISTS, place) : []),
    ...(typeof value === "object" ? [] : [atPointer("changes", place, another, inside)]),
  ];
}

const inFault = (change: (fault: JsonObject) => unknown) => (fault: unknown) =>
  isObject(fault) ? change(fault) : fault;

/** A list of faults with members that it may not have, and pointers in another form. */
const ofFaults: readonly Operator[] = [
  ...atPointers(
    [["has 21 of", listed((all) => Array.from({ length: 21 }, () => all[0]))]],
    "/errors",
  ),
  ...atPointers(
    [
      ["has no place in", inFault(({ detail }) => ({ detail }))],
      ["has both places in", inFault((fault) => ({ pointer: "#", parameter: "x", ...fault }))],
      [
        "has the other place in",
        inFault(({ pointer, parameter, ...fault }) =>
          pointer === undefined
            ? { pointer: `#/${parameter}`, ...fault }
            : { parameter: pointer, ...fault },
        ),
      ],
      [
        "has no # in",
        inFault(({ pointer, ...fault }) =>
          typeof pointer === "string"
            ? { pointer: pointer.slice(1), ...fault }
            : { ...fault, parameter: `query.${fault.parameter}` },
        ),
      ],
    ],
    "/errors/*",
  ),
];

const leaks = atPointers(
  Object.entries(LEAKS).map(([what, text]) => [`says ${what} in`, (old) => `${old} ${text}`]),
  "/detail",
);

/** Every place of a JSON value: `/items/*\/id`, of a list what its first item has; `depth`: how many levels of it. */
function* placesIn(
  value: unknown,
  depth: number,
  at = "",
): Generator<readonly [place: string, value: unknown]> {
  yield [at, value];
  if (depth === 0) return;
  if (Array.isArray(value))
    for (const one of value.slice(0, 1)) yield* placesIn(one, depth - 1, `${at}/*`);
  else if (isObject(value))
    for (const [name, one] of Object.entries(value))
      yield* placesIn(one, depth - 1, `${at}/${name}`);
}

/** How many places the JSON body of a response has. */
export const sizeOf = (answer: ProxyAnswer): number => {
  const json = jsonAnswer(answer);
  return json ? [...placesIn(json, 9)].length : 0;
};

/** The schema at a place. */
function schemaAt(schema: Schema, [step, ...rest]: readonly string[]): Schema {
  if (step === undefined) return schema;
  const { items, properties } = resolve(contract, schema);
  return schemaAt((step === "*" ? items : properties?.[step]) ?? {}, rest);
}

function ofBody(answer: ProxyAnswer): readonly Operator[] {
  if (answer.body.length === 0 || header(answer, "content-encoding") !== null) return [];
  const json = jsonAnswer(answer);
  if (!json) return wholeText;
  const code = problemCode(answer);
  const operation = contract.operations[header(answer, "x-operation") ?? ""];
  const schema = operation?.responses.find(({ status }) => status === answer.status)?.schema ?? {};
  // For files next to the endpoint the first level is enough.
  const places = [...placesIn(json, operation || code !== null ? 9 : 1)];
  return [
    ...wholeBody,
    ...(code === null
      ? []
      : [...leaks, saysCode(code === "path-not-found" ? "operation-not-found" : "path-not-found")]),
    ...(code === "invalid-input" ? ofFaults : []),
    ...places.flatMap(([place, value]) =>
      ofPlace(place, value, schemaAt(schema, place.split("/").slice(1))),
    ),
  ];
}

export const operatorsOf = (answer: ProxyAnswer): readonly Operator[] => [
  ...ofStatus(answer),
  ...ofFields(answer),
  ...ofBody(answer),
  ...echoes,
  scopes,
];
