import { every } from "../../client/operation.ts";
import { changesAnswer, type Mutant, type Operator, remembered, type Selector } from "../mutant.ts";
import { alters, dropsHeader, repeatsHeader, setsHeader } from "../operators.ts";
import { others, problemOf, quickCodes, successOf } from "../selectors.ts";

/** Broken headers: every field that an answer may have, on every kind of answer. */

/** Fields, and what may stand in them instead. */
const fields: Readonly<Record<string, Readonly<Record<string, (value: string) => string>>>> = {
  "X-Request-Id": {
    "always says the same in": () => "00000000-0000-4000-8000-000000000000",
    "says nothing in": () => "",
  },
  "X-Content-Type-Options": { "says sniff in": () => "sniff" },
  "Referrer-Policy": { "says unsafe-url in": () => "unsafe-url" },
  "Cache-Control": {
    "lets everybody keep by": () => "public, max-age=31536000",
    "says no-store in": () => "no-store",
    "makes private by": (value) => value.replace("public", "private"),
    "forgets the last of": (value) => value.replace(/,[^,]*$/, ""),
    // What may not be kept anyway is kept no longer by these.
    "adds no-cache to": (value) => (value === "no-store" ? value : `${value}, no-cache`),
    "adds s-maxage to": (value) => (value === "no-store" ? value : `${value}, s-maxage=86400`),
  },
  "Access-Control-Allow-Origin": { "names another origin in": () => "https://elsewhere.example" },
  "Access-Control-Expose-Headers": {
    "forgets the first of": (value) => value.replace(/^[^,]*,\s*/, ""),
    "says * in": () => "*",
  },
  "X-Operation": { "names no operation in": (value) => `${value}x` },
  "WWW-Authenticate": { "names another scheme in": () => "Basic", "says nothing in": () => "" },
  Vary: {
    "says * in": () => "*",
    "forgets the first of": (value) => value.replace(/^[^,]*,?\s*/, "") || "Origin",
    "forgets the last of": (value) => value.replace(/,[^,]*$/, ""),
  },
  ETag: {
    weakens: (value) => `W/${value}`,
    "takes the quotes from": (value) => value.replaceAll('"', ""),
    changes: (value) => value.replace('"', '"x'),
  },
  Link: {
    "names another relation in": (value) => value.replace(/rel="?next"?/, 'rel="last"'),
    "leads elsewhere by": (value) => value.replace(/<[^>]*>/, "</elsewhere>"),
  },
  Location: {
    "leads elsewhere by": () => "/elsewhere",
    "gives another host in": (value) => `//elsewhere.example/${value}`,
  },
  "Content-Security-Policy": {
    "allows everything by": () => "default-src *",
    "allows scripts by": (value) => `${value}; script-src 'unsafe-inline'`,
  },
  "Content-Type": {
    "says another charset in": (value) => value.replace(/;.*/, "; charset=iso-8859-1"),
    "adds a charset to": (value) => (value.includes(";") ? value : `${value}; charset=utf-16`),
  },
  "Access-Control-Allow-Methods": { "forgets the first of": (value) => value.replace(/^[^,]*,\s*/, "") },
  "Access-Control-Allow-Headers": {
    "forgets the first of": (value) => value.replace(/^[^,]*,\s*/, ""),
    "forgets the last of": (value) => value.replace(/,[^,]*$/, ""),
  },
  "Access-Control-Max-Age": { "says 0 in": () => "0" },
  Date: {
    "stops the clock of": () => "Sun, 06 Nov 1994 08:49:37 GMT",
    "writes ISO in": () => new Date().toISOString(),
  },
};

/** Fields that no answer has. */
const strange: readonly Operator[] = [
  setsHeader("Server", "nginx/1.27.0"),
  setsHeader("X-Powered-By", "Koa"),
  setsHeader("Set-Cookie", "session=1"),
  setsHeader("Access-Control-Allow-Credentials", "true"),
  setsHeader("Strict-Transport-Security", "max-age=31536000"),
  setsHeader("Content-Encoding", "gzip"),
  setsHeader("X-Runtime", "0.01"),
];

const operators: readonly Operator[] = [
  ...Object.entries(fields).flatMap(([name, values]) => [
    dropsHeader(name),
    repeatsHeader(name),
    ...Object.entries(values).map(([what, change]) => alters(name, what, change)),
  ]),
  ...strange,
];

const layers: readonly Selector[] = [
  ...every.flatMap((operation) =>
    operation.answers
      .filter(({ status }) => status < 300)
      .flatMap(({ status, mediaTypes }) => mediaTypes.map((mediaType) => successOf(operation, status, mediaType))),
  ),
  ...quickCodes.map(problemOf),
  ...others,
];

/** What an answer does not have cannot be taken from it: those touch nothing, and are left out when they are recorded. */
export const headerMutants: readonly Mutant[] = layers
  .map(remembered)
  .flatMap((layer) => operators.map((operator) => changesAnswer(layer, operator)));
