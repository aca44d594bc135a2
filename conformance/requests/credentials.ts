import type { Contract, Operation } from "../oracle/contract.ts";
import {
  addField,
  type Change,
  type Draft,
  type Mutation,
  mutation,
  nameIn,
  type Options,
  pair,
  setField,
  shown,
  type Targets,
  words,
} from "./draft.ts";
import { spellings } from "./head.ts";
import { ALTERED, base64, fitsField, JUNK, NEAR, type Near, percent, strangers } from "./values.ts";

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

/** The value as a whole counts, of a key and of a platform. */
const WHOLE = {
  "credentials-invalid": "credentials/whole",
  "platform-not-allowed": "credentials/whole",
};

/** What is sent for a requirement of its own where header and query hold these. */
function placementTargets(inHeader: string, inQuery: string): Targets {
  const [header, query] = [inHeader, inQuery].map((what) => /^(?:empty|nothing)$/.test(what));
  if (header && query) return { "credentials-missing": "credentials/empty" };
  if (inHeader === "right" && inQuery === "right") return { accepted: "credentials/same-twice" };
  const isRightAlone = header ? inQuery === "right" : query && inHeader === "right";
  return isRightAlone ? { accepted: "credentials/empty" } : {};
}

const lettersOf = (name: string) => name.toLowerCase().replace(/[-_]/g, "");

function ofOne(name: string): readonly Mutation[] {
  const row = (what: string, apply: (draft: Draft, right: string) => void, options: Options = {}) =>
    mutation(name, `${name} ${what}`, (draft) => apply(draft, rightOf(draft, name)), options);
  const spelled = [...spellings(name), name.replaceAll("-", "_")];
  const theOther: Near = ["the other credential", () => ""];
  const valueIn = (draft: Draft, near: Near) =>
    near === theOther
      ? rightOf(draft, name === KEY ? PLATFORM : KEY)
      : near[1](rightOf(draft, name));
  return [
    ...CONTENTS.flatMap(([inHeader, header]) =>
      CONTENTS.map(([inQuery, query]) =>
        row(
          `${inHeader} in the header, ${inQuery} in the query`,
          (draft, right) =>
            put(draft, name, header(right, draft.caller.canary), query(right, draft.caller.canary)),
          { targets: placementTargets(inHeader, inQuery) },
        ),
      ),
    ),
    ...spelled.flatMap((text) => [
      row(`as ${text}`, (draft, right) => put(draft, name, [right], [], text), {
        targets: { accepted: "credentials/header-case" },
      }),
      row(`and a wrong one as ${text}`, (draft) => addField(draft, text, draft.caller.canary)),
      row(`wrong as ${text}, right in the query`, (draft, right) =>
        put(draft, name, [draft.caller.canary], [right], text),
      ),
    ]),
    row("twice", (draft, right) => put(draft, name, [right, right])),
    row("and another", (draft, right) => put(draft, name, [right, draft.caller.canary])),
    row("in blanks", (draft, right) => put(draft, name, [` \t${right}  `])),
    row("twice in the query", (draft, right) => put(draft, name, [], [right, right])),
    ...[...NEAR, ...JUNK, theOther].flatMap((near) => {
      const [what] = near;
      const options: Options = {
        ...(NEAR.includes(near) ? { targets: WHOLE } : {}),
        ...(ALTERED.includes(near) ? { always: true } : {}),
      };
      const inQuery = [
        row(`right, in the query ${what}`, (draft, right) =>
          put(draft, name, [right], [valueIn(draft, near)]),
        ),
        row(
          `in the query ${what}`,
          (draft) => put(draft, name, [], [valueIn(draft, near)]),
          options,
        ),
      ];
      const inHeader = [
        row(`right in the query, in the header ${what}`, (draft, right) =>
          put(draft, name, [valueIn(draft, near)], [right]),
        ),
        row(`in the header ${what}`, (draft) => put(draft, name, [valueIn(draft, near)]), options),
      ];
      return near === theOther || fitsField(near) ? [...inQuery, ...inHeader] : inQuery;
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
      row(
        `as ?${shown(text)}`,
        (draft, right) => {
          put(draft, name, []);
          draft.query.push(text.includes("%") ? `${text}=${right}` : pair(text, right));
        },
        lettersOf(text) === lettersOf(name)
          ? { targets: { "credentials-missing": "credentials/query-case" } }
          : {},
      ),
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

const KIND_TARGETS: Readonly<Record<string, Targets>> = {
  otherPlatform: { "platform-not-allowed": "credentials/platform-of-key" },
  expired: { "credentials-invalid": "credentials/expired" },
  revoked: { "credentials-invalid": "credentials/revoked" },
};

/** Another key of the run, with its platform. */
const otherKey = (kind: string): Mutation => {
  const apply: Change = (draft) => {
    const { key = "", platform = "" } = draft.caller.others[kind] ?? {};
    put(draft, KEY, [key]);
    put(draft, PLATFORM, [platform]);
  };
  const targets = KIND_TARGETS[kind] ?? {};
  return mutation(KEY, `${KEY} of the kind ${kind}`, apply, { needs: kind, targets });
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

/** The requirements that keys of no other kinds than these can show. */
export const onlyShownBy = (kinds: readonly string[], { scopes }: Contract): readonly string[] => [
  ...kinds.flatMap((kind) => Object.values(KIND_TARGETS[kind] ?? {})),
  ...(["noScopes", ...scopes].every((kind) => kinds.includes(kind)) ? ["credentials/scope"] : []),
];

export function credentials(contract: Contract, { auth }: Operation): readonly Mutation[] {
  const rows = [...kindsOf(contract).map(otherKey), ...ofOne(KEY), ...ofOne(PLATFORM)];
  const ignored = { accepted: "credentials/public" };
  return auth ? rows : rows.map((row) => ({ ...row, targets: { ...row.targets, ...ignored } }));
}
