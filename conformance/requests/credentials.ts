import type { Contract } from "../oracle/contract.ts";
import {
  addField,
  type Change,
  type Draft,
  type Mutation,
  mutation,
  nameIn,
  pair,
  setField,
  shown,
  words,
} from "./draft.ts";
import { spellings } from "./head.ts";
import { base64, fitsField, JUNK, NEAR, type Near, percent, strangers } from "./values.ts";

/**
 * Credentials (G4, D16 to D20): each in both places, both of them, and where they do not belong.
 */

const KEY = "X-API-KEY";
const PLATFORM = "X-PLATFORM";
const HEADERS = words(
  "API-KEY ApiKey X-Auth-Token X-Access-Token X-API-TOKEN Platform X-Client-Platform User-Agent",
);

const rightOf = ({ caller }: Draft, name: string) => (name === KEY ? caller.key : caller.platform);

/** The values of a credential in the header and in the query. */
function put(
  draft: Draft,
  name: string,
  header: readonly string[],
  inQuery: readonly string[] = [],
  as = name,
): void {
  setField(draft, name, header, as);
  const otherParameters = draft.query.filter((one) => nameIn(one) !== name);
  draft.query = [...otherParameters, ...inQuery.map((value) => pair(name, value))];
}

/** What a place holds: nothing, the empty text, the right value, or another. */
const CONTENTS: readonly (readonly [
  what: string,
  of: (right: string, canary: string) => readonly string[],
])[] = [
  ["right", (right) => [right]],
  ["wrong", (_, canary) => [canary]],
  ["empty", () => [""]],
  ["nothing", () => []],
];

/** The value in fields that some servers read as well: the field, what is in it, and its value. */
const elsewhere = (
  name: string,
): readonly (readonly [header: string, what: string, of: (value: string) => string])[] => [
  ...["Bearer ", "ApiKey ", "Token ", ""].map(
    (scheme) => ["Authorization", `${scheme}~`, (value: string) => scheme + value] as const,
  ),
  ["Authorization", "Basic ~:", (value) => `Basic ${base64(`${value}:`)}`],
  ["Authorization", "Basic api:~", (value) => `Basic ${base64(`api:${value}`)}`],
  ["Proxy-Authorization", "Bearer ~", (value) => `Bearer ${value}`],
  ["Cookie", `${name}=~`, (value) => `${name}=${value}`],
  ["Cookie", `x=1; ${name.toLowerCase()}=~`, (value) => `x=1; ${name.toLowerCase()}=${value}`],
  ["Sec-CH-UA-Platform", '"~"', (value) => `"${value}"`],
  ...HEADERS.map((header) => [header, "~", (value: string) => value] as const),
];

/**
 * A value of the right form, another in one place: a server that compares a part of it, or a hash
 * of that, takes some of them.
 */
const ONE_OTHER = /^in the (?:header|query) ~ with another (?:end|middle|beginning|character)/;

