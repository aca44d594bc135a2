import { credentialFields, JSON_TYPE } from "../../checks/probe.ts";
import { nameOf } from "../../client/operation.ts";
import { wireOfLiteral } from "../../client/send.ts";
import { BLANKS } from "../input/values.ts";
import { type Asking, type Case, inTurn, type List } from "../list.ts";

/** Names of users, and e-mail addresses by the syntax of the HTML standard (D23). */

const label = (length: number) => "a".repeat(length);

/** A domain with this many characters, no label longer than 63. */
function domain(length: number): string {
  if (length <= 63) return label(length);
  const first = Math.min(63, length - 2);
  return `${label(first)}.${domain(length - first - 1)}`;
}

const address = (local: number, whole: number) => `${label(local)}@${domain(whole - local - 1)}`;

const SYNTAX = [
  ..."a@b a@localhost 1@2 a@1.2.3.4 a@b.c a@b.c.d.e.f.g A@B.C a@xn--bcher-kva.example a+b@c.d +@b a-@b -a@b".split(" "),
  ..."_@b .a@b a.@b a..b@c ...@b !#$%&'*+/=?^_`{|}~-.@b a/b@c a@a-b a@a--b a@1a a@a1 a@1-1 a@b.c-d.e".split(" "),
  ...[`a@${label(63)}`, `a@b.${label(63)}.c`, "a@b.co", "a@b.museum"],
  ..."0123456789@b abcdefghijklmnopqrstuvwxyz@b ABCDEFGHIJKLMNOPQRSTUVWXYZ@B".split(" "),
  ...["", " ", "a b@c", "a@b c", "a @b", "a@ b", '"a b"@c', "Ada <a@b>", "a@b, c@d", "a@b c@d"],
  ..."a a.b @ a@ @b @a@b a@@b a@b@c a@b@ a@.b a@b. a@b..c a@. a@.. a@b.c. a@-b a@b- a@b.-c a@b-.c a@b.c- a@-".split(
    " ",
  ),
  ...["\ta@b", "a@b\t", "a@b\n", "\na@b", "a@b\r\n", "a@b\u0000", "\u00a0a@b", "a@b\u3000", "a\u0000@b", "a@b\u200b"],
  ...["\u00e9@b", "a@\u00e9", "a@b\u00fccher.example", "\u{1f600}@b", "a\uff20b", "a@b\u3002c", "\u0430@b", "a@\u212a"],
  ...["\u212a@b", "\u017f@b", "a@\u017f", "\u0130@b", "\u0661@b", "a@\u0661", "a\n@b\nc"],
  // Nothing that is slow to reject.
  ...["a".repeat(5000), `a@${"a-".repeat(2500)}`, `a@${"a.".repeat(2500)}`],
  ...[`a@${label(64)}`, `a@b.${label(64)}`, `a@${label(64)}.c`],
  ...'a@b_c a@b!c a@b+c a@b/c a@b:25 a@b,c a@b;c "a"@b "a@b"@c a(b)@c a@(b)c <a@b> a,b@c a;b@c a:b@c'.split(" "),
  ..."a\\b@c a[b@c a@[127.0.0.1] a@[IPv6:::1] mailto:a@b a@b;c@d a%40b a@b?c=d a@b#c a@b%c".split(" "),
];

/** Around an address of the run, which is at `~`: rejected, otherwise the user would exist. */
const AROUND = [
  ...[" ~", "~ ", "~\n", "\n~", "~\u0000", "~.", "~,", "~;", "~>", "<~", "~@a", "a@~", '"~"', "mailto:~", "~\u00a0"],
  "\ufeff~",
];

/** Names at the bounds and of every class of characters, which are created: 400 UTF-16 units, 800 bytes, no letters. */
const CREATED = [
  ...["0", "\u{1f600}".repeat(200), "\u200b\u2060\u180eAda\u180e\u2060\u200b", "' UNION SELECT 1 --"],
  "a \u0021\u007e\u00a0\u00a1\u00ad\u0300\u200b\u200d",
  "\u2010\u2027\u2030\u2065\u206a\u206f\ud7ff\ue000\ufdd0\ufffd\ufffe\uffff\u{10000}\u{10ffff}z",
  // Software on the way might change them. Syntax of pages, shells, SQL, templates and logs.
  `<b onclick="x()">O'Brien & Sons</b> "quoted" \\ \\n \\u0041 &amp; %00 %41 +1 \${x} {{x}} <%= x %> ` +
    "'); DROP TABLE users;-- `id` $(id) ?, :name $1 @p # /* */ || null",
  // Every normal form is another text; right to left, beyond the BMP, joined, invisible, special letter case.
  "e\u0301 \u00e9 \u212b \u00c5 \ufb01 \uff21 \u1100\u1161 \uac00 \u2126 \u212a q\u0307\u0323 q\u0323\u0307 " +
    "\u0645\u0631\u064a\u0645 \u05d3\u05d5\u05d3 \u{1f469}\u200d\u{1f52c}\u{1f3fd} \u{20bb7} \u5c71\u7530 \u0130\u0131\u00df\u1e9e \ufe0f\u200e\u200f\u00ad",
  // Blanks of all widths, and letter case.
  "aDa   LOVElace\u00a0\u00a0of\u3000 \u2003 \u2028\u2029 \u202f\ufeff\u200bEND",
  ...["007", "null"],
];
/** Addresses at the bounds, around a local part of the run. */
const ADDRESSES: readonly ((local: string) => string)[] = [
  (local) => `${`${local}!#$%&'*+/=?^_\`{|}~-.`.padEnd(64, "Z")}@example.com`,
  (local) => `${local}@${domain(221 - local.length)}.1-a.xn--bcher-kva.0.example.com`,
  (local) => `${local}@EXAMPLE.Com`,
];

