import { words } from "./draft.ts";

/** Characters and texts that a server may read, keep or compare otherwise than it should. */

/**
 * By general category and plane, the first and the last character of Unicode 17 (UAX 44, table 12).
 */
export const CHARACTERS = String.fromCodePoint(
  ...`41 ff3a 10400 1e921 61 ff5a 10428 1e943 1c5 1ffc 2b0 ff9f 10780 1e94b
aa ffdc 10000 1eebb 20000 2fa1d 30000 33479 300 fe2f 101fd 1e94a e0100 e01ef 903 abec 11000 1d172
488 a672 30 ff19 104a0 1fbf9 16ee a6ef 10140 16ff6 b2 a835 10107 1f10c 5f ff3f 2d ff0d 10d6e 10ead
28 ff62 29 ff63 ab 2e20 bb 2e21 21 ff65 10100 1e95f 2b ffec 10d8e 1f8d8 24 ffe6 11fdd 1ecb0
5e ffe3 1f3fb 1f3ff a6 fffd 10137 1fbfa 20 a0 3000 2028 2029 0 9 a d 7f 85 9f
ad 200b 200d feff fffb 110bd 1d17a e0001 e007f e000 f8ff f0000 ffffd 100000 10fffd 10ffff`
    .split(/\s/)
    .map((one) => Number.parseInt(one, 16)),
);

/**
 * Code points without a form of their own, by ranges that libraries remove or reject as a whole.
 */
export const UNSEEN = String.fromCodePoint(
  ...`61c 200b 200c 200e 200f 2060 2064 206a 206f 34f 115f 1160 17b4 180b 180e 180f 3164 ffa0 fe00
fe0f fff9 e0020 e0100 e01ef 1bca0 1f3f4 200d 20e3 1d173`
    .split(/\s/)
    .map((one) => Number.parseInt(one, 16)),
);

/** What a store, a form or a sheet takes for a value of another type, each as a whole. */
export const OTHER_TYPES = [
  ...words(
    '123 007 1e3 1.0 -1 true null undefined [] {} "x" =1+1 2026-01-31 ' +
      "2026-01-31T12:00:00Z @x a,b a@b.example https://a.example/x?y=z#w 12:30 1,5 " +
      "192.0.2.1 x\\ \u0301x CON .. __proto__ constructor NaN 0x1F yes",
  ),
  "+49 170 1234567",
];

/**
 * What is an escape, markup, a template or a pattern to something, and texts that are equal once
 * normalized.
 */
export const PIECES = [
  ...words(
    "\\ \\n \\u0041 ' '' \" ` % %41 %s _ &amp; &#65; <b>x</b> <!-- \x24{x} {{x}} <%=x%> $1 " +
      "a\t\tb ; -- /* ../ | ? # e\u0301 \u212b \ufb01 \u0130 \u00df \u1e9e \u0131 \u03c2 " +
      "\u{1f468}\u200d\u{1f469}",
  ),
  "  ",
];

/**
 * What one form of Unicode or letter case replaces, by the kind of the replacement, and a letter of
 * each kind of script.
 */
export const REPLACED = words(
  "\u1100\u1161\u11a8 \uac01 \u0958 \u09c7\u09be \u1e9b\u0323 \ufb1d \u2126 \uf900 " +
    "\u0344 \u1f71 \u00bd \u00b2 \u2177 \u2460 \uff76\uff9e \u304b\u3099 \u338f \ufdfa " +
    "\u0e33 \u2026 \u201c\u2019\u2013 \u0149 \u01f0 \u0390 \u03a3\u03c3 \u13a0\uab70 " +
    "\u10d0\u1c90 \u{10400}\u{10428} \u01c5 \u1f88 iI\u0130\u0131 \u05d0\u05b0 " +
    "\u0627\u0644\u0644\u0647 \u0915\u094d\u0937 \u0f40\u0f90 \u1780\u17d2 " +
    "\u4e00\u{20000} \u1200 \ua000 \u{1f1e9}\u{1f1ea} 1\ufe0f\u20e3 \u{1f44d}\u{1f3fd} " +
    "\u2764\ufe0f \u00b5 \u{1d400} \u3000",
);

/** What is taken off at the ends of a text. */
export const EDGES = [
  ..."\u200b\ufeff\u2060\u180e\u200e\u061c\u3164\u00ad\u034f\ufe0f\"',;.-+=@#/",
];

/** Longer once escaped, in capitals, decomposed or compatible. */
export const GROWING = "&\"\\<'\u00df\u0130\ufb03";

/** One, two, three and four bytes in UTF-8. */
export const BY_BYTES = ["a", "\u00e9", "\u20ac", "\u{1f600}"];
