import type { RequirementId } from "../../../generated/requirements.ts";
import { type Check, check } from "../check.ts";
import { inCase, shown } from "../probe.ts";
import { expectNotCreated } from "../state.ts";
import { expectCreated, expectListed, expectRefused, expectTaken, type NewUser } from "./users.ts";

/** White space as ECMAScript has it, but for what is a control character as well. */
const BLANKS = [..." \u00a0\u1680\u2000\u2003\u2007\u2009\u200a\u2028\u2029\u202f\u205f\u3000\ufeff"];

/** Within a name, and at each of its ends: controls, bidirectional controls, lone surrogates. */
const FORBIDDEN = [
  ..."\u0000\u0001\u0008\t\n\u000b\f\r\u001b\u001f\u007f\u0080\u0085\u009f",
  ..."\u202a\u202b\u202c\u202d\u202e\u2066\u2067\u2068\u2069",
  ...["\ud800", "\udbff", "\udc00", "\udfff", "\udc00\ud800", "\ud800\ud800\udc00", "\ud83d \ude00"],
].flatMap((each) => [`Ada${each}Lovelace`, `${each}Ada`, `Ada${each}`]);

/** Just outside every range that is refused, and other characters that are no letters. */
const NEIGHBOURS =
  "a \u0021\u007e\u00a0\u00a1\u00ad\u0300\u200b\u200c\u200d\u200e\u200f\u2010\u2027\u202f\u2030\u2060\u2065\u206a\u206f\ud7ff\ue000\ufdd0\ufffd\ufffe\uffff\u{10000}\u{1f600}\u{e0001}\u{10ffff}z";

/** Names like any other, that a careless reader takes for something else. */
const TEXTS = [
  ..."0 -1 1e5 null undefined true false NaN [] {} __proto__ constructor <script>x()</script>".split(" "),
  ...["' UNION SELECT 1 --", "../../etc/passwd", "{{7*7}}", "a@b", "https://a.example/"],
];

/** One to four bytes in UTF-8, one or two units in UTF-16. */
const LETTERS = ["a", "\u00e9", "\u20ac", "\u{1f600}"];

const label = (length: number) => "a".repeat(length);

/** A domain of so many characters, no label longer than 63. */
function domain(length: number): string {
  if (length <= 63) return label(length);
  const first = Math.min(63, length - 2);
  return `${label(first)}.${domain(length - first - 1)}`;
}

const address = (local: number, whole: number) => `${label(local)}@${domain(whole - local - 1)}`;

const RIGHT = [
  ..."a@b a@localhost 1@2 a@1.2.3.4 a@b.c a@b.c.d.e.f.g A@B.C a@xn--bcher-kva.example a+b@c.d +@b a-@b -a@b".split(" "),
  ..."_@b .a@b a.@b a..b@c ...@b !#$%&'*+/=?^_`{|}~-.@b a/b@c a@a-b a@a--b a@1a a@a1 a@1-1 a@b.c-d.e".split(" "),
  ...[`a@${label(63)}`, `a@b.${label(63)}.c`, "a@b.co", "a@b.museum"],
  ..."0123456789@b abcdefghijklmnopqrstuvwxyz@b ABCDEFGHIJKLMNOPQRSTUVWXYZ@B".split(" "),
];

/** `~` stands for an address that would be right. */
const WRONG = [
  ...["", " ", "a b@c", "a@b c", "a @b", "a@ b", '"a b"@c', "Ada <a@b>", "a@b, c@d", "a@b c@d"],
  ..."a a.b @ a@ @b @a@b a@@b a@b@c a@b@ a@.b a@b. a@b..c a@. a@.. a@b.c. a@-b a@b- a@b.-c a@b-.c a@b.c- a@-".split(
    " ",
  ),
  ...["\ta@b", "a@b\t", "a@b\n", "\na@b", "a@b\r\n", "a@b\u0000", "\u00a0a@b", "a@b\u3000", "a\u0000@b", "a@b\u200b"],
  ...["\u00e9@b", "a@\u00e9", "a@b\u00fccher.example", "\u{1f600}@b", "a\uff20b", "a@b\u3002c", "\u0430@b", "a@\u212a"],
  ...["\u212a@b", "\u017f@b", "a@\u017f", "\u0130@b", "\u0661@b", "a@\u0661", "a\n@b\nc"],
  // Nothing that takes long to refuse.
  ...["a".repeat(5000), `a@${"a-".repeat(2500)}`, `a@${"a.".repeat(2500)}`],
  ...[`a@${label(64)}`, `a@b.${label(64)}`, `a@${label(64)}.c`],
  ...'a@b_c a@b!c a@b+c a@b/c a@b:25 a@b,c a@b;c "a"@b "a@b"@c a(b)@c a@(b)c <a@b> a,b@c a;b@c a:b@c'.split(" "),
  ..."a\\b@c a[b@c a@[127.0.0.1] a@[IPv6:::1] mailto:a@b a@b;c@d a%40b a@b?c=d a@b#c a@b%c".split(" "),
  ...[" ~", "~ ", "~\n", "\n~", "~\u0000", "~.", "~,", "~;", "~>", "<~", "~@a", "a@~", '"~"', "mailto:~", "~\u00a0"],
  "\ufeff~",
];

