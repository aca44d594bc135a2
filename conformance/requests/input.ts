import {
  type Contract,
  membersOf,
  type Operation,
  pageItemOf,
  type Schema,
} from "../oracle/contract.ts";
import { Points } from "../oracle/points.ts";
import { faultsOf } from "../oracle/schema.ts";
import { valuesOf } from "./classes.ts";
import {
  type Change,
  type Draft,
  escaped,
  nameIn,
  pair,
  row,
  shown,
  type Variation,
} from "./draft.ts";
import { openRows } from "./open.ts";
import {
  bounds,
  EACH_TYPE,
  type Near,
  NUMBERS,
  ofFormat,
  strangers,
  texts,
  words,
} from "./values.ts";

/** The input, by its schema (D7, D8). */

function without(draft: Draft, member: string): void {
  draft.data &&= draft.data.filter(([one]) => one !== member);
  draft.query = draft.query.filter(
    (one) => nameIn(one) !== member && nameIn(one) !== escaped(member),
  );
}

/** In a command JSON text, in a query a parameter as it is written. */
const put =
  (member: string, of: (draft: Draft) => string): Change =>
  (draft) => {
    const text = of(draft);
    without(draft, member);
    if (draft.operation.method === "POST") draft.data?.push([member, text]);
    else draft.query.push(text);
  };

/** Of a member without a bound, or with a high one, so many are enough. */
const MOST_WORDS = 100;

const isText = ({ type }: Schema) => type === "string" || type === undefined;

/** Values of a member that do not depend on the right one, as JSON. */
const fixed = (schema: Schema, isCommand: boolean): readonly unknown[] => [
  ...new Map(
    [...bounds(schema), ...(schema.enum ?? []), ...(isCommand ? EACH_TYPE : [])].map((one) => [
      JSON.stringify(one),
      one,
    ]),
  ).values(),
];

/**
 * An optional member that the plain call has: left out, the call is right all the same, and a
 * default takes its place.
 */
const leftOut = ({ input, example }: Operation, member: string): Variation =>
  row(
    `input ${member}`,
    `${member} left out`,
    (draft) => without(draft, member),
    member in example && !input[member]?.required ? { creates: true, optional: true } : {},
  );

/** A value with the word of the run that a text has no room for, or is wrong for its type. */
function echoOf({ maxLength = 0 }: Schema, canary: string): string {
  return `\0${canary.repeat(Math.min(MOST_WORDS, Math.ceil(maxLength / canary.length) + 1))}`;
}

/** The name, its first letter as an escape. */
const byEscape = (name: string) =>
  `\\u${name.charCodeAt(0).toString(16).padStart(4, "0")}${name.slice(1)}`;

/** Every class of right values of a member. */
function rightValues(
  contract: Contract,
  operation: Operation,
  member: string,
  schema: Schema,
): readonly unknown[] {
  const { [member]: example } = operation.example;
  const context = { contract, operation, at: new Points() };
  const isRight = (value: unknown) =>
    faultsOf(context, schema, value, { member, place: "#" }).length === 0;
  return valuesOf(contract, schema, example, isRight).filter((value) => value !== example);
}

