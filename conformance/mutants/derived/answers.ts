import { problems } from "../../../generated/operations.ts";
import { every } from "../../client/operation.ts";
import { changesAnswer, type Mutant, type Operator, remembered, type Selector } from "../mutant.ts";
import {
  adds,
  alters,
  answersStatus,
  atPointer,
  drops,
  nulls,
  onBody,
  renames,
  retypes,
  saysCode,
  setsHeader,
  wholeBody,
} from "../operators.ts";
import { answerSchema, type Node, nodes, problemSchema } from "../schemas.ts";
import { codes, problemOf, quickCodes, successOf } from "../selectors.ts";

/** Broken answers: out of the schema of every operation's success and of every problem. */

/** Of the right type and form, and not what it was. */
function another(value: unknown): unknown {
  if (typeof value === "boolean") return !value;
  if (typeof value === "number") return value + 1;
  // The first sign of a time, the last of anything else: as long as it was, and of the form of a UUID or an address still.
  return typeof value === "string"
    ? value.replace(/^2(?=\d{3}-.*Z$)|.$/su, (sign) => (sign === "1" ? "2" : "1"))
    : value;
}

/** Times that are not of RFC 3339 in UTC, ending in Z. */
const times: Readonly<Record<string, (time: string) => unknown>> = {
  "writes an offset in": (time) => time.replace("Z", "+00:00"),
  "writes no zone in": (time) => time.replace("Z", ""),
  "writes as HTTP does": (time) => new Date(time).toUTCString(),
  "writes milliseconds in": (time) => Date.parse(time),
  "writes a day that never was in": (time) => time.replace(/^(\d+)-\d+-\d+/, "$1-02-30"),
};

const addsTime = atPointer(
  "adds a local time to",
  "",
  (body) => (typeof body === "object" ? { ...body, servedAt: "2026-01-31 12:00:00" } : body),
  ["body:/servedAt"],
);

/** What the schema at a place gives away to be broken. */
function ofNode({ pointer, schema }: Node): readonly Operator[] {
  const { type, format, pattern, enum: values, const: value } = schema;
  if (pointer === "") return [adds(pointer), addsTime];
  const constant = values ?? (value === undefined ? undefined : [value]);
  const leaf = type !== "object" && type !== "array";
  return [
    ...(pointer.endsWith("/*") ? [] : [drops(pointer), renames(pointer)]),
    nulls(pointer),
    retypes(pointer),
    ...(type === "object" ? [adds(pointer)] : []),
    // Another value than is stored.
    ...(leaf ? [atPointer("changes", pointer, another, [`body:/${pointer.slice(1)}`, "state"])] : []),
    ...(constant || format || pattern ? [atPointer("malforms", pointer, (old) => `${old} `.replace("T", " "))] : []),
    ...(format === "date-time"
      ? Object.entries(times).map(([how, change]) => atPointer(how, pointer, (old) => change(String(old))))
      : []),
    ...(type === "array"
      ? [
          atPointer("empties", pointer, (list) => (Array.isArray(list) ? [] : list)),
          atPointer("drops the last of", pointer, (list) => (Array.isArray(list) ? list.slice(0, -1) : list)),
          atPointer("repeats the last of", pointer, (list) =>
            Array.isArray(list) ? [...list, ...list.slice(-1)] : list,
          ),
          atPointer("turns round", pointer, (list) => (Array.isArray(list) ? [...list].reverse() : list)),
        ]
      : []),
  ];
}

const each = (selector: Selector, operators: readonly Operator[]): Mutant[] =>
  operators.map((operator) => changesAnswer(selector, operator));

const textTypes = [
  setsHeader("Content-Type", "text/plain; charset=utf-8"),
  setsHeader("Content-Type", "text/html; charset=utf-8"),
  setsHeader("Content-Type", "application/octet-stream"),
];

const saysCharset = alters("Content-Type", "says another charset in", (type) =>
  type.replace(/;.*/, "; charset=iso-8859-1"),
);

const successes = every.flatMap((operation) =>
  operation.answers.flatMap(({ status, mediaTypes }) => {
    if (status >= 300) return [];
    const schema = answerSchema(operation.id, status);
    const selector = remembered(successOf(operation, status));
    const other = status === 200 ? 201 : 200;
    return [
      ...each(selector, [other, 202, 206, 404, 500].map(answersStatus)),
      ...each(selector, wholeBody),
      ...each(selector, [setsHeader("Content-Type", "application/problem+json"), ...textTypes]),
      ...each(selector, [
        alters("Content-Type", "names no charset in", (type) => type.replace(/;.*/, "")),
        saysCharset,
        alters("Content-Type", "names a vendor in", (type) => type.replace("/json", "/hal+json")),
      ]),
      ...(schema ? nodes(schema).flatMap((node) => each(selector, ofNode(node))) : []),
      ...mediaTypes
        .filter((mediaType) => mediaType.startsWith("text/"))
        .flatMap((mediaType) =>
          each(successOf(operation, status, mediaType), [
            answersStatus(other),
            setsHeader("Content-Type", "application/json; charset=utf-8"),
            setsHeader("Content-Type", mediaType),
            saysCharset,
            onBody("answers nothing", () => Buffer.alloc(0)),
            onBody("cuts the last half", (body) => body.subarray(0, body.length / 2)),
            onBody("puts a byte order mark before", (body) => Buffer.concat([Buffer.from("\uFEFF"), body])),
          ]),
        ),
    ];
  }),
);

/** What a problem says for people may be said otherwise. */
const FREE = /^changes \/(title|detail)$/;

const refusals = quickCodes.flatMap((code) => {
  const { status } = problems[code];
  const selector = remembered(problemOf(code));
  const statuses = [200, status === 400 ? 422 : 400, 500];
  const neighbour = codes.find((one) => one !== code && problems[one].status === status);
  return [
    ...each(selector, statuses.map(answersStatus)),
    ...each(selector, [saysCode(neighbour ?? "internal-error")]),
    ...each(selector, [setsHeader("Content-Type", "application/json; charset=utf-8"), ...textTypes]),
    ...each(selector, wholeBody),
    ...nodes(problemSchema(code)).flatMap((node) =>
      each(
        selector,
        ofNode(node).filter(({ name }) => !FREE.test(name)),
      ),
    ),
  ];
});

export const mutants: readonly Mutant[] = [...successes, ...refusals];
