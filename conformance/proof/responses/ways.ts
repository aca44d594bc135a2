import { type Contract, resolve, type Schema } from "../../oracle/contract.ts";
import { header, isObject, jsonAnswer, problemCode } from "../proxy/look.ts";
import type { ProxyAnswer } from "../proxy/message.ts";
import { placesIn } from "./kinds.ts";
import { echoes, leaks, scopes } from "./leaks.ts";
import type { Operator } from "./operators.ts";
import * as does from "./operators.ts";

/** Every way in which a right response can be wrong, derived from its status, its fields, its members and their schema. */

/** Written by HTTP itself: on sockets (`wild/`). */
const FRAMING = new Set(["content-length", "transfer-encoding", "connection", "keep-alive", "date"]);

/** Ways of being wrong that only one field has. */
const PARTICULAR: Readonly<Record<string, Readonly<Record<string, (value: string) => string>>>> = {
  etag: { weakens: (value) => `W/${value}`, "takes the quotes from": (value) => value.replaceAll('"', "") },
  "content-type": {
    "names no charset in": (value) => value.replace(/;.*/, ""),
    "names another charset in": (value) => value.replace(/;.*/, "; charset=iso-8859-1"),
    "names a vendor in": (value) => value.replace(/\/(?:problem\+)?/, "/vnd."),
  },
  "cache-control": {
    "lets everybody keep by": () => "public, max-age=31536000",
    "forbids to keep by": () => "no-store",
    "makes private by": (value) => value.replace("public", "private"),
  },
  location: { "names another host in": (value) => `//elsewhere.example/${value}` },
  link: { "names another relation in": (value) => value.replace(/rel="?next"?/, 'rel="last"') },
  "content-security-policy": { "allows scripts by": (value) => `${value}; script-src 'unsafe-inline'` },
  "x-operation": { "names it in capitals by": (value) => value.toUpperCase() },
  "www-authenticate": { "names another scheme in": () => "Basic" },
  allow: { "adds PUT to": (value) => `${value}, PUT`, "is in small letters:": (value) => value.toLowerCase() },
};

/** A list without its first, and without its last element. */
const SHORTER = {
  "forgets the first of": (value: string) => value.replace(/^[^,;]*[,;]\s*/, ""),
  "forgets the last of": (value: string) => value.replace(/[,;][^,;]*$/, ""),
};

function ofHeaders({ headers }: ProxyAnswer): readonly Operator[] {
  const names = [...new Set(headers.map(([name]) => name))].filter((name) => !FRAMING.has(name.toLowerCase()));
  return [
    ...names.flatMap((name) => [
      does.dropsHeader(name),
      does.repeatsHeader(name, "x"),
      ...Object.entries({
        ...{ "says nothing in": () => "", "says something else in": () => "x" },
        ...SHORTER,
        ...PARTICULAR[name.toLowerCase()],
      }).map(([how, change]) => does.alters(name, how, change)),
    ]),
    ...Object.entries({
      ...{ Server: "nginx/1.27.0", "X-Powered-By": "Koa", "Set-Cookie": "session=1" },
      ...{ "Access-Control-Allow-Credentials": "true", "X-Operation": "another", Location: "/elsewhere" },
    }).map(([name, value]) => does.setsHeader(name, value)),
  ];
}

/** A length without content (RFC 9110, 8.6). */
const LENGTH = does.setsHeader("Content-Length", "0");

function ofStatus({ status }: ProxyAnswer): readonly Operator[] {
  const others = [200, 201, 204, 206, 301, 400, 404, 422, 500].filter((one) => one !== status);
  return others.map(does.answersStatus);
}

/** The schema at a place. */
function schemaAt(contract: Contract, schema: Schema, [step, ...rest]: readonly string[]): Schema {
  if (step === undefined) return schema;
  const { items, properties } = resolve(contract, schema);
  return schemaAt(contract, (step === "*" ? items : properties?.[step]) ?? {}, rest);
}

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
function outside({ minLength, maxLength, minimum, maximum, pattern, enum: values, const: value, format }: Schema) {
  return [
    ...(minLength ? [["is too short for", () => "x".repeat(minLength - 1)] as const] : []),
    ...(maxLength ? [["is too long for", () => "x".repeat(maxLength + 1)] as const] : []),
    ...(minimum === undefined ? [] : [["is too small for", () => minimum - 1] as const]),
    ...(maximum === undefined ? [] : [["is too large for", () => maximum + 1] as const]),
    ...(pattern || values || value !== undefined || format
      ? [["malforms", (old: unknown) => `${old} `.replace("T", " ")] as const]
      : []),
    ...(format === "date-time"
      ? Object.entries(TIMES).map(([how, change]) => [how, (old: unknown) => change(String(old))] as const)
      : []),
  ];
}

