import { resolve, type Schema } from "../../oracle/contract.ts";
import type { Request } from "../../oracle/model-state.ts";
import { packaged } from "../../packaged.ts";
import {
  withBody,
  withHeader,
  withJson,
  withoutHeader,
  withStatus,
} from "../proxy/edit-response.ts";
import type { Reply } from "../proxy/message.ts";
import {
  header,
  isObject,
  jsonAnswer,
  namedIn,
  pathOf,
  problemCode,
  queryOf,
  sent,
  textOf,
} from "../proxy/sniff.ts";

/** Mutation operators: how a right response is made wrong. */

const { contract } = packaged.oracle;

/**
 * What of an exchange is wrong, as the findings of the suite name it (`Difference.aspect`); `*` is
 * any item of a list.
 */
export type Aspect = "status" | `header:${string}` | "body" | `body:/${string}` | "state";

/** A way to make a response wrong. */
export interface Mutation {
  readonly name: string;
  /** What it gets wrong: a finding about anything else has not found it. */
  readonly breaks: readonly Aspect[];
  /** The changed response; the same object if nothing changes. */
  readonly change: (answer: Reply, request: Request) => Reply;
}

const STATUSES = [200, 204, 301, 400, 422, 500];

const changeStatus = (answer: Reply): readonly Mutation[] =>
  STATUSES.filter((status) => status !== answer.status).map((status) => ({
    name: `answers ${status}`,
    breaks: ["status"],
    change: (one) => withStatus(one, status),
  }));

/** Written by HTTP itself: on sockets (`broken/`). */
const FRAMING = /^(?:content-length|transfer-encoding|connection|keep-alive|date)$/i;
const namesOf = ({ fields }: Reply) =>
  [...new Set(fields.map(([name]) => name))].filter((name) => !FRAMING.test(name));

const onField = (
  how: string,
  name: string,
  change: (value: string) => string | null,
): Mutation => ({
  name: `${how} ${name}`,
  breaks: [`header:${name.toLowerCase()}`],
  change: (answer) => {
    const before = header(answer, name);
    const value = change(before ?? "");
    if (value === before) return answer;
    return value === null ? withoutHeader(answer, name) : withHeader(answer, name, value);
  },
});

const dropField = (answer: Reply) =>
  namesOf(answer).map((name) => onField("drops", name, () => null));

const changeField = (answer: Reply) =>
  namesOf(answer).flatMap((name) => [
    onField("says something else in", name, () => "x"),
    onField("forgets the last of", name, (value) => value.replace(/[,;][^,;]*$/, "")),
  ]);

const ADDED = {
  Server: "nginx/1.27.0",
  "X-Powered-By": "Koa",
  "Set-Cookie": "session=1",
  "Access-Control-Allow-Credentials": "true",
  "X-Operation": "another",
  Location: "/elsewhere",
};
/** A length without content (RFC 9110, 8.6). */
const LENGTH = { "Content-Length": "0" };
const addField = ({ status }: Reply) =>
  Object.entries({ ...ADDED, ...([204, 304].includes(status) && LENGTH) }).map(([name, value]) =>
    onField("sets", name, () => value),
  );

const GONE = Symbol("gone");
/** The changed value; `GONE` to remove it. */
type Change = (value: unknown) => unknown;

function changed(value: unknown, [step, ...rest]: readonly string[], change: Change): unknown {
  if (step === undefined) return change(value);
  if (step === "*")
    return Array.isArray(value) ? value.map((each) => changed(each, rest, change)) : value;
  if (!isObject(value) || !(step in value)) return value;
  const member = changed(value[step], rest, change);
  const { [step]: _old, ...otherMembers } = value;
  return member === GONE ? otherMembers : { ...value, [step]: member };
}

/** A place of a JSON body (`/items/*\/id`, empty for the whole), its value and its schema. */
interface Place {
  readonly at: string;
  readonly value: unknown;
  readonly schema: Schema;
}