const upper = (text: string) => text.toUpperCase();
/** Addresses with every letter: in some languages, the lower case of I is not i. */
const EVERY_LETTER: readonly ((local: string) => string)[] = [
  (local) => `${local}-abcdefghijklmnopqrstuvwxyz@example.com`,
  (local) => `${upper(local)}-ABCDEFGHIJKLMNOPQRSTUVWXYZ@example.com`,
];
/** The same address. */
const SPELLINGS: readonly ((email: string) => string)[] = [
  String,
  upper,
  (email) => email.toLowerCase(),
  (email) => email.replace(/^[^@]+/, upper),
  (email) => email.replace(/[^@]+$/, upper),
  (email) => email.replace(/^./, upper),
];
/** Others: without a dot, of another domain, a pattern of SQL. */
const ALMOST = Object.entries({ x: "x", "x.y": "xy", "a.b.": "a.c.", "x.y.": "x_y_" });

const LENGTHS = [
  ...[1, 63, 64, 65, 66, 100, 200, 1000].flatMap((length) => [`${label(length)}@b`, `${label(length)}@example.com`]),
  ...[1, 32, 64, 65].flatMap((local) => [253, 254, 255, 256, 257, 300, 1000].map((whole) => address(local, whole))),
];

function* cases({ api, oracle, input }: Asking): Generator<Case> {
  const operation = oracle.contract.operations["user.create"];
  if (!operation) return;
  const data = input(operation);
  const fields = [...credentialFields(api), JSON_TYPE] as const;
  const call = (email: string, more: object) =>
    wireOfLiteral(api, {
      ...{ method: "POST", target: "/api/", headers: fields },
      body: JSON.stringify({ "@": nameOf(operation), data: { ...data, email, ...more } }),
    });
  const named = (name: string, more: object) => call(String(data.email), { name, ...more });
  for (const blank of [...BLANKS, "\t", "\n", "\r\n", "\u0085"])
    for (const name of [`${blank}Ada`, `Ada${blank}`, `${blank}Ada${blank}`, blank, blank + blank]) {
      yield ["user.create/name-blanks", named(name, {})];
      yield ["user.create/name-blanks", named(`Ada${blank}Lovelace`, { unknown: 1 })];
    }
  for (const name of [`${label(199)} `, ` ${label(200)}`]) yield ["user.create/name-blanks", named(name, {})];
  for (const name of CREATED) yield ["user.create/as-sent", call(api.email(), { name })];
  for (const shape of EVERY_LETTER) {
    const email = api.email(shape);
    yield ["user.create/email-taken", call(email, {})];
    yield ["user.create/email-taken", call(email, { name: "" })];
    for (const spelling of SPELLINGS)
      for (const more of [{}, { name: "Somebody Else" }])
        yield ["user.create/email-taken", call(spelling(email), more)];
  }
  const one = api.email((local) => `${local}+x.y.`.padEnd(64, "z").concat("@a.b.example.com"));
  for (const [part, other] of ALMOST) {
    const email = api.email(() => one.replace(part, other));
    yield ["user.create/email-taken", call(email, {})];
  }
  for (const shape of ADDRESSES) yield ["user.create/as-sent", call(api.email(shape), {})];
  for (const [of, values] of [
    ["user.create/email-syntax", [...SYNTAX, ...AROUND.map((text) => text.replace("~", String(data.email)))]],
    ["user.create/email-length", LENGTHS],
  ] as const)
    for (const email of values) {
      // With an unknown member nothing is created, and other faults are still reported.
      yield [of, call(email, { unknown: 1 })];
      yield [of, call(email, { name: "" })];
    }
}

export const users: List = (asking) => inTurn(cases(asking));