interface Row {
  readonly id: RequirementId;
  readonly member: keyof NewUser;
  readonly refused: readonly string[];
  readonly taken: readonly string[];
  /** Names that are created, or the whole addresses around a local part of the run. */
  readonly created: readonly ((local: string) => string)[];
}

/** What a name and an e-mail address may be (D23). */
const rows: readonly Row[] = [
  {
    id: "user.create/name-length",
    member: "name",
    refused: [
      ...[
        "",
        ...LETTERS.map((letter) => letter.repeat(201)),
        `${"\u{1f600}".repeat(200)}a`,
        `${"e\u0301".repeat(100)}a`,
      ],
      ...[202, 255, 256, 1000, 60_000].map(label),
    ],
    taken: [
      ...LETTERS.flatMap((letter) => [2, 20, 50, 100, 128, 150, 199, 200].map((length) => letter.repeat(length))),
      // Two code points each, one for the eye.
      ...["1", "\u{10ffff}", "e\u0301".repeat(100)],
    ],
    // 400 UTF-16 units, 800 bytes.
    created: [() => "0", () => "\u{1f600}".repeat(200)],
  },
  {
    id: "user.create/name-blanks",
    member: "name",
    refused: [
      ...BLANKS.flatMap((blank) => [`${blank}Ada`, `Ada${blank}`]),
      ...[" ", "   ", "\u00a0", "\u3000", " Ada ", "\t", "\n", "\tAda", "Ada\n", "Ada\r\n", "\u0085Ada"],
      ...[`${label(199)} `, ` ${label(200)}`],
    ],
    taken: BLANKS.map((blank) => `Ada${blank}Lovelace`),
    // No white space of ECMAScript, and so a part of the name.
    created: [() => "\u200b\u2060\u180eAda\u180e\u2060\u200b"],
  },
  {
    id: "user.create/name-characters",
    member: "name",
    refused: FORBIDDEN,
    taken: [...[...NEIGHBOURS].map((character) => `a${character}z`), ...TEXTS],
    created: [() => NEIGHBOURS],
  },
  {
    id: "user.create/email-syntax",
    member: "email",
    refused: WRONG,
    taken: RIGHT,
    created: [(local) => `${local}@example.com`],
  },
  {
    id: "user.create/email-length",
    member: "email",
    refused: [
      ...[65, 66, 100, 200, 1000].map((length) => `${label(length)}@b`),
      ...[`${label(65)}@example.com`, address(65, 254)],
      ...[1, 32, 64].flatMap((local) => [255, 256, 257, 300, 1000].map((whole) => address(local, whole))),
    ],
    taken: [
      ...[1, 63, 64].map((length) => `${label(length)}@example.com`),
      ...[1, 32, 64].flatMap((local) => [253, 254].map((whole) => address(local, whole))),
    ],
    created: [
      (local) => `${`${local}!#$%&'*+/=?^_\`{|}~-.`.padEnd(64, "Z")}@example.com`,
      (local) => `${local}@${domain(221 - local.length)}.1-a.xn--bcher-kva.0.example.com`,
    ],
  },
];

export const userInput: readonly Check[] = rows.flatMap(({ id, member, refused, taken, created }) => [
  check(`${id}#refused`, { effect: "write" }, async (api) => {
    const email = api.email();
    const user = (value: string, sent = email): NewUser =>
      member === "name" ? { name: value, email: sent } : { name: "Refused", email: value.replace("~", email) };
    for (const value of refused) await inCase(shown(value), () => expectRefused(api, member, user(value)));
    await expectNotCreated(api, [email]);
    for (const right of created) {
      const one = await expectCreated(api, member === "name" ? { name: right("") } : { email: api.email(right) });
      // The input is judged before anyone asks whether the address is taken.
      await expectRefused(api, member, user(refused[0] ?? "", one.email));
      await expectListed(api, [one]);
    }
  }),
  check(`${id}#taken`, {}, async (api) => {
    for (const value of taken) await inCase(shown(value), () => expectTaken(api, member, value));
  }),
]);
