import type { Asking } from "../lists/list.ts";
import { type Contract, mediaTypesOf, type Operation } from "../oracle/contract.ts";
import { KEY } from "../oracle/reading.ts";
import { fieldsOf, type Request } from "../oracle/world.ts";
import type { Draft, Twist } from "./draft.ts";

/** Header fields in any combination. In each group the simplest comes first: a finding shrinks towards it. */

export const isField = (text: string) => /^[\t\x20-\x7e\x80-\xff]*$/.test(text);
export const withoutField = (draft: Draft, name: string) => {
  draft.headers = draft.headers.filter(([one]) => one.toLowerCase() !== name.toLowerCase());
};
export const field =
  (name: string, ...values: readonly string[]): Twist =>
  (draft) => {
    withoutField(draft, name);
    draft.headers.push(...values.map((value) => [name, value] as const));
  };
/** One field for each of the values, separated by `|`. */
export const fields = (name: string, values: string) => values.split("|").map((value) => field(name, value));

const whole = (change: (request: Request) => Request): Twist => {
  return (draft) => void draft.wholes.push((request) => change(complete(request)));
};
/**
 * Adds the fields that a client would add by itself, which count, and removes blanks around values, which may or may not count.
 */
function complete(request: Request): Request {
  const has = (name: string) => request.fields.some(([one]) => one.toLowerCase() === name);
  const headers = request.fields.map(([name, value]) => [name, value.trim()] as const);
  return addedTo(
    { ...request, fields: headers },
    ...(has("connection") ? [] : ([["Connection", "close"]] as const)),
    ...(has("content-length") || request.body === "" ? [] : [["Content-Length", String(request.body.length)] as const]),
  );
}
const addedTo = (request: Request, ...more: readonly (readonly [string, string])[]): Request => ({
  ...request,
  fields: [...request.fields, ...more],
});
const bytesOf = ({ fields: headers }: Request) =>
  headers.reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);

/** Around the limits of a head, and of its first line. */
export const heads = ({ limits: { targetBytes, headBytes, headFields } }: Contract): readonly Twist[] => [
  whole((request) => ({ ...request, version: "1.0" })),
  whole((request) => ({ ...request, target: `http://${fieldsOf(request.fields, "Host")[0]}${request.target}` })),
  ...[0, 1, -1].flatMap((more) => [
    whole(({ target, ...request }) => {
      const mark = target.includes("?") ? "&" : "?";
      return { ...request, target: (target + mark).padEnd(targetBytes + more, "&") };
    }),
    whole((request) => {
      const left = headFields + more - request.fields.length;
      return addedTo(request, ...Array.from({ length: Math.max(0, left) }, () => ["X-Padding", "x"] as const));
    }),
    whole((request) => {
      const left = headBytes + more - bytesOf(request) - "X-Padding".length - 4;
      return left < 1 ? request : addedTo(request, ["X-Padding", "x".repeat(left)]);
    }),
  ]),
  ...fields("Host", "|x y|a.example:80|[::1]|a.example:x|user@a.example"),
  (draft) => withoutField(draft, "Host"),
  (draft) => void draft.headers.push(["Host", "other.example"]),
];

/** Representations, by the media types of an operation. */
export function accepted(operation: Operation): readonly Twist[] {
  const [first, ...more] = mediaTypesOf(operation);
  const own = [first, ...more, `${first};q=0.1, */*;q=0.2`, "*/*", "image/png", "*/*;q=0", `${first};q=0`].join("|");
  return fields("Accept", `${own}|text/html|application/*|json||*|image/png;q=x|text/*;q=0.5, */*;q=0.4|a/b;c="d,e"`);
}

export function idempotencyKeys({ api: { runId } }: Asking): readonly Twist[] {
  const key = (length: number) => `${runId}-`.padEnd(length, "k");
  const wrong = [`${runId} x`, `${runId}\xe9`, `"${runId}"`, `${runId}\t`, key(256), ""];
  return [
    ...fields("Idempotency-Key", [key(24), key(255), key(25), key(24).toUpperCase(), ...wrong].join("|")),
    field("Idempotency-Key", key(24), key(24)),
  ];
}

/** A tag of the requested representation: the first known one, or the last. */
const tagged = ({ model }: Asking, which: number, change: (tag: string) => string): Twist => {
  return (draft) => {
    const place = draft.path === "/api/" ? draft.name : draft.path;
    const known = [...model.tags].flatMap(([one, some]) => (one.startsWith(`${place} `) ? [...some] : []));
    field("If-None-Match", change(known.at(which) ?? '"none"'))(draft);
  };
};

const PARENT = "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01";
const LONG = "a".repeat(128);

/** Optional fields of a request. The oracle predicts their effect. */
export function optional(asking: Asking): readonly (readonly Twist[])[] {
  const { key } = asking.api;
  const basic = Buffer.from(`a:${key}`).toString("base64");
  return [
    fields(
      "Accept-Encoding",
      "gzip|br|identity|*|deflate|gzip;q=0|identity;q=0|*;q=0|gzip, br;q=0.5|GZIP|x-gzip||gzip;q=x",
    ),
    fields("Origin", "https://app.example|null|http://localhost:3000|https://a.example:8443||x|\xe9"),
    [
      ...[0, -1].map((which) => tagged(asking, which, (tag) => tag)),
      tagged(asking, 0, (tag) => `W/${tag}`),
      tagged(asking, 0, (tag) => `"x", ${tag}`),
      tagged(asking, 0, (tag) => tag.replaceAll('"', "")),
      ...fields("If-None-Match", '*|"x"|x'),
      ...fields("If-Match", '*|"x"'),
      ...fields("If-Modified-Since", "Thu, 01 Jan 2099 00:00:00 GMT|x"),
      ...fields("Range", "bytes=0-0|bytes=0-|bytes=9999999-|items=0-1|x"),
    ],
    fields("X-Request-Id", `x|${LONG}|a.b_c-d|a b|a,b|\xe9||<script>|id:1|0|${LONG}a`),
    [
      ...fields("traceparent", `${PARENT}|${PARENT.toUpperCase()}|x|${PARENT.replace(/^00/, "ff")}`),
      ...fields("Expect", "100-continue|100-Continue|100-CONTINUE|x"),
    ],
    [
      ...fields("Connection", "keep-alive|close|Upgrade|x"),
      ...fields("Cookie", `a=b|${KEY}=${key}`),
      ...fields("Authorization", `Bearer ${key}|Basic ${basic}`),
      ...fields("Access-Control-Request-Method", "GET|DELETE"),
      ...fields("Access-Control-Request-Headers", "x-api-key|x-other"),
      ...fields("X-HTTP-Method-Override", "DELETE|POST"),
      ...fields("X-Forwarded-For", "192.0.2.1|x"),
      ...fields("X-Forwarded-Host", "a.example"),
      ...fields("Forwarded", "for=192.0.2.1;host=a.example"),
      ...fields("User-Agent", "|curl/8|\xe9"),
      ...fields("Cache-Control", "no-cache|only-if-cached"),
      ...fields("Accept-Language", "de|*"),
      ...fields("Sec-Fetch-Site", "cross-site"),
    ],
  ];
}
