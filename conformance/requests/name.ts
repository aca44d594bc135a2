import type { Contract, Operation } from "../oracle/contract.ts";
import { type Change, escaped, nameIn, nameOf, pair, parameter, row, shown, type Variation } from "./draft.ts";
import { NEAR, NO_NAMES, words } from "./values.ts";

/** The name of the operation (D1 to D3). */

/** Parts of a template; `~` is the right one. */
const PARTS = [
  ...words("~.md ~. -a _a a/b ../~ a 0 A_-9 x~ ~0 {name}"),
  ...["a b", "~\n", "", "é", "~\u0301", "a".repeat(64), "a".repeat(65), "a".repeat(7000)],
];

const rename = (draft: Parameters<Change>[0], text: string) => {
  draft.members &&= draft.members.map(([one, value]) => [one, one === "@" ? JSON.stringify(text) : value]);
  draft.query = draft.query.map((one) => (nameIn(one) === "@" ? pair("@", text) : one));
};
const drop: Change = (draft) => {
  draft.query = draft.query.filter((one) => nameIn(one) !== "@");
  draft.members &&= draft.members.filter(([one]) => one !== "@");
};

const renamed = (what: string, to: (good: string) => string) =>
  row("name", `@ ${what}`, (draft) => rename(draft, to(nameOf(draft.operation, draft.input))));

function ofTemplate({ name, parts }: Operation): readonly Variation[] {
  const prefix = name.replace(/\{.*/, "");
  const [first = ""] = parts;
  const part = (what: string, of: (good: string) => string) =>
    row("name", `part ${what}`, (draft) => rename(draft, prefix + of(String(draft.input[first]))));
  return [
    renamed("without its part", () => prefix),
    renamed("without its part and the dot", () => prefix.slice(0, -1)),
    ...PARTS.map((text) => part(shown(text), (good) => text.replace("~", () => good))),
    part("~ in lower case", (good) => good.toLowerCase()),
    part("~ in capitals", (good) => good.toUpperCase()),
  ];
}

export function name(contract: Contract, operation: Operation): readonly Variation[] {
  const inBody = (what: string, value: (good: string) => string) =>
    row(
      "name",
      `@ in JSON: ${what}`,
      (draft) => {
        draft.members &&= [["@", value(nameOf(operation, draft.input))], ...draft.members.slice(1)];
      },
      { only: "POST" },
    );
  const known = Object.values(contract.operations).flatMap((one) => (one.pattern === null ? [one.name] : one.known));
  return [
    row("name", "no @", drop),
    ...NEAR.map(([what, of]) => renamed(what, of)),
    ...["", ...NO_NAMES, ...known].map((text) => renamed(`is ${shown(text)}`, () => text)),
    ...(operation.pattern === null ? [] : ofTemplate(operation)),
    ...words("@ %40 op @@ @%00 @%5B%5D @%5B0%5D @+ %20@ %EF%BC%A0").map((text) =>
      row("name", `?${text}= for @`, (draft) => {
        drop(draft);
        draft.query.push(`${text}=${escaped(nameOf(operation, draft.input))}`);
      }),
    ),
    ...words("null 1 true [] {}").map((value) => inBody(value, () => value)),
    inBody("in a list", (good) => JSON.stringify([good])),
    inBody("in an object", (good) => JSON.stringify({ name: good })),
    ...["%40", "@ ", "@@", "op", "operation", "name", ""].map((text) =>
      row(
        "name",
        `member "${text}" for @`,
        (draft) => {
          drop(draft);
          draft.members?.push([text, JSON.stringify(nameOf(operation, draft.input))]);
        },
        { only: "POST" },
      ),
    ),
    row(
      "name",
      "@ twice in the body",
      (draft) => void draft.members?.push(["@", JSON.stringify(nameOf(operation, draft.input))]),
      { only: "POST" },
    ),
    row("name again", "@ again", (draft) => void draft.query.push(`@=${escaped(nameOf(operation, draft.input))}`)),
    ...parameter("name again", ["@=", "@=x", "%40=x", "@"]),
  ];
}
