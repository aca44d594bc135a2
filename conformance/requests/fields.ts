import { field, row, setField, type Variation } from "./draft.ts";

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
