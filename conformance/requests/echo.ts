import { addField, row, setField, type Variation } from "./draft.ts";
import { spellings } from "./head.ts";
import { words } from "./values.ts";

/** Fields that no rule reads, and laws do: what a response must repeat, and what it must not (D12, D20, D22). */

const ID = "X-Request-Id";
const LETTERS = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz";
/** Of the form of a request id, some of them near to a key: a UUID, ids of a trace, 39 digits, the prefix of a key. */
const RIGHT = [
  ...[..."a0-._", LETTERS, "0123456789._-", "x".repeat(63), "Z".repeat(64), "__proto__", "null", "0".repeat(39)],
  ...words("6f1c9c0e-3a55-4b43-9d2b-0d1f5a3c7e21 01ARZ3NDEKTSV4RRFFQ69G5FAV"),
  "0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331",
];
const WRONG = [
  ...["x".repeat(65), "x".repeat(1000), "a b", "a\tb", "\xc3\xa9t\xc3\xa9", "\xff\xfe\xfd\xfc", "caller-1\x80", '"q"'],
  ...words("a,b a;b a/b a:b a=b a@b a+b a~b a%20b %0d%0aX-Injected:%201 <script> {} $(id) '; "),
];

const MADE_UP = "203.0.113.9";
const ADDRESSES = [
  ...[MADE_UP, `${MADE_UP}, 198.51.100.7, 203.0.113.10`, "2001:db8::9", `${MADE_UP}:4711, [2001:db8::9]:4711`],
  ...[`::ffff:${MADE_UP}`, "127.0.0.99", `not-an-address, <script>, ${MADE_UP}`, ", ,"],
];
const OF_ADDRESSES = words(
  "X-Real-IP X-Client-IP True-Client-IP CF-Connecting-IP X-Original-Forwarded-For X-Cluster-Client-IP X-Forwarded",
);
const FORWARDED = `for=${MADE_UP};by=198.51.100.7, for="[2001:db8::9]";host=elsewhere.example;proto=gopher`;
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

const always = { always: true } as const;
const one = (name: string, what: string, values: readonly string[], as = name): Variation =>
  row(name, `${as}: ${what}`, (draft) => setField(draft, name, values, as), always);

/** `keyPrefix`: what the keys of the contract begin with. */
export function echo(keyPrefix: string): readonly Variation[] {
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
    ...RIGHT.map((id, at) => one(ID, `right ${at}`, [id])),
    ...WRONG.map((id, at) => one(ID, `wrong ${at}`, [id])),
    ...keys.map((id, at) => one(ID, `like a key ${at}`, [id])),
    one(ID, "two", ["one-id", "other-id"]),
    ...spellings(ID).map((as) => one(ID, "an-id", ["an-id"], as)),
    ...words("Request-Id X-Correlation-Id X-Amzn-Trace-Id").map((name) => one(name, "an-id", ["an-id"])),
    ...ADDRESSES.map((text, at) => one("X-Forwarded-For", `addresses ${at}`, [text])),
    one("X-Forwarded-For", "two", [MADE_UP, "198.51.100.7"]),
    ...OF_ADDRESSES.map((name) => one(name, MADE_UP, [MADE_UP])),
    ...ELSEWHERE.map(([name, value]) => one(name, "elsewhere", [value])),
    ...["X-Unknown", "Accept-Language", "Cookie", "User-Agent"].map((name) =>
      row(name, `${name}: the word of the run`, (draft) => addField(draft, name, draft.caller.canary), always),
    ),
    row(
      "X-Unknown",
      "X-Unknown: 1,500 times the word of the run",
      (draft) => addField(draft, "X-Unknown", draft.caller.canary.repeat(1500)),
      always,
    ),
  ];
}
