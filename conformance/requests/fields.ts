import { mediaTypesOf, type Operation } from "../oracle/contract.ts";
import { addField, field, type Mutation, mutation, setField, words } from "./draft.ts";
import { spellings } from "./head.ts";

/**
 * Idempotency keys (D25), and fields that change nothing, or whose values a response must not
 * repeat.
 */

const VISIBLE = Array.from({ length: 94 }, (_, n) => String.fromCharCode(33 + n)).join("");
const KEY = "Idempotency-Key";
const KEYS = [
  "a b",
  "\xb2",
  "k".repeat(257),
  "k".repeat(127),
  "a\tb",
  "",
  "\x80",
  ["a", "a"],
  ["a", "b"],
];

const NEUTRAL: readonly (readonly [name: string, values: string])[] = [
  ["Origin", "https://app.example|null||x"],
  ["If-None-Match", '*|"x"|x|W/"x"|"x" , W/"y"|"x"\t,\tW/"y"|, "x,y",'],
  ["If-Modified-Since", "Fri, 01 Jan 2038 00:00:00 GMT"],
  ["Accept-Language", "de, fr;q=0.5"],
  ["Cookie", "session=0; X-API-KEY=none"],
  ["Authorization", "Bearer none"],
  ["Range", "bytes=0-0|x"],
  ["X-Request-Id", "x|a b|\xe9"],
  [
    "Accept-Encoding",
    "gzip|br|gzip, br|identity;q=0, *;q=0|x|GZIP|*|identity|gzip;q=0|, gzip ,\t, " +
      "br;q=1.000|gzip;Q=0.001, br;q=0" +
      "|gzip;q=0.000|br;q=0.000, gzip|gzip;q=0, *|br;q=0, *|*;q=0|*;q=0, " +
      "gzip|gzip;q=0.000, br;q=0.000|gzip;q=0, br;q=0, *" +
      "|identity;q=0, gzip|\tgzip\t;\tq=0.5\t,br;q=0|,gzip|BR;Q=1.0|deflate;q=1, " +
      "gzip;q=0.5|gzip;q=0.001|x-unknown, br",
  ],
  ["traceparent", "x"],
  ["Connection", "keep-alive|Upgrade"],
  ["X-Forwarded-For", "203.0.113.7"],
  ["X-Forwarded-Host", "a.example"],
  ["X-Original-URL", "/api/?@=x"],
  ["Prefer", "return=minimal"],
  ["User-Agent", "kube-probe/1.30"],
  ["Access-Control-Request-Method", "GET|DELETE"],
  ["Cache-Control", "no-cache"],
  ["If-Match", "*"],
  ["Transfer_Encoding", "x"],
];

const key = (what: string, of: (canary: string) => string) =>
  mutation(KEY, `${KEY} ${what}`, (draft) => setField(draft, KEY, [of(draft.caller.canary)]));

export const fields: readonly Mutation[] = [
  { ...key("of the run", (canary) => canary), creates: true },
  { ...key("of 255 characters", (canary) => (canary + VISIBLE).padEnd(255, "k")), creates: true },
  ...field(KEY, KEYS),
  key("of 256 characters", (canary) => (canary + VISIBLE).padEnd(256, "k")),
  key("in quotes", (canary) => `"${canary}"`),
  key("that is not ASCII", (canary) => `\xe9${canary}`),
  ...field(
    "Accept-Encoding",
    [
      ["gzip", "br"],
      ["identity", "x", "gzip"],
      ["br;q=0", "gzip"],
    ],
    { always: true },
  ),
  ...NEUTRAL.flatMap(([name, values]) => field(name, values.split("|"), { always: true })),
];

/** The representation that is asked for (D10; RFC 9110, 12.5.1). */

/** Ranges of an `Accept` field about two offered media types; `kind`: the type of the first. */
const ranges = (a: string, b: string, kind: string) =>
  `${a}|${b}|*/*|${kind}/*|text/*|image/png|*/*;q=0|${a};q=0|${a};q=0, */*|*/*, ${a};q=0
${kind}/*;q=0, ${a}|*/*;q=0, ${a}
${a};q=0.001|${a};q=0.000|${a};q=0.0001|${a};q=1.001|${a};q=2|${a};q=x|${a};q=
${a};q= 1|${a};q=0;q=1|${a};q="0"
${a} ;Q=0|image/png, */*;q=0.1|${b};q=0.9, ${a};q=0.2|${a};q=0.9, ${b};q=1.0|*|json|/
text/html;level=1|image/png;q=x
image/png;q=x, ${a};q=0|text/*;q=0.5, */*;q=0.4|a/b;c="d,e"|a/b;c="${a}"|${a}, , image/png
, ,|image/png, image/jpeg|${a}x
x${a}|application/problem+json|${a};v="\\"", image/png| ${a}|${a};q=00|${a};q=0.0x
${a};q=+1|${a};q=-0
image/png;q=1.0000, text/x|image/png;q=0.1234|text/x;q=.5|${a.toUpperCase()}`.split(/[|\n]/);

