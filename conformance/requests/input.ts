import {
  type Contract,
  membersOf,
  type Operation,
  pageItemOf,
  type Schema,
} from "../oracle/contract.ts";
import { namesByUuid } from "../oracle/effects.ts";
import { ABSENT_UUID } from "../oracle/records.ts";
import { isValid } from "../oracle/schema.ts";
import { valuesOf } from "./classes.ts";
import {
  type Change,
  type Draft,
  escaped,
  type Mutation,
  mutation,
  nameIn,
  type Options,
  pair,
  shown,
  words,
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
  tooLong,
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

const isText = ({ type }: Schema) => type === "string" || type === undefined;

/** Values of a member that do not depend on the right one, as JSON. */
const fixed = (schema: Schema, isCommand: boolean): readonly unknown[] => [
  ...new Map(
    [...bounds(schema), ...(schema.enum ?? []), ...(isCommand ? EACH_TYPE : [])].map((value) => [
      JSON.stringify(value),
      value,
    ]),
  ).values(),
];

/**
 * An optional member that the plain call has: left out, the call is right all the same, and a
 * default takes its place.
 */
const leftOut = ({ input, example }: Operation, member: string): Mutation =>
  mutation(
    `input ${member}`,
    `${member} left out`,
    (draft) => without(draft, member),
    member in example && !input[member]?.required ? { creates: true, optional: true } : {},
  );

/** The name, its first letter as an escape. */
const byEscape = (name: string) =>
  `\\u${name.charCodeAt(0).toString(16).padStart(4, "0")}${name.slice(1)}`;

/** Every class of right values of a member. */
const rightValues = (contract: Contract, operation: Operation, member: string, schema: Schema) => {
  const { [member]: example } = operation.example;
  const isRight = (value: unknown) => isValid(contract, operation, schema, value);
  return valuesOf(contract, schema, example, isRight).filter((value) => value !== example);
};

const LAST_DUPLICATE = {
  targets: { accepted: "input/last-duplicate", "invalid-input": "input/last-duplicate" },
};
const ALL_FAULTS = { targets: { "invalid-input": "errors/all-faults" } };
const EMPTY = {
  targets: {
    "invalid-input": "input/empty-is-not-absent",
    "invalid-cursor": "input/empty-is-not-absent",
  },
};

function ofMember(
  contract: Contract,
  operation: Operation,
  member: string,
  schema: Schema,
): readonly Mutation[] {
  const isCommand = operation.method === "POST";
  const row = (what: string, apply: Change, options: Options = {}) =>
    mutation(`input ${member}`, `${member} ${what}`, apply, options);
  const text = ({ input }: Draft, of: Near[1]) => {
    const value = of(String(input[member] ?? "x"));
    return isCommand ? JSON.stringify(value) : pair(member, value);
  };
  const written = (value: unknown) =>
    isCommand ? JSON.stringify(value) : pair(member, String(value));
  return [
    ...fixed(schema, isCommand).map((value) =>
      row(
        `= ${shown(JSON.stringify(value))}`,
        put(member, () => written(value)),
      ),
    ),
    ...(isText(schema) ? texts(schema) : []).map(([what, of]) =>
      row(
        `: ${what}`,
        put(member, (draft) => text(draft, of)),
      ),
    ),
    ...(isText(schema) ? ofFormat(schema) : []).map(([what, of]) =>
      mutation(
        `input ${member}`,
        `${member} : ${what}`,
        put(member, (draft) => text(draft, of)),
        { always: true },
      ),
    ),
    ...(isText(schema) || isCommand ? [] : NUMBERS).map((digits) =>
      mutation(
        `input ${member}`,
        `${member} written ${shown(digits)}`,
        put(member, () => `${escaped(member)}=${digits}`),
        { always: true, ...(digits === "" ? EMPTY : {}) },
      ),
    ),
    ...(isCommand
      ? []
      : [
          row(
            "without =",
            put(member, () => escaped(member)),
            EMPTY,
          ),
        ]),
    ...rightValues(contract, operation, member, schema).map((value, index) =>
      mutation(
        `input ${member}`,
        `${member} right ${index}: ${shown(JSON.stringify(value))}`,
        put(member, () => written(value)),
      ),
    ),
    ...(namesByUuid(contract, operation, member)
      ? [
          row(
            "of no record",
            put(member, () => written(ABSENT_UUID)),
          ),
        ]
      : []),
    leftOut(operation, member),
    mutation(
      `input ${member}`,
      `${member} holds the word of the run`,
      put(member, ({ caller }) => written(`\0${tooLong(schema, caller.canary)}`)),
      { always: true },
    ),
    ...(isCommand ? ["[]", "null"] : []).map((value) =>
      row(`again ${value}`, (draft) => void draft.data?.push([member, value]), LAST_DUPLICATE),
    ),
    ...(isCommand
      ? [
          mutation(
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
          mutation(
            `input ${member}`,
            `${member} before, by an escape`,
            (draft) =>
              void draft.bytes.push((body) =>
                body.replace(`"${member}":`, () => `"${byEscape(member)}":null,"${member}":`),
              ),
            { always: true },
          ),
          row(
            "again",
            (draft) => void draft.data?.push([member, JSON.stringify(draft.input[member] ?? null)]),
            LAST_DUPLICATE,
          ),
        ]
      : []),
  ];
}

const data = (what: string, value: string | null, options: Options = {}) =>
  mutation(
    "data",
    what,
    (draft) => {
      draft.data = null;
      if (value !== null) draft.members?.push(["data", value]);
    },
    options,
  );

const unknown = (what: string, apply: Change, part = "unknown") => mutation(part, what, apply);

export function input(contract: Contract, operation: Operation): readonly Mutation[] {
  const isCommand = operation.method === "POST";
  const known = Object.entries(membersOf(contract, operation.schema)).filter(
    ([one]) => !operation.parts.includes(one),
  );
  const names = known.map(([member]) => member);
  const required = Object.values(operation.input).filter((member) => member.required);
  const ofMembers = known.flatMap(([member, schema]) =>
    ofMember(contract, operation, member, schema),
  );
  const unknownNames = strangers(names);
  const inQuery = unknownNames.map((text) =>
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
        mutation(
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
    data("data is {}", "{}", required.length > 1 ? ALL_FAULTS : {}),
    data("data twice", '{},"data":[]'),
    ...inQuery,
    ...unknownNames.map((text) =>
      unknown(
        `unknown in data: ${shown(text)}`,
        (draft) => void draft.data?.push([text, "1"]),
        "unknown in data",
      ),
    ),
    ...unknownNames
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
