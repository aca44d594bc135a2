import { words } from "./draft.ts";

/** Texts around the grammar of the formats of JSON Schema: which are right, the oracle says. */

/** A name whose labels have at most 63 letters. */
export const labels = (n: number): string =>
  n <= 63
    ? "a".repeat(n)
    : `${"a".repeat(Math.min(63, n - 2))}.${labels(n - Math.min(63, n - 2) - 1)}`;
const address = (local: number, length: number) =>
  `${"a".repeat(local)}@${labels(length - local - 1)}`;

/** Texts around the grammar of a format of JSON Schema. */
export const FORMATS: Readonly<Record<string, readonly string[]>> = {
  email: [
    ...[1, 63, 64, 65].flatMap((local) =>
      [127, 128, 253, 254, 255, 256, 300].map((length) => address(local, length)),
    ),
    ...words(
      "a@1.2.3.4 a@r3---b.c a.@b a%41@b a@b.test a@b.invalid a@b.c1 -a@b.co a@b.c " +
        "a@a.a.a.a.a.a.a.a.a.a.a.a a@xn--p1ai a@b a@localhost 1@2 a@b.c.d A@B.C a+b@c.d +@b " +
        ".a@b a..b@c !#$%&'*+/=?^_`{|}~-.@b a@a-b a@1a a @b a@ a@@b",
    ),
    ...words(
      "a@b@c a@.b a@b. a@b..c a@-b a@b- a@b.-c a@b_c a@b+c a@b:25 a,b@c (a)@b <a@b> " +
        "a@[127.0.0.1] a%40b",
    ),
    '"a"@b',
    "a b@c",
    "\ta@b",
    "a@b\n",
    "é@b",
    "a@é",
    "a＠b",
    "a@\u212a",
    "a@b\0",
    ...[63, 64].map((n) => `a@b.${"a".repeat(n)}`),
  ],
  uuid: [
    ...words(
      "00000000-0000-0000-0000-000000000000 ffffffff-ffff-ffff-ffff-ffffffffffff " +
        "FFFFFFFF-FFFF-FFFF-FFFF-FFFFFFFFFFFF",
    ),
    ...words(
      "0190c7a0000070008000000000000000 {0190c7a0-0000-7000-8000-000000000000} " +
        "0190c7a0-0000-7000-8000-00000000000g",
    ),
  ],
  "date-time": [
    ...words(
      "2026-02-28T00:00:00Z 2026-02-29T00:00:00Z 2024-02-29T00:00:00Z 2026-02-30T00:00:00Z " +
        "2026-01-31T23:59:59.999Z",
    ),
    ...words(
      "2026-06-30T23:59:60Z 2026-01-31T23:59:60Z 2026-01-31T24:00:00Z " +
        "2026-01-31T12:00:00+02:00 2026-01-31t12:00:00z",
    ),
    ...words("2026-01-31T12:00Z 2026-01-31T12:00:00 2026-13-01T00:00:00Z 2026-01-31"),
    "2026-01-31 12:00:00Z",
  ],
  date: words(
    "2026-02-28 2026-02-29 2024-02-29 2026-02-30 2026-00-10 2026-1-1 20260131 2026-01-31T00:00:00Z",
  ),
  duration: words("P1D PT1S P1W P1Y2M3DT4H5M6S P P1 PT 1D P1S P-1D"),
  uri: words("https://a.example/ a:b //a.example a /a"),
};
