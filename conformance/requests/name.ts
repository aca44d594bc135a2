import type { Contract, Operation } from "../oracle/contract.ts";
import { namesByUuid } from "../oracle/effects.ts";
import { ABSENT_UUID } from "../oracle/records.ts";
import {
  type Change,
  escaped,
  type Mutation,
  mutation,
  nameIn,
  operationNameFor,
  pair,
  parameter,
  shown,
  words,
} from "./draft.ts";
import { PERCENT_ENCODED, withWord } from "./target.ts";
import { NEAR, NO_NAMES } from "./values.ts";

/** The name of the operation (D1 to D3). */

/** Parts of a template; `~` is the right one. */
const PARTS = [
  ...words("~.md ~. -a _a a/b ../~ a 0 A_-9 x~ ~0 {name}"),
  "a b",
  "~\n",
  "",
  "é",
  "~\u0301",
  "a".repeat(64),
  "a".repeat(65),
  "a".repeat(7000),
];

/** In the target as they are; `~` is the right name. */
const AS_WRITTEN = words("~? ~?x=1 ~= ~=x ~;x=1 ~,x ~/ ~: ~+ +~ ~%20 ~%0A ~%00 ~%26x=1");

const rename = (draft: Parameters<Change>[0], text: string) => {
  draft.members &&= draft.members.map(([member, value]) => [
    member,
    member === "@" ? JSON.stringify(text) : value,
  ]);
  draft.query = draft.query.map((one) => (nameIn(one) === "@" ? pair("@", text) : one));
};
const drop: Change = (draft) => {
  draft.query = draft.query.filter((one) => nameIn(one) !== "@");
  draft.members &&= draft.members.filter(([one]) => one !== "@");
};

const renamed = (what: string, to: (good: string) => string) =>
  mutation("name", `@ ${what}`, (draft) =>
    rename(draft, to(operationNameFor(draft.operation, draft.input))),
  );

function ofTemplate(contract: Contract, operation: Operation): readonly Mutation[] {
  const { name, parts } = operation;
  const prefix = name.replace(/\{.*/, "");
  const [first = ""] = parts;
  const part = (what: string, of: (good: string) => string) =>
    mutation("name", `part ${what}`, (draft) =>
      rename(draft, prefix + of(String(draft.input[first]))),
    );
  return [
    renamed("without its part", () => prefix),
    renamed("without its part and the dot", () => prefix.slice(0, -1)),
    ...PARTS.map((text) => part(shown(text), (good) => text.replace("~", () => good))),
    ...(namesByUuid(contract, operation, first) ? [part("of no record", () => ABSENT_UUID)] : []),
    part("~ in lower case", (good) => good.toLowerCase()),
    part("~ in capitals", (good) => good.toUpperCase()),
  ];
}

export function name(contract: Contract, operation: Operation): readonly Mutation[] {
  const inBody = (what: string, value: (good: string) => string) =>
    mutation(
      "name",
      `@ in JSON: ${what}`,
      (draft) => {
        draft.members &&= [
          ["@", value(operationNameFor(operation, draft.input))],
          ...draft.members.slice(1),
        ];
      },
      { only: "POST" },
    );
  const known = Object.values(contract.operations).flatMap((otherOperation) =>
    otherOperation.pattern === null ? [otherOperation.name] : otherOperation.known,
  );
  return [
    mutation("name", "no @", drop),
    ...NEAR.map(([what, of]) => renamed(what, of)),
    ...["", ...NO_NAMES].map((text) => renamed(`is ${shown(text)}`, () => text)),
    ...known.map((text) => ({
      ...renamed(`is ${shown(text)}`, () => text),
      always: true as const,
    })),
    ...(operation.pattern === null ? [] : ofTemplate(contract, operation)),
    ...words("@ %40 op @@ @%00 @%5B%5D @%5B0%5D @+ %20@ %EF%BC%A0").map((text) =>
      mutation(
        "name",
        `?${text}= for @`,
        (draft) => {
          drop(draft);
          draft.query.push(`${text}=${escaped(operationNameFor(operation, draft.input))}`);
        },
        text === "%40" ? PERCENT_ENCODED : {},
      ),
    ),
    ...AS_WRITTEN.map((text) =>
      mutation("name", `@ written ${text}`, (draft) => {
        const good = escaped(operationNameFor(draft.operation, draft.input));
        draft.query = draft.query.map((queryPart) =>
          nameIn(queryPart) === "@" ? `@=${text.replace("~", () => good)}` : queryPart,
        );
      }),
    ),
    ...words("null 1 true [] {}").map((value) => inBody(value, () => value)),
    inBody("in a list", (good) => JSON.stringify([good])),
    inBody("in an object", (good) => JSON.stringify({ name: good })),
    ...["%40", "@ ", "@@", "op", "operation", "name", ""].map((text) =>
      mutation(
        "name",
        `member "${text}" for @`,
        (draft) => {
          drop(draft);
          draft.members?.push([text, JSON.stringify(operationNameFor(operation, draft.input))]);
        },
        { only: "POST" },
      ),
    ),
    ...["no.such", ...known.slice(0, 1)].flatMap((text) => {
      const member = ["@", JSON.stringify(text)] as const;
      const options = { only: "POST", always: true } as const;
      return [
        mutation(
          "name",
          `@ twice, first ${text}`,
          (draft) => void draft.members?.unshift(member),
          options,
        ),
        mutation(
          "name",
          `@ twice, then ${text}`,
          (draft) => void draft.members?.push(member),
          options,
        ),
      ];
    }),
    mutation(
      "name",
      "@ twice in the body",
      (draft) =>
        void draft.members?.push(["@", JSON.stringify(operationNameFor(operation, draft.input))]),
      { only: "POST" },
    ),
    mutation(
      "name again",
      "@ again",
      (draft) => void draft.query.push(`@=${escaped(operationNameFor(operation, draft.input))}`),
    ),
    ...parameter("name again", ["@=", "@=x", "%40=x", "@"]),
    withWord(
      "name again",
      "@ again as the word of the run",
      (draft, word) => void draft.query.push(`@=${word}`),
    ),
  ];
}
