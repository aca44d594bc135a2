import { type Check, check } from "../check.ts";
import { expectCreated, expectListed } from "./users.ts";

/** Names that something on the way likes to change; each is one name, so that few users are needed. */
const NAMES = {
  /** What a page, a shell, a statement, a template or a log takes for its own. */
  markup:
    `<b onclick="x()">O'Brien & Sons</b> "quoted" \\ \\n \\u0041 &amp; %00 %41 +1 \${x} {{x}} <%= x %> ` +
    "'); DROP TABLE users;-- `id` $(id) ?, :name $1 @p # /* */ || null",
  /**
   * Composed and decomposed, compatible and Kelvin (every normal form is another text); right to left, beyond the BMP,
   * joined, invisible, and spelled in other letters.
   */
  unicode:
    "e\u0301 \u00e9 \u212b \u00c5 \ufb01 \uff21 \u1100\u1161 \uac00 \u2126 \u212a q\u0307\u0323 q\u0323\u0307 " +
    "\u0645\u0631\u064a\u0645 \u05d3\u05d5\u05d3 \u{1f469}\u200d\u{1f52c}\u{1f3fd} \u{20bb7} \u5c71\u7530 \u0130\u0131\u00df\u1e9e \ufe0f\u200e\u200f\u00ad",
  /** Inner blanks of all widths, and letter case. */
  blanks: "aDa   LOVElace\u00a0\u00a0of\u3000 \u2003 \u2028\u2029 \u202f\ufeff\u200bEND",
};

/** Stored and answered as sent (D23). */
export const asSent: readonly Check[] = [
  ...Object.entries(NAMES).map(([variant, name]) =>
    check(`user.create/as-sent#${variant}`, { effect: "write" }, async (api) => {
      await expectListed(api, [await expectCreated(api, { name })]);
    }),
  ),
  check("user.create/as-sent#email-letter-case", { effect: "write" }, async (api) => {
    const email = api.email().replace("conformance", "ConFormance").replace("example.com", "EXAMPLE.Com");
    // A name that some databases take for a number.
    await expectListed(api, [await expectCreated(api, { name: "007", email })]);
  }),
];
