import type { Api } from "../../client/api.ts";
import { type Check, check } from "../check.ts";
import { inCase } from "../probe.ts";
import { expectNotCreated } from "../state.ts";
import { expectCreated, expectRefused, expectTaken } from "./users.ts";

/** White space as ECMAScript has it, but for what is a control character as well. */
const BLANKS = [
  ...[" ", "\u00a0", "\u1680", "\u2000", "\u2003", "\u2007", "\u2009", "\u200a"],
  ...["\u2028", "\u2029", "\u202f", "\u205f", "\u3000", "\ufeff"],
];

const CONTROLS = [
  "\u0000",
  "\u0001",
  "\u0008",
  "\t",
  "\n",
  "\u000b",
  "\f",
  "\r",
  "\u001b",
  "\u001f",
  "\u007f",
  "\u0080",
  "\u0085",
  "\u009f",
];
const BIDIRECTIONAL = ["\u202a", "\u202b", "\u202c", "\u202d", "\u202e", "\u2066", "\u2067", "\u2068", "\u2069"];
const SURROGATES = ["\ud800", "\udbff", "\udc00", "\udfff", "\udc00\ud800", "\ud800\ud800\udc00", "\ud83d \ude00"];

/** Just outside every range that is refused, and other characters that are no letters. */
const NEIGHBOURS =
  "a \u0021\u007e\u00a0\u00a1\u00ad\u0300\u200b\u200c\u200d\u200e\u200f\u2010\u2027\u202f\u2030\u2060\u2065\u206a\u206f\ud7ff\ue000\ufdd0\ufffd\ufffe\uffff\u{10000}\u{1f600}\u{e0001}\u{10ffff}z";

/** Names like any other, that a careless reader takes for something else. */
const TEXTS = [
  ...["0", "-1", "1e5", "null", "undefined", "true", "false", "NaN", "[]", "{}", "__proto__", "constructor"],
  ...["<script>x()</script>", "' UNION SELECT 1 --", "../../etc/passwd", "{{7*7}}", "a@b", "https://a.example/"],
];

async function expectNamesRefused(api: Api, names: readonly string[]): Promise<void> {
  const email = api.email();
  for (const name of names)
    await inCase(JSON.stringify(name).slice(0, 40), () => expectRefused(api, "name", { name, email }));
  await expectNotCreated(api, [email]);
}

/** Within a name, and at each of its ends. */
const everywhere = (characters: readonly string[]) =>
  characters.flatMap((each) => [`Ada${each}Lovelace`, `${each}Ada`, `Ada${each}`]);

/** What a name may be (D23). */
export const names: readonly Check[] = [
  check("user.create/name-length#one", { effect: "write" }, async (api) => {
    const { email } = await expectCreated(api, { name: "0" });
    // The input is judged before anyone asks whether the address is taken.
    await expectRefused(api, "name", { name: "", email });
  }),
  check("user.create/name-length#200-code-points", { effect: "write" }, async (api) => {
    // 400 UTF-16 units, 800 bytes.
    await expectCreated(api, { name: "\u{1f600}".repeat(200) });
  }),
  check("user.create/name-length#taken", {}, async (api) => {
    const lengths = [2, 20, 50, 100, 128, 150, 199, 200];
    for (const letter of ["a", "\u00e9", "\u20ac", "\u{1f600}"])
      for (const length of lengths)
        await inCase(`${length} times ${letter}`, () => expectTaken(api, "name", letter.repeat(length)));
    await expectTaken(api, "name", "1");
    await expectTaken(api, "name", "\u{10ffff}");
    // Two code points each, one for the eye.
    await expectTaken(api, "name", "e\u0301".repeat(100));
  }),
  check("user.create/name-length#refused", { effect: "write" }, (api) =>
    expectNamesRefused(api, [
      "",
      ...["a", "\u00e9", "\u20ac", "\u{1f600}"].map((letter) => letter.repeat(201)),
      ...["a".repeat(202), "a".repeat(255), "a".repeat(256), "a".repeat(1000), "a".repeat(60_000)],
      `${"\u{1f600}".repeat(200)}a`,
      `${"e\u0301".repeat(100)}a`,
    ]),
  ),
  check("user.create/name-blanks#around", { effect: "write" }, (api) =>
    expectNamesRefused(api, [
      ...BLANKS.flatMap((blank) => [`${blank}Ada`, `Ada${blank}`]),
      ...[" ", "   ", "\u00a0", "\u3000", " Ada ", "\t", "\n", "\tAda", "Ada\n", "Ada\r\n", "\u0085Ada"],
      ...[`${"a".repeat(199)} `, ` ${"a".repeat(200)}`],
    ]),
  ),
  check("user.create/name-blanks#inside", {}, async (api) => {
    for (const blank of BLANKS) await expectTaken(api, "name", `Ada${blank}Lovelace`);
  }),
  check("user.create/name-characters#control", { effect: "write" }, (api) =>
    expectNamesRefused(api, everywhere(CONTROLS)),
  ),
  check("user.create/name-characters#bidirectional", { effect: "write" }, (api) =>
    expectNamesRefused(api, everywhere(BIDIRECTIONAL)),
  ),
  check("user.create/name-characters#surrogates", { effect: "write" }, (api) =>
    expectNamesRefused(api, everywhere(SURROGATES)),
  ),
  check("user.create/name-characters#all-others", { effect: "write" }, async (api) => {
    for (const character of NEIGHBOURS)
      await inCase(JSON.stringify(character), () => expectTaken(api, "name", `a${character}z`));
    for (const text of TEXTS) await inCase(text, () => expectTaken(api, "name", text));
    await expectCreated(api, { name: NEIGHBOURS });
  }),
];
