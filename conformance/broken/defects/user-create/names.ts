import type { Defect } from "../../defect.ts";
import { changing, refusing, taking } from "./words.ts";

const area = "names";
const length = { area, requirements: ["user.create/name-length"], reason: /422|taken|201/ };
const blanks = { area, requirements: ["user.create/name-blanks"], reason: /422|taken/ };
const characters = { area, requirements: ["user.create/name-characters"], reason: /422|taken|201/ };
const lengths = (...variants: readonly string[]) => variants.map((variant) => `user.create/name-length#${variant}`);
const of = (...variants: readonly string[]) => variants.map((variant) => `user.create/name-characters#${variant}`);

const points = (name: string) => [...name].length;
const without = (characters: RegExp) => changing("name", (name) => name.replace(characters, ""));

export const nameDefects: readonly Defect[] = [
  {
    ...length,
    id: "names/at-most-199",
    description: "Refuses names of 200 code points.",
    catches: lengths("taken", "200-code-points"),
    ...refusing("name", (name) => points(name) >= 200),
  },
  {
    ...length,
    id: "names/at-most-201",
    description: "Takes names of 201 code points.",
    catches: lengths("refused"),
    ...taking("name", (name) => points(name) === 201),
  },
  {
    ...length,
    id: "names/at-most-255",
    description: "Takes names of 255 characters.",
    catches: lengths("refused"),
    ...taking("name", (name) => points(name) > 200 && points(name) <= 255),
  },
  {
    ...length,
    id: "names/without-limit",
    description: "Cuts names that are too long.",
    catches: lengths("refused"),
    ...changing("name", (name) => [...name].slice(0, 200).join("").trim()),
  },
  {
    ...length,
    id: "names/counted-in-utf-16",
    description: "Counts UTF-16 units.",
    catches: lengths("taken", "200-code-points"),
    ...refusing("name", (name) => name.length > 200),
  },
  {
    ...length,
    id: "names/counted-in-bytes",
    description: "Counts bytes.",
    catches: lengths("taken", "200-code-points"),
    ...refusing("name", (name) => Buffer.byteLength(name) > 200),
  },
  {
    ...length,
    id: "names/counted-in-graphemes",
    description: "Counts what the eye takes for characters.",
    catches: lengths("refused"),
    ...taking(
      "name",
      (name) => points(name) > 200 && points(name) < 500 && [...new Intl.Segmenter().segment(name)].length <= 200,
    ),
  },
  {
    ...length,
    id: "names/empty-taken",
    description: "Takes an empty name.",
    catches: lengths("refused"),
    ...taking("name", (name) => name === ""),
  },
  {
    ...length,
    id: "names/at-least-2",
    description: "Refuses names of one character.",
    catches: lengths("one", "taken"),
    ...refusing("name", (name) => points(name) === 1),
  },
  {
    ...length,
    id: "names/short-in-utf-16",
    description: "Refuses names of more than 100 characters.",
    catches: lengths("taken", "200-code-points"),
    ...refusing("name", (name) => points(name) > 100),
  },
  {
    ...blanks,
    id: "names/trimmed",
    description: "Strips white space around names.",
    catches: ["user.create/name-blanks#around"],
    ...changing("name", (name) => name.trim()),
  },
  {
    ...blanks,
    id: "names/trimmed-at-the-end",
    description: "Strips white space behind names.",
    catches: ["user.create/name-blanks#around"],
    ...changing("name", (name) => name.trimEnd()),
  },
  {
    ...blanks,
    id: "names/wide-blanks-taken",
    description: "Knows the blanks of ASCII only.",
    catches: ["user.create/name-blanks#around"],
    ...taking("name", (name) => /^[^\S \t-\r]|[^\S \t-\r]$/.test(name)),
  },
  {
    ...blanks,
    id: "names/only-blanks-taken",
    description: "Takes names of nothing but blanks.",
    catches: ["user.create/name-blanks#around"],
    ...taking("name", (name) => /^ +$/.test(name)),
  },
  {
    ...blanks,
    id: "names/mark-taken",
    description: "Does not know U+FEFF for white space.",
    catches: ["user.create/name-blanks#around"],
    ...taking("name", (name) => /^\ufeff|\ufeff$/.test(name)),
  },
  {
    ...blanks,
    id: "names/inner-blanks-refused",
    description: "Refuses white space but U+0020.",
    catches: ["user.create/name-blanks#inside"],
    ...refusing("name", (name) => /[^\S ]/.test(name.trim())),
  },
  {
    ...characters,
    id: "names/controls-stripped",
    description: "Strips control characters.",
    catches: of("control"),
    ...without(/\p{Cc}/gu),
  },
  {
    ...characters,
    id: "names/c1-taken",
    description: "Knows the control characters of ASCII only.",
    catches: of("control"),
    ...taking("name", (name) => /[\u0080-\u009f]/.test(name)),
  },
  {
    ...characters,
    id: "names/delete-taken",
    description: "Does not know U+007F for a control character.",
    catches: of("control"),
    ...taking("name", (name) => name.includes("\u007f")),
  },
  {
    ...characters,
    id: "names/inner-tabs-taken",
    description: "Takes tabs and line breaks inside a name.",
    catches: of("control"),
    ...taking("name", (name) => /\S[\t\n\r]\S/.test(name)),
  },
  {
    ...characters,
    id: "names/bidirectional-taken",
    description: "Takes bidirectional controls.",
    catches: of("bidirectional"),
    ...without(/[\u202a-\u202e\u2066-\u2069]/g),
  },
  {
    ...characters,
    id: "names/isolates-taken",
    description: "Knows the older bidirectional controls only.",
    catches: of("bidirectional"),
    ...without(/[\u2066-\u2069]/g),
  },
  {
    ...characters,
    id: "names/last-override-taken",
    description: "Ends the range of bidirectional controls one too early.",
    catches: of("bidirectional"),
    ...without(/\u202e|\u2069/g),
  },
  {
    ...characters,
    id: "names/surrogates-replaced",
    description: "Puts U+FFFD in the place of lone surrogates.",
    catches: of("surrogates"),
    ...changing("name", (name) => name.replace(/\p{Surrogate}/gu, "\ufffd")),
  },
  {
    ...characters,
    id: "names/low-surrogates-taken",
    description: "Looks for lone high surrogates only.",
    catches: of("surrogates"),
    ...changing("name", (name) => name.replace(/(?<![\ud800-\udbff])[\udc00-\udfff]/g, "?")),
  },
  {
    ...characters,
    id: "names/emoji-refused",
    description: "Refuses characters beyond the BMP.",
    catches: of("all-others"),
    ...refusing("name", (name) => /[\u{10000}-\u{10ffff}]/u.test(name)),
  },
  {
    ...characters,
    id: "names/formats-refused",
    description: "Refuses every character of Unicode's category Cf.",
    catches: of("all-others"),
    ...refusing("name", (name) => /\p{Cf}/u.test(name)),
  },
  {
    ...characters,
    id: "names/letters-only",
    description: "Refuses what is neither letter, mark, digit nor blank.",
    catches: of("all-others"),
    ...refusing("name", (name) => /[^\p{L}\p{M}\p{N}\p{Z}]/u.test(name)),
  },
  {
    ...characters,
    id: "names/wide-ranges",
    description: "Begins the bidirectional controls at U+2028 and ends them at U+206F.",
    catches: of("all-others"),
    ...refusing("name", (name) => /[\u2028-\u202e\u2065-\u206f]/.test(name)),
  },
  {
    ...characters,
    id: "names/words-refused",
    description: "Takes names that spell no value for no value.",
    catches: of("all-others"),
    ...refusing("name", (name) => /^(?:null|undefined|false|NaN)$/.test(name)),
  },
  {
    ...characters,
    id: "names/attacks-refused",
    description: "Has a firewall in front that takes some names for attacks.",
    catches: of("all-others"),
    ...refusing("name", (name) => /<script|union select|\.\.\//i.test(name)),
  },
  {
    ...length,
    id: "names/zero-is-empty",
    description: "Takes the name 0 for an empty one.",
    catches: lengths("one"),
    ...refusing("name", (name) => name === "0"),
  },
];
