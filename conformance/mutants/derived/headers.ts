import { order } from "../../../generated/order.ts";
import { every } from "../../client/operation.ts";
import { changesAnswer, type Mutant, type Operator, remembered, type Selector } from "../mutant.ts";
import { alters, dropsHeader, repeatsHeader, setsHeader } from "../operators.ts";
import { others, problemOf, quickCodes, successOf } from "../selectors.ts";

/** Broken headers: every field that an answer may have, on every kind of answer. */

interface Field {
  /** Kinds of answers that have it, where not all have. */
  readonly on?: RegExp;
  /** What may stand in it instead. */
  readonly says?: Readonly<Record<string, (value: string) => string>>;
  /** Whether twice is wrong: of some, a proxy may send the same once more. */
  readonly once?: true;
}

const known = order
  .slice(order.findIndex(({ step }) => step === "findOperation") + 1)
  .flatMap(({ refuses }) => refuses);
const OF_OPERATIONS = new RegExp(
  `^(?:${[...every.map(({ id }) => id), ...known, "HEAD", "not modified", "compressed"].join("|")})(?: |$)`,
);
const KEPT = /^(docs\.get|not modified|robots|compressed|HEAD$)/;
const fields: Readonly<Record<string, Field>> = {
  "X-Request-Id": { says: { "says nothing in": () => "" }, once: true },
  "X-Content-Type-Options": { says: { "says sniff in": () => "sniff" } },
  "Referrer-Policy": { says: { "says unsafe-url in": () => "unsafe-url" } },
  "Cache-Control": {
    says: {
      "lets everybody keep by": () => "public, max-age=31536000",
    },
  },
  "Access-Control-Allow-Origin": { says: { "names another origin in": () => "https://elsewhere.example" }, once: true },
  "Access-Control-Expose-Headers": {
    says: { "forgets the first of": (value) => value.replace(/^[^,]*,\s*/, ""), "says * in": () => "*" },
  },
  "X-Operation": { on: OF_OPERATIONS, says: { "names no operation in": (value) => `${value}x` }, once: true },
  "WWW-Authenticate": {
    on: /^(credentials-|HEAD refused)/,
    says: { "names another scheme in": () => "Basic", "says nothing in": () => "" },
    once: true,
  },
  Vary: {
    on: /^(docs\.get|not modified|compressed|robots|the landing|HEAD$)/,
    says: {
      "says * in": () => "*",
      "forgets the first of": (value) => value.replace(/^[^,]*,?\s*/, "") || "Origin",
      "forgets the last of": (value) => value.replace(/,?[^,]*$/, "") || "Origin",
    },
    once: true,
  },
  ETag: {
    on: KEPT,
    says: {
      weakens: (value) => `W/${value}`,
      "takes the quotes from": (value) => value.replaceAll('"', ""),
      changes: (value) => value.replace('"', '"x'),
    },
    once: true,
  },
  Link: {
    on: /^(user\.list 200|HEAD$)/,
    says: {
      "names another relation in": (value) => value.replace(/rel="?next"?/, 'rel="last"'),
      "leads elsewhere by": (value) => value.replace(/<[^>]*>/, "</elsewhere>"),
    },
    once: true,
  },
  Location: {
    on: /^(the redirect|HEAD$)/,
    says: {
      "leads elsewhere by": () => "/elsewhere",
      "gives another host in": (value) => `//elsewhere.example/${value}`,
    },
    once: true,
  },
  "Content-Security-Policy": {
    on: /html$/,
    says: {
      "allows everything by": () => "default-src *",
      "allows scripts by": (value) => `${value}; script-src 'unsafe-inline'`,
    },
    once: true,
  },
  "Content-Type": {
    on: /^(?!not modified|preflight)/,
    once: true,
  },
  "Access-Control-Allow-Methods": {
    on: /^preflight/,
    says: { "forgets the first of": (value) => value.replace(/^[^,]*,\s*/, "") },
    once: true,
  },
  "Access-Control-Allow-Headers": {
    on: /^preflight/,
    says: {
      "forgets the first of": (value) => value.replace(/^[^,]*,\s*/, ""),
      "forgets the last of": (value) => value.replace(/,[^,]*$/, ""),
    },
    once: true,
  },
  "Access-Control-Max-Age": { on: /^preflight/, says: { "says 0 in": () => "0" }, once: true },
};

/** Of an answer that may be kept. */
const caching: readonly Operator[] = [
  alters("Cache-Control", "says no-store in", () => "no-store"),
  alters("Cache-Control", "makes private by", (value) => value.replace("public", "private")),
  alters("Cache-Control", "forgets the last of", (value) => value.replace(/,[^,]*$/, "")),
  // What may not be kept anyway is kept no longer by these.
  ...["no-cache", "s-maxage=86400"].map((word) =>
    alters("Cache-Control", `adds ${word} to`, (value) => (value === "no-store" ? value : `${value}, ${word}`)),
  ),
];

/** Fields that no answer has. */
const strange: readonly Operator[] = [
  setsHeader("Server", "nginx/1.27.0"),
  setsHeader("X-Powered-By", "Koa"),
  setsHeader("Set-Cookie", "session=1"),
  setsHeader("Access-Control-Allow-Credentials", "true"),
  setsHeader("Content-Encoding", "gzip"),
];

const operatorsOn = (layer: Selector): readonly Operator[] => [
  ...Object.entries(fields).flatMap(([name, { on, says = {}, once }]) =>
    on && !on.test(layer.name)
      ? []
      : [
          dropsHeader(name),
          ...(once ? [repeatsHeader(name)] : []),
          ...Object.entries(says).map(([what, change]) => alters(name, what, change)),
        ],
  ),
  ...(KEPT.test(layer.name) ? caching : []),
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

export const mutants: readonly Mutant[] = layers
  .map(remembered)
  .flatMap((layer) => operatorsOn(layer).map((operator) => changesAnswer(layer, operator)));