function ofMember(
  contract: Contract,
  operation: Operation,
  member: string,
  schema: Schema,
): readonly Variation[] {
  const isCommand = operation.method === "POST";
  const one = (what: string, apply: Change) => row(`input ${member}`, `${member} ${what}`, apply);
  const text = ({ input }: Draft, of: Near[1]) => {
    const value = of(String(input[member] ?? "x"));
    return isCommand ? JSON.stringify(value) : pair(member, value);
  };
  const written = (value: unknown) =>
    isCommand ? JSON.stringify(value) : pair(member, String(value));
  return [
    ...fixed(schema, isCommand).map((value) =>
      one(
        `= ${shown(JSON.stringify(value))}`,
        put(member, () => written(value)),
      ),
    ),
    ...(isText(schema) ? texts(schema) : []).map(([what, of]) =>
      one(
        `: ${what}`,
        put(member, (draft) => text(draft, of)),
      ),
    ),
    ...(isText(schema) ? ofFormat(schema) : []).map(([what, of]) =>
      row(
        `input ${member}`,
        `${member} : ${what}`,
        put(member, (draft) => text(draft, of)),
        { always: true },
      ),
    ),
    ...(isText(schema) || isCommand ? [] : NUMBERS).map((digits) =>
      row(
        `input ${member}`,
        `${member} written ${shown(digits)}`,
        put(member, () => `${escaped(member)}=${digits}`),
        { always: true },
      ),
    ),
    ...(isCommand
      ? []
      : [
          one(
            "without =",
            put(member, () => escaped(member)),
          ),
        ]),
    ...rightValues(contract, operation, member, schema).map((value, at) =>
      row(
        `input ${member}`,
        `${member} right ${at}: ${shown(JSON.stringify(value))}`,
        put(member, () => written(value)),
      ),
    ),
    leftOut(operation, member),
    row(
      `input ${member}`,
      `${member} holds the word of the run`,
      put(member, ({ caller }) => written(echoOf(schema, caller.canary))),
      { always: true },
    ),
    ...(isCommand ? ["[]", "null"] : []).map((value) =>
      one(`again ${value}`, (draft) => void draft.data?.push([member, value])),
    ),
    ...(isCommand
      ? [
          row(
            `input ${member}`,
            `${member} behind, by an escape`,
            (draft) =>
              void draft.bytes.push((body) =>
                body.replace(
                  new RegExp(`"${member.replace(/[^\w]/g, "\\$&")}":(?:"[^"]*"|[^,}]*)`),
                  (one) => `${one},"${byEscape(member)}":"\\u0000"`,
                ),
              ),
            { always: true },
          ),
          row(
            `input ${member}`,
            `${member} before, by an escape`,
            (draft) =>
              void draft.bytes.push((body) =>
                body.replace(`"${member}":`, () => `"${byEscape(member)}":null,"${member}":`),
              ),
            { always: true },
          ),
          one(
            "again",
            (draft) => void draft.data?.push([member, JSON.stringify(draft.input[member] ?? null)]),
          ),
        ]
      : []),
  ];
}

const data = (what: string, value: string | null) =>
  row("data", what, (draft) => {
    draft.data = null;
    if (value !== null) draft.members?.push(["data", value]);
  });

const unknown = (what: string, apply: Change, part = "unknown") => row(part, what, apply);

export function input(contract: Contract, operation: Operation): readonly Variation[] {
  const isCommand = operation.method === "POST";
  const known = Object.entries(membersOf(contract, operation.schema)).filter(
    ([one]) => !operation.parts.includes(one),
  );
  const names = known.map(([member]) => member);
  const ofMembers = known.flatMap(([member, schema]) =>
    ofMember(contract, operation, member, schema),
  );
  const others = strangers(names);
  const inQuery = others.map((text) =>
    unknown(`unknown ?${shown(text)}`, (draft) => void draft.query.push(pair(text, "1"))),
  );
  const many = (push: (draft: Draft, name: string) => void) =>
    unknown("40 unknown", (draft) => {
      for (let n = 0; n < 40; n++) push(draft, `u${n}`);
    });
  if (!isCommand)
    return [
      ...ofMembers,
      ...(pageItemOf(contract, operation) ? words("x ~ x~ ~x") : []).map((text) =>
        row(
          "input cursor",
          `cursor is ${text}`,
          put("cursor", () => pair("cursor", text)),
        ),
      ),
      ...inQuery,
      many((draft, name) => draft.query.push(`${name}=1`)),
    ];
  return [
    ...ofMembers,
    ...known.flatMap(([member, schema]) => openRows(contract, member, schema, put)),
    ...["null", "[]", "1", '""', "true", "[{}]"].map((value) => data(`data is ${value}`, value)),
    data("no data", null),
    data("data is {}", "{}"),
    data("data twice", '{},"data":[]'),
    ...inQuery,
    ...others.map((text) =>
      unknown(
        `unknown in data: ${shown(text)}`,
        (draft) => void draft.data?.push([text, "1"]),
        "unknown in data",
      ),
    ),
    ...others
      .filter((text) => text !== "data" && text !== "@")
      .map((text) =>
        unknown(
          `unknown in the body: ${shown(text)}`,
          (draft) => void draft.members?.push([text, "1"]),
          "unknown in the body",
        ),
      ),
    many((draft, name) => draft.data?.push([name, "1"])),
  ];
}