const listed = (change: (list: readonly unknown[]) => readonly unknown[]) => (value: unknown) =>
  Array.isArray(value) ? change(value) : value;

const LISTS: Readonly<Record<string, Parameters<typeof listed>[0]>> = {
  empties: () => [],
  "drops the last of": (list) => list.slice(0, -1),
  "repeats the last of": (list) => [...list, ...list.slice(-1)],
  "turns round": (list) => [...list].reverse(),
};

/** The ways for a place of a body, derived from its value and its schema if there is one. */
function ofPlace(place: string, value: unknown, schema: Schema): readonly Operator[] {
  if (place === "") return [does.adds("")];
  return [
    ...(place.endsWith("/*") ? [] : [does.drops(place), does.renames(place)]),
    ...[does.nulls(place), does.retypes(place)],
    ...(isObject(value) ? [does.adds(place)] : []),
    ...outside(schema).map(([how, change]) => does.atPointer(how, place, change)),
    ...(Array.isArray(value)
      ? Object.entries(LISTS).map(([how, change]) => does.atPointer(how, place, listed(change)))
      : []),
    ...(typeof value === "object"
      ? []
      : [does.atPointer("changes", place, another, [`body:/${place.slice(1)}`, "state"])]),
  ];
}

/** A list of faults with members that it may not have, and pointers in another form. */
const ofFaults: readonly Operator[] = [
  does.atPointer(
    "has 21 of",
    "/errors",
    listed((all) => Array.from({ length: 21 }, () => all[0])),
  ),
  ...Object.entries({
    "has no place in": ({ detail }: Readonly<Record<string, unknown>>) => ({ detail }),
    "has both places in": (fault: Readonly<Record<string, unknown>>) => ({ pointer: "#", parameter: "x", ...fault }),
    "has the other place in": ({ pointer, parameter, ...fault }: Readonly<Record<string, unknown>>) =>
      pointer === undefined ? { pointer: `#/${parameter}`, ...fault } : { parameter: pointer, ...fault },
    "has no # in": ({ pointer, ...fault }: Readonly<Record<string, unknown>>) =>
      typeof pointer === "string"
        ? { pointer: pointer.slice(1), ...fault }
        : { ...fault, parameter: `query.${fault.parameter}` },
  }).map(([how, change]) => does.atPointer(how, "/errors/*", (fault) => (isObject(fault) ? change(fault) : fault))),
];

function ofBody(contract: Contract, answer: ProxyAnswer): readonly Operator[] {
  if (answer.body.length === 0 || header(answer, "content-encoding") !== null) return [];
  const json = jsonAnswer(answer);
  if (!json) return does.wholeText;
  const code = problemCode(answer);
  const operation = contract.operations[header(answer, "x-operation") ?? ""];
  const schema = operation?.responses.find(({ status }) => status === answer.status)?.schema ?? {};
  const valueAt = (steps: readonly string[]) =>
    steps.reduce<unknown>((at, step) => (Array.isArray(at) ? at[0] : Object(at)[step]), json);
  // For files next to the endpoint the first level is enough.
  const places = placesIn(answer, operation || code !== null ? 9 : 1);
  return [
    ...does.wholeBody,
    ...(code === null ? [] : leaks),
    ...(code === "invalid-input" ? ofFaults : []),
    ...(code === null ? [] : [does.saysCode(code === "path-not-found" ? "operation-not-found" : "path-not-found")]),
    ...places.flatMap((place) => {
      const steps = place.split("/").slice(1);
      return ofPlace(place, valueAt(steps), schemaAt(contract, schema, steps));
    }),
  ];
}

export const operatorsOf = (contract: Contract, answer: ProxyAnswer): readonly Operator[] => [
  ...ofStatus(answer),
  ...ofHeaders(answer),
  ...([204, 304].includes(answer.status) ? [LENGTH] : []),
  ...ofBody(contract, answer),
  ...echoes,
  scopes(contract),
];