/**
 * Forms by which the second type is preferred, and the first is what others get: of each production
 * one that shows whether it is read.
 */
const preferences = (a: string, b: string, kind: string) =>
  `${a};q=0.5,\t${b}|${a};q=0.5 ,${b}|${b} ; q=0.9 , ${a} ; q=0.5
${b};\tq=0.9,${a}\t;q=0.5|${a};q=0.5,, ${b}|, ${b}|${b} ,
${b};p="a\\"b", ${a};q=0.5|${b};p="a,b", ${a};q=0.5|${b};p="a;q=0", ${a};q=0.5
${a};q=0.90, ${b};q=0.91|${a};q=0.900,${b};q=0.901
${a};q=0.,${b};q=1.|${a};Q=0.1,${b};Q=0.2|${b.toUpperCase()}, ${a};q=0.5
*/*, ${a};q=0.1|${kind}/*;q=0.1, ${b}|*/*;q=0.1, ${b};q=0.2
${b};q=0.9;ext=1, ${a};q=0.5|${b};q=0.9;ext="a,b", ${a};q=0.5|${a};q=0, ${b};q=0.001
image/png, ${b};q=0.1
${b};, ${a};q=0.5|${b};a.b=1, ${a};q=0.5`.split(/[|\n]/);
/** Long, and within the limit of a head. */
const MANY = Array.from({ length: 200 }, (_, at) => `image/x-${at}`).join(", ");

/** What is no media range (RFC 9110, 12.5.1), or has no weight that is one (12.4.2). */
const NO_RANGE = /^(?:json|\*|\/|.*;q=(?:x|2||\+1|0\.0x|1\.001|0\.0001))$/;

export function accept(operation: Operation): readonly Mutation[] {
  const [first = "text/html", second = first] = mediaTypesOf(operation);
  const [kind = ""] = first.split("/");
  const isOne = first === second;
  return [
    ...field(
      "Accept",
      [
        ...new Set([
          ...ranges(first, second, kind),
          ...(isOne ? [] : preferences(first, second, kind)),
        ]),
      ],
      (value) => (NO_RANGE.test(value) ? { targets: { accepted: "answers/accept-ignored" } } : {}),
    ),
    ...field("Accept", [
      [`${first};q=0.1`, second],
      [`${first};q=0.1`, "image/png", second],
      [`${first};q=0.1`, ",", second],
    ]),
    mutation("Accept", `Accept: 200 other types, ${second}`, (draft) =>
      setField(draft, "Accept", [`${MANY}, ${second}`]),
    ),
    ...field("Accept", [["image/png", first], ["*/*;q=0", "image/png"], ""]),
    ...spellings("Accept").flatMap((as) => field(as, ["image/png"])),
  ];
}

/**
 * Fields that no rule reads, and laws do: what a response must repeat, and what it must not (D12,
 * D20, D22).
 */

const ID = "X-Request-Id";
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/**
 * Of the form of a request id, some of them near to a key: a UUID, ids of a trace, 39 digits, the
 * prefix of a key.
 */
const RIGHT = [
  ..."a0-._",
  LETTERS,
  "0123456789._-",
  "x".repeat(63),
  "Z".repeat(64),
  "__proto__",
  "null",
  "0".repeat(39),
  ...words("6f1c9c0e-3a55-4b43-9d2b-0d1f5a3c7e21 01ARZ3NDEKTSV4RRFFQ69G5FAV"),
  "0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
];
const WRONG = [
  "x".repeat(65),
  "x".repeat(1000),
  "a b",
  "a\tb",
  "\xc3\xa9t\xc3\xa9",
  "\xff\xfe\xfd\xfc",
  "caller-1\x80",
  '"q"',
  ...words("a,b a;b a/b a:b a=b a@b a+b a~b a%20b %0d%0aX-Injected:%201 <script> {} $(id) '; "),
];

