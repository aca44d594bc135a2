import { mediaTypesOf, type Operation } from "../oracle/contract.ts";
import { field, row, setField, type Variation } from "./draft.ts";
import { spellings } from "./head.ts";

/** Idempotency keys (D25), and fields that change nothing, or whose values a response must not repeat. */

const VISIBLE = Array.from({ length: 94 }, (_, n) => String.fromCharCode(33 + n)).join("");
const KEY = "Idempotency-Key";
const KEYS = ["a b", "\xb2", "k".repeat(257), "k".repeat(127), "a\tb", "", "\x80", ["a", "a"], ["a", "b"]];

const NEUTRAL: readonly (readonly [name: string, values: string])[] = [
  ["Origin", "https://app.example|null||x"],
  ["If-None-Match", '*|"x"|x|W/"x"|"x" , W/"y"|, "x,y",'],
  ["If-Modified-Since", "Fri, 01 Jan 2038 00:00:00 GMT"],
  ["Accept-Language", "de, fr;q=0.5"],
  ["Cookie", "session=0; X-API-KEY=none"],
  ["Authorization", "Bearer none"],
  ["Range", "bytes=0-0|x"],
  ["X-Request-Id", "x|a b|\xe9"],
  [
    "Accept-Encoding",
    "gzip|br|gzip, br|identity;q=0, *;q=0|x|GZIP|*|identity|gzip;q=0|, gzip ,\t, br;q=1.000|gzip;Q=0.001, br;q=0",
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
  row(KEY, `${KEY} ${what}`, (draft) => setField(draft, KEY, [of(draft.caller.canary)]));

export const fields: readonly Variation[] = [
  { ...key("of the run", (canary) => canary), creates: true },
  { ...key("of 255 characters", (canary) => (canary + VISIBLE).padEnd(255, "k")), creates: true },
  ...field(KEY, KEYS),
  key("of 256 characters", () => VISIBLE.padEnd(256, "k")),
  key("in quotes", (canary) => `"${canary}"`),
  key("that is not ASCII", (canary) => `\xe9${canary}`),
  ...field("Accept-Encoding", [["gzip", "br"]], { always: true }),
  ...NEUTRAL.flatMap(([name, values]) => field(name, values.split("|"), { always: true })),
];

/** The representation that is asked for (D10; RFC 9110, 12.5.1). */

/** Of two media types that are offered, and the kind of the first. */
const ranges = (one: string, two: string, kind: string) =>
  `${one}|${two}|*/*|${kind}/*|text/*|image/png|*/*;q=0|${one};q=0|${one};q=0, */*|*/*, ${one};q=0|${kind}/*;q=0, ${one}|*/*;q=0, ${one}
${one};q=0.001|${one};q=0.000|${one};q=0.0001|${one};q=1.001|${one};q=2|${one};q=x|${one};q=|${one};q= 1|${one};q=0;q=1|${one};q="0"
${one} ;Q=0|image/png, */*;q=0.1|${two};q=0.9, ${one};q=0.2|${one};q=0.9, ${two};q=1.0|*|json|/|text/html;level=1|image/png;q=x
image/png;q=x, ${one};q=0|text/*;q=0.5, */*;q=0.4|a/b;c="d,e"|a/b;c="${one}"|${one}, , image/png|, ,|image/png, image/jpeg|${one}x
x${one}|application/problem+json|${one};v="\\"", image/png| ${one}|${one};q=00|${one};q=0.0x|${one};q=+1|${one};q=-0
image/png;q=1.0000, text/x|image/png;q=0.1234|text/x;q=.5|${one.toUpperCase()}`.split(/[|\n]/);

export function accept(operation: Operation): readonly Variation[] {
  const [first = "text/html", second = first] = mediaTypesOf(operation);
  const [kind = ""] = first.split("/");
  return [
    ...field("Accept", [...new Set(ranges(first, second, kind))]),
    ...field("Accept", [["image/png", first], ["*/*;q=0", "image/png"], ""]),
    ...spellings("Accept").flatMap((as) => field(as, ["image/png"])),
  ];
}