/** Changes the value at a place, wherever it exists. */
const onPlace = (
  how: string,
  place: string,
  change: Change,
  breaks: readonly Aspect[] = [place === "" ? "body" : `body:/${place.slice(1)}`],
): Mutation => ({
  name: `${how} ${place === "" ? "the body" : place}`,
  breaks,
  change: (answer) => {
    const json = jsonAnswer(answer);
    const after = JSON.stringify(json && changed(json, place.split("/").slice(1), change));
    return after === JSON.stringify(json) ? answer : withBody(answer, after);
  },
});

const dropMember = ({ at }: Place) =>
  at === "" || at.endsWith("/*") ? [] : [onPlace("drops", at, () => GONE)];

const addMember = ({ at, value }: Place) => {
  const aspect: Aspect = `body:/${at === "" ? "" : `${at.slice(1)}/`}extra`;
  const add = (old: unknown) => ({ ...Object(old), extra: "more" });
  return isObject(value) ? [onPlace("adds a member to", at, add, [aspect])] : [];
};

const nullify = ({ at }: Place) => (at === "" ? [] : [onPlace("nulls", at, () => null)]);

/** A value of the right type. */
function differentValue(value: unknown): unknown {
  if (typeof value === "string") return `${value.slice(0, -1)}${value.endsWith("1") ? "2" : "1"}`;
  return typeof value === "boolean" ? !value : Number(value) + 1;
}
const changeValue = ({ at, value }: Place) => {
  if (at === "") return [];
  if (Array.isArray(value))
    return [
      onPlace("drops the last of", at, (list) => (Array.isArray(list) ? list.slice(0, -1) : list)),
      onPlace("turns round", at, (list) => (Array.isArray(list) ? list.toReversed() : list)),
      // More than one response lists.
      ...(at === "/errors" ? [onPlace("has 21 of", at, () => Array(21).fill(value[0]))] : []),
    ];
  return typeof value === "object"
    ? []
    : [onPlace("changes", at, differentValue, [`body:/${at.slice(1)}`, "state"])];
};

/** A value just outside a bound of its schema. */
const exceedBound = ({ at, schema }: Place) => {
  const { minLength, maxLength, minimum, maximum, pattern, format } = schema;
  const isFormed = pattern ?? format ?? schema.enum ?? schema.const;
  const ways: readonly (readonly [how: string, bound: unknown, change: Change])[] = [
    ["is too short for", minLength, () => "x".repeat(Number(minLength) - 1)],
    ["is too long for", maxLength, () => "x".repeat(Number(maxLength) + 1)],
    ["is too small for", minimum, () => Number(minimum) - 1],
    ["is too large for", maximum, () => Number(maximum) + 1],
    ["malforms", isFormed, (old) => `${old} `.replace("T", " ")],
  ];
  return ways.flatMap(([how, bound, change]) =>
    bound === undefined ? [] : [onPlace(how, at, change)],
  );
};

const WHOLE: Readonly<Record<string, (body: Buffer) => Buffer | string>> = {
  "answers nothing": () => "",
  "puts a byte order mark before": (body) => `\uFEFF${body}`,
  "cuts the end": (body) => body.subarray(0, -2),
  "wraps in data": (body) => `{"data":${body}}`,
  "answers in UTF-16": (body) => Buffer.from(`${body}`, "utf16le"),
};
/** The last half: of a text that no parser reads. */
const TEXT = {
  "answers nothing": () => "",
  "cuts the last half": (body: Buffer) => body.subarray(0, body.length / 2),
};
function breakBody(answer: Reply): readonly Mutation[] {
  if (answer.body.length === 0 || header(answer, "content-encoding") !== null) return [];
  return Object.entries(jsonAnswer(answer) ? WHOLE : TEXT).map(([name, change]) => ({
    name,
    breaks: ["body"],
    change: (one) => withBody(one, change(Buffer.from(textOf(one)))),
  }));
}