function ofOne(name: string): readonly Mutation[] {
  const row = (what: string, apply: (draft: Draft, right: string) => void) =>
    mutation(
      name,
      `${name} ${what}`,
      (draft) => apply(draft, rightOf(draft, name)),
      ONE_OTHER.test(what) ? { always: true } : {},
    );
  const spelled = [...spellings(name), name.replaceAll("-", "_")];
  const theOther: Near = ["the other credential", () => ""];
  const wrong = [...NEAR, ...JUNK];
  const texts = [
    ...wrong.map((near) => [...near, fitsField(near)] as const),
    [...theOther, true] as const,
  ];
  const valueIn = (draft: Draft, [what, of]: readonly [string, Near[1], boolean]) =>
    what === theOther[0] ? rightOf(draft, name === KEY ? PLATFORM : KEY) : of(rightOf(draft, name));
  return [
    ...CONTENTS.flatMap(([inHeader, header]) =>
      CONTENTS.map(([inQuery, query]) =>
        row(`${inHeader} in the header, ${inQuery} in the query`, (draft, right) =>
          put(draft, name, header(right, draft.caller.canary), query(right, draft.caller.canary)),
        ),
      ),
    ),
    ...spelled.flatMap((text) => [
      row(`as ${text}`, (draft, right) => put(draft, name, [right], [], text)),
      row(`and a wrong one as ${text}`, (draft) => addField(draft, text, draft.caller.canary)),
      row(`wrong as ${text}, right in the query`, (draft, right) =>
        put(draft, name, [draft.caller.canary], [right], text),
      ),
    ]),
    row("twice", (draft, right) => put(draft, name, [right, right])),
    row("and another", (draft, right) => put(draft, name, [right, draft.caller.canary])),
    row("in blanks", (draft, right) => put(draft, name, [` \t${right}  `])),
    row("twice in the query", (draft, right) => put(draft, name, [], [right, right])),
    ...texts.flatMap((text) => {
      const [what, , fits] = text;
      const inQuery = [
        row(`right, in the query ${what}`, (draft, right) =>
          put(draft, name, [right], [valueIn(draft, text)]),
        ),
        row(`in the query ${what}`, (draft) => put(draft, name, [], [valueIn(draft, text)])),
      ];
      const inHeader = [
        row(`right in the query, in the header ${what}`, (draft, right) =>
          put(draft, name, [valueIn(draft, text)], [right]),
        ),
        row(`in the header ${what}`, (draft) => put(draft, name, [valueIn(draft, text)])),
      ];
      return fits ? [...inQuery, ...inHeader] : inQuery;
    }),
    ...["+~", "~+", "~=", "~=x", "~%26x=1", "escaped"].map((text) =>
      row(`written ${text}`, (draft, right) => {
        put(draft, name, []);
        draft.query.push(
          `${name}=${text === "escaped" ? percent(right) : text.replace("~", () => right)}`,
        );
      }),
    ),
    ...[...strangers([name]), "%58-PLATFORM", "X%2DAPI%2dKEY"].map((text) =>
      row(`as ?${shown(text)}`, (draft, right) => {
        put(draft, name, []);
        draft.query.push(text.includes("%") ? `${text}=${right}` : pair(text, right));
      }),
    ),
    ...elsewhere(name).flatMap(([header, what, of]) => [
      row(`in ${header}: ${what}`, (draft, right) => {
        put(draft, name, []);
        addField(draft, header, of(right));
      }),
      row(`wrong, and in ${header}: ${what}`, (draft, right) => {
        put(draft, name, [draft.caller.canary]);
        addField(draft, header, of(right));
      }),
    ]),
    row("in the body", (draft, right) => {
      put(draft, name, []);
      draft.members?.push([name, JSON.stringify(right)]);
      draft.data?.push([name, JSON.stringify(right)]);
      if (!draft.members) draft.bytes.push(() => JSON.stringify({ [name]: right }));
    }),
    row("as a form", (draft, right) => {
      put(draft, name, []);
      draft.members = null;
      draft.bytes.push(() => `${name}=${right}`);
      setField(draft, "Content-Type", ["application/x-www-form-urlencoded"]);
    }),
  ];
}

/** Another key of the run, with its platform. */
const otherKey = (kind: string): Mutation => {
  const apply: Change = (draft) => {
    const { key = "", platform = "" } = draft.caller.others[kind] ?? {};
    put(draft, KEY, [key]);
    put(draft, PLATFORM, [platform]);
  };
  return mutation(KEY, `${KEY} of the kind ${kind}`, apply, { needs: kind });
};

/**
 * The kinds of keys that a run may have besides its own: of no scope, of one alone, for another
 * platform, and no longer valid.
 */
export const kindsOf = ({ scopes }: Contract): readonly string[] => [
  "noScopes",
  ...scopes,
  "otherPlatform",
  "expired",
  "revoked",
];

export const credentials = (kinds: readonly string[]): readonly Mutation[] => [
  ...kinds.map(otherKey),
  ...ofOne(KEY),
  ...ofOne(PLATFORM),
];