const MADE_UP = "203.0.113.9";
const ADDRESSES = [
  MADE_UP,
  `${MADE_UP}, 198.51.100.7, 203.0.113.10`,
  "2001:db8::9",
  `${MADE_UP}:4711, [2001:db8::9]:4711`,
  `::ffff:${MADE_UP}`,
  "127.0.0.99",
  `not-an-address, <script>, ${MADE_UP}`,
  ", ,",
];
const OF_ADDRESSES = words(
  "X-Real-IP X-Client-IP True-Client-IP CF-Connecting-IP X-Original-Forwarded-For " +
    "X-Cluster-Client-IP X-Forwarded",
);
const FORWARDED = [
  `for=${MADE_UP};by=198.51.100.7`,
  'for="[2001:db8::9]";host=elsewhere.example;proto=gopher',
].join(", ");
/** A deployment must not derive its own address, or its version, from these. */
const ELSEWHERE = Object.entries({
  "X-Forwarded-Host": "elsewhere.example",
  "X-Forwarded-Proto": "gopher",
  "X-Forwarded-Prefix": "/elsewhere",
  "X-Original-URL": "/elsewhere/",
  Forwarded: FORWARDED,
  Origin: "https://elsewhere.example",
  Referer: "https://elsewhere.example/",
  "Accept-Version": "1.0.0",
  "X-API-Version": "1.0.0",
});

/** Values that are rejected: a problem must not repeat them. */
const WITH_WORD: readonly (readonly [name: string, of: (word: string) => string])[] = [
  ["Accept", (word) => `text/${word}`],
  ["Content-Type", (word) => `text/${word}`],
  ["Content-Encoding", (word) => word],
  ["Expect", (word) => word],
  ["Transfer-Encoding", (word) => word],
  ["Host", (word) => `${word}:${word}`],
  [KEY, (word) => `${word} ${word}`],
];

const always = { always: true } as const;
const fieldRow = (name: string, what: string, values: readonly string[], as = name): Mutation =>
  mutation(name, `${as}: ${what}`, (draft) => setField(draft, name, values, as), always);

/** `keyPrefix`: what the keys of the contract begin with. */
export function echo(keyPrefix: string): readonly Mutation[] {
  const key = `${keyPrefix}${"0a".repeat(24)}`;
  const keys = [
    key,
    key.slice(0, -1),
    key.slice(0, 5),
    `x-${key.toUpperCase()}`,
    key.slice(4),
    key.slice(12),
    keyPrefix,
  ];
  return [
    ...RIGHT.map((id, at) => fieldRow(ID, `right ${at}`, [id])),
    ...WRONG.map((id, at) => fieldRow(ID, `wrong ${at}`, [id])),
    ...keys.map((id, at) => fieldRow(ID, `like a key ${at}`, [id])),
    fieldRow(ID, "two", ["one-id", "other-id"]),
    ...spellings(ID).map((as) => fieldRow(ID, "an-id", ["an-id"], as)),
    ...words("Request-Id X-Correlation-Id X-Amzn-Trace-Id").map((name) =>
      fieldRow(name, "an-id", ["an-id"]),
    ),
    ...ADDRESSES.map((text, at) => fieldRow("X-Forwarded-For", `addresses ${at}`, [text])),
    fieldRow("X-Forwarded-For", "two", [MADE_UP, "198.51.100.7"]),
    ...OF_ADDRESSES.map((name) => fieldRow(name, MADE_UP, [MADE_UP])),
    ...ELSEWHERE.map(([name, value]) => fieldRow(name, "elsewhere", [value])),
    ...["X-Unknown", "Accept-Language", "Cookie", "User-Agent"].map((name) =>
      mutation(
        name,
        `${name}: the word of the run`,
        (draft) => addField(draft, name, draft.caller.canary),
        always,
      ),
    ),
    mutation(
      "Content-Type",
      "Content-Type with a charset that is the word of the run",
      (draft) =>
        setField(draft, "Content-Type", [`application/json; charset=${draft.caller.canary}`]),
      always,
    ),
    ...WITH_WORD.map(([name, of]) =>
      mutation(
        name,
        `${name} with the word of the run`,
        (draft) => setField(draft, name, [of(draft.caller.canary)]),
        always,
      ),
    ),
    mutation(
      "X-Unknown",
      "X-Unknown: 1,500 times the word of the run",
      (draft) => addField(draft, "X-Unknown", draft.caller.canary.repeat(1500)),
      always,
    ),
  ];
}