/** What implementations reveal about themselves, in a detail. */
const LEAKS: Readonly<Record<string, string>> = {
  "the stack": "Error: no\n    at judge (/app/dist/dispatcher.js:41:13)",
  "the stack of another language": 'Traceback (most recent call last)\n  File "app.py", line 3',
  "the class of an error": "TypeError: no such thing",
  "a folder": "cannot open /var/lib/atpoint/db.sqlite",
  "a query": "select `id` from `users` where `email` = ?",
  "a code of the driver": "SQLITE_BUSY",
  "a constraint": 'violates unique constraint "one"',
  "a connection": "connect ECONNREFUSED 10.0.0.7",
  "a package": "(ajv)",
};
const SCOPES = contract.scopes.join(" ");
const reveal = (answer: Reply): readonly Mutation[] => {
  const code = problemCode(answer);
  if (code === null) return [];
  const all = code === "scope-missing" ? { ...LEAKS, "the scopes of the key": SCOPES } : LEAKS;
  return Object.entries(all).map(([what, text]) =>
    onPlace(`says ${what} in`, "/detail", (old) => `${old} ${text}`),
  );
};

/** Values of a request that no response may repeat: by the code of its rejection. */
const SAID: Readonly<Record<string, readonly [RegExp, (request: Request) => unknown]>> = {
  "the name": [/^operation-not-found$/, namedIn],
  "the key": [/^credential/, (request) => sent(request, "X-API-KEY")],
  "the query": [/^invalid-(?:input|cursor)$/, (request) => [...queryOf(request).values()].at(-1)],
  "the path": [/^path-not-found$/, pathOf],
};
/** Whether there is something to repeat, the request decides. */
export const echoes: readonly Mutation[] = Object.entries(SAID).map(([what, [codes, find]]) => ({
  name: `repeats ${what}`,
  breaks: ["body:/detail", "body"],
  change: (answer, request) => {
    const text = codes.test(problemCode(answer) ?? "") ? String(find(request) ?? "") : "";
    return text.length < 8
      ? answer
      : withJson(answer, (json) => ({ ...json, detail: `${json.detail} (${text.slice(0, 200)})` }));
  },
}));

/** Every place of a JSON value: of a list those of its first item; `depth`: how many levels. */
function* placesIn(value: unknown, schema: Schema, depth: number, place = ""): Generator<Place> {
  yield { at: place, value, schema };
  if (depth === 0) return;
  const { items = {}, properties = {} } = resolve(contract, schema);
  if (Array.isArray(value))
    for (const item of value.slice(0, 1)) yield* placesIn(item, items, depth - 1, `${place}/*`);
  else if (isObject(value))
    for (const [name, member] of Object.entries(value))
      yield* placesIn(member, properties[name] ?? {}, depth - 1, `${place}/${name}`);
}

/** The places of the JSON body of a response. */
export function placesOf(answer: Reply): readonly Place[] {
  const json = header(answer, "content-encoding") === null ? jsonAnswer(answer) : null;
  if (!json) return [];
  const operation = contract.operations[header(answer, "x-operation") ?? ""];
  const schema = operation?.responses.find(({ status }) => status === answer.status)?.schema ?? {};
  // Of files next to the endpoint the first level is enough.
  return [...placesIn(json, schema, operation || problemCode(answer) !== null ? 9 : 1)];
}

const OF_RESPONSE = [changeStatus, dropField, changeField, addField, breakBody, reveal];
const OF_PLACE = [dropMember, addMember, nullify, changeValue, exceedBound];

/** Every way in which a right response can be wrong. */
export const mutationsOf = (answer: Reply): readonly Mutation[] => [
  ...OF_RESPONSE.flatMap((operator) => operator(answer)),
  ...placesOf(answer).flatMap((place) => OF_PLACE.flatMap((operator) => operator(place))),
  ...echoes,
];
