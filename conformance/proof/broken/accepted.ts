import { brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import type { Request } from "../../oracle/world.ts";
import { called, header, inputOf, jsonAnswer, jsonBody, pathOf } from "../proxy/look.ts";
import type { Mutant, ProxyAnswer } from "../proxy/message.ts";
import {
  refusal,
  withBody,
  withHeader,
  withJson,
  withoutHeader,
  withStatus,
} from "../proxy/shape.ts";
import * as W from "./memory.ts";

/** Deployments that reject, alter or confuse a rare right value or form, each with the requirements that name it. */

export interface Accepting extends Mutant {
  readonly of: RegExp;
}

type Test = (text: string) => boolean;
type Change = (text: string) => string;

const nameIn = (request: Request) =>
  W.isCreate(request) ? String(inputOf(request, "name") ?? "") : "";

/** It rejects some right values of a member. */
const rejects = (what: string, member: string, of: RegExp, test: Test): Accepting => ({
  ...{ id: `user.create rejects ${what}`, of },
  answer: (answer, request) => {
    const value = inputOf(request, member);
    const isRejected =
      W.isCreate(request) && typeof value === "string" && test(value) && answer.status !== 401;
    if (!isRejected || (answer.status !== 201 && answer.status !== 422)) return answer;
    const fault = { pointer: `#/data/${member}`, detail: "It is not right." };
    const before: unknown = jsonAnswer(answer)?.errors;
    const errors = [...(Array.isArray(before) ? before : []), fault];
    const rejected =
      answer.status === 422
        ? answer
        : withHeader(refusal("invalid-input"), "X-Request-Id", idOf(answer));
    return withJson(rejected, (json) => ({ ...json, requestId: idOf(rejected), errors }));
  },
});
const idOf = (answer: ProxyAnswer) => header(answer, "X-Request-Id") ?? "";

/** It stores names in another form. */
const alters = (
  what: string,
  change: Change,
  of = /^user\.create\/(?:as-sent|listed|replayed|name-)/,
): Accepting => ({
  ...{ id: `user.create ${what}`, of },
  answer: (answer, request) => {
    const changed = <Item extends object>(item: Item) =>
      "name" in item ? { ...item, name: change(String(item.name)) } : item;
    if (nameIn(request) !== "" && answer.status === 201) return withJson(answer, changed);
    return W.withItems(answer, request, (items) => items.map(changed));
  },
});

/** Two keys, or two addresses, are one to it. */
const confuses = (what: string, change: Change): Accepting => ({
  ...{ id: `takes idempotency keys for one ${what}`, of: /^user\.create\/key-/ },
  request: (request) => {
    const key = W.keyOf(request);
    const lines = request.fields.filter(
      ([name]) => name.toLowerCase() === "idempotency-key",
    ).length;
    return lines !== 1 || /[^!-~]/.test(key) || key.length > 255
      ? request
      : withHeader(request, W.IDEMPOTENCY_KEY, change(key));
  },
});
const mistakes = (what: string, change: Change): Accepting => ({
  ...{ id: `takes addresses for one ${what}`, of: /^user\.create\/(?:email-taken|one-of-many)/ },
  answer: (answer, request, { state }) => {
    if (!W.isCreated(answer, request)) return answer;
    const email = W.emailIn(request).toLowerCase();
    const known = W.first(state, change(email), email);
    return known === email ? answer : refusal("email-taken");
  },
});

/** It does not read a legal form of a field, and goes on without the field. */
const overlooks = (what: string, name: string, form: RegExp, of: RegExp): Accepting => ({
  ...{ id: `overlooks ${name} ${what}`, of },
  request: (request) =>
    form.test(header(request, name) ?? "") ? withoutHeader(request, name) : request,
});
/** It takes a legal form of a body or a target for malformed. */
const refuses = (
  what: string,
  test: (request: Request) => boolean,
  code: string,
  of: RegExp,
): Accepting => ({
  ...{ id: `takes ${what} for malformed`, of },
  request: (request) => (test(request) ? refusal(code) : request),
});

function decoded({ body, ...answer }: ProxyAnswer): Buffer {
  const coding = header(answer, "Content-Encoding");
  return coding === "gzip" ? gunzipSync(body) : coding === "br" ? brotliDecompressSync(body) : body;
}
const isPage = (answer: ProxyAnswer, request: Request) =>
  called(request)?.id === "docs.get" &&
  answer.status === 200 &&
  /^text\/html/.test(header(answer, "Content-Type") ?? "");
/** Pages of documents are drawn in another way. */
const draws = (what: string, change: Change): Accepting => ({
  ...{ id: `pages of documents ${what}`, of: /^docs\.get\// },
  answer: (answer, request) =>
    isPage(answer, request) && request.method === "GET"
      ? withBody(answer, change(decoded(answer).toString()))
      : answer,
});
/** A representation disagrees with another of the same. */
const disagrees = (
  what: string,
  of: RegExp,
  change: (answer: ProxyAnswer, request: Request) => ProxyAnswer | null,
): Accepting => ({
  ...{ id: what, of },
  answer: (answer, request) => change(answer, request) ?? answer,
});

/** A code of a later check comes before that of an earlier one. */
const early = (
  what: string,
  of: RegExp,
  code: string,
  test: (answer: ProxyAnswer, request: Request, isKnown: boolean) => boolean,
): Accepting => ({
  ...{ id: what, of },
  answer: (answer, request, { state }) => {
    const email = W.emailIn(request).toLowerCase();
    const isKnown = email !== "" && state.has(email);
    if (W.isCreated(answer, request)) state.set(email, true);
    return test(answer, request, isKnown) ? refusal(code) : answer;
  },
});

const codeOf = (answer: ProxyAnswer) => String(jsonAnswer(answer)?.code);
const NAME = /^user\.create\/name-|^input\/|^user\.create\/as-sent/;
const EMAIL = /^user\.create\/email-|^input\//;
const coded = (request: Request) => header(request, "Accept-Encoding") ?? "";

export const accepting: readonly Accepting[] = [
  rejects("marks of direction", "name", NAME, (text) => /[\u061c\u200e\u200f]/.test(text)),
  rejects("private use", "name", NAME, (text) => /\p{Co}/u.test(text)),
  rejects("lines that are none of ASCII", "name", NAME, (text) => /[\u2028\u2029]/.test(text)),
  rejects(
    "what is longer once escaped",
    "name",
    NAME,
    (text) => [...text.replaceAll("&", "&amp;")].length > 200,
  ),
  rejects("a mark at the beginning of a name", "name", NAME, (text) => /^\p{M}/u.test(text)),
  rejects("names that are addresses", "name", NAME, (text) => /^\S+@\S+$|^https?:/.test(text)),
  rejects("domains of digits", "email", EMAIL, (text) => /@[\d.]+(?:\.example\.com)?$/.test(text)),
  rejects("a dot before @", "email", EMAIL, (text) => text.includes(".@")),
  rejects("domains of many labels", "email", EMAIL, (text) => text.split(".").length > 10),
  alters("composes Hangul", (text) =>
    text.replace(/[\u1100-\u11ff]+/g, (one) => one.normalize("NFC")),
  ),
  alters("drops variants of characters", (text) => text.replace(/[\ufe00-\ufe0f]/g, "")),
  alters("trims what cannot be seen", (text) =>
    text.replace(/^[\u200b\u2060]+|[\u200b\u2060]+$/g, ""),
  ),
  alters("reads numbers", (text) =>
    text === "007" || text === "1.0" ? String(Number(text)) : text,
  ),
  alters("reads references of HTML", (text) => text.replaceAll("&amp;", "&")),
  alters("has two bytes for a character of four", (text) =>
    text.replace(/[\u{10000}-\u{10ffff}]/gu, "\ufffd"),
  ),
  confuses("by letter case, where they are UUIDs", (key) =>
    /^[\da-f]{8}-[\da-f-]{27}$/i.test(key) ? key.toLowerCase() : key,
  ),
  confuses("by their first 127 characters", (key) => key.slice(0, 127)),
  confuses("without quotes", (key) => key.replace(/^"(.+)"$/, "$1")),
  confuses("without escapes", (key) => key.replaceAll("%4B", "K")),
  confuses("as numbers", (key) => (/^\d+$/.test(key) ? String(BigInt(key)) : key)),
  mistakes("without hyphens", (email) => email.replaceAll("-", "")),
  mistakes("by their first 191 characters", (email) => email.slice(0, 191)),
  mistakes("without what is behind +", (email) => email.replace(/\+x(?=@)/, "")),
  overlooks("with tabs", "Accept", /\t/, /^answers\/|^docs\.get\//),
  overlooks("with an empty element", "Accept", /,\s*,|^,/, /^answers\/|^docs\.get\//),
  overlooks("with a quoted pair", "Accept", /\\/, /^answers\/|^docs\.get\//),
  overlooks("with an empty tag", "If-None-Match", /(?:^|[ ,])""/, /not-modified|etag/),
  refuses(
    "blanks before a colon",
    ({ body }) => /"\s+:/.test(body),
    "malformed-json",
    /json|body|^user\.create\//,
  ),
  refuses(
    "escapes in capitals",
    ({ body }) => /\\u00[0-9][A-F]/.test(body),
    "malformed-json",
    /json|body|^user\.create\//,
  ),
  refuses(
    "a second ? in a query",
    ({ target }) => /\?.*\?/.test(target),
    "malformed-query",
    /query|dispatch/,
  ),
  disagrees("adds bytes behind a gzip", /compress|served|etag/, (answer) =>
    header(answer, "Content-Encoding") === "gzip" && answer.body.length > 0
      ? { ...answer, body: Buffer.concat([answer.body, Buffer.from("\n")]) }
      : null,
  ),
  disagrees("HEAD of a coded document has another length", /head|length/, (answer, request) =>
    request.method === "HEAD" && coded(request) === "br" && header(answer, "Content-Length")
      ? withHeader(answer, "Content-Length", "12")
      : null,
  ),
  disagrees("a coded file is another one", /served|compress|etag/, (answer, request) =>
    /yaml$/.test(pathOf(request)) && header(answer, "Content-Encoding") === "gzip"
      ? { ...answer, body: gzipSync(`${decoded(answer)}# other`) }
      : null,
  ),
  draws("have no last row of tables", (html) =>
    html.replace(/<tr>(?:(?!<tr>)[\s\S])*<\/tr>\s*(?=<\/tbody>)/g, ""),
  ),
  draws("escape code twice", (html) =>
    html.replace(
      /(<pre[^>]*><code[^>]*>)([\s\S]*?)(<\/code>)/g,
      (_, open, code, end) => open + code.replaceAll("&amp;", "&amp;amp;") + end,
    ),
  ),
  draws("have no emphasis", (html) => html.replace(/<strong>[^<]*<\/strong>/g, "")),
  early(
    "has a taken address before Accept",
    /not-acceptable|order/,
    "email-taken",
    (answer, _, isKnown) => isKnown && codeOf(answer) === "not-acceptable",
  ),
  early(
    "has a taken address before the platform",
    /platform|order/,
    "email-taken",
    (answer, _, isKnown) => isKnown && codeOf(answer) === "platform-not-allowed",
  ),
  early(
    "has a taken address before an unknown member",
    /unknown|order/,
    "email-taken",
    (answer, request, isKnown) =>
      isKnown &&
      codeOf(answer) === "invalid-input" &&
      Object.keys(Object(jsonBody(request)?.data)).length > 2,
  ),
  disagrees("no page follows where one item is left", /next|link|walk/, (answer, request) => {
    const { items } = jsonAnswer(answer) ?? {};
    const limit = Number(/limit=(\d+)/.exec(request.target)?.[1]);
    const isLast =
      Array.isArray(items) &&
      items.length === limit &&
      limit > 12 &&
      !request.target.includes("limit=2");
    const json = isLast ? withJson(answer, ({ nextCursor: _, ...rest }) => rest) : null;
    return json && withoutHeader(json, "Link");
  }),
  disagrees("repeats Accept", /no-echo/, (answer, request) =>
    codeOf(answer) === "not-acceptable"
      ? withJson(answer, (json) => ({ ...json, detail: `No ${header(request, "Accept")}.` }))
      : null,
  ),
  disagrees("repeats a number", /no-echo/, (answer, request) => {
    const limit = /limit=(\d{3,})/.exec(request.target)?.[1];
    return codeOf(answer) === "invalid-input" && limit
      ? withJson(answer, (json) => ({ ...json, detail: `${limit} is wrong.` }))
      : null;
  }),
  {
    ...{ id: "keeps the time of sysinfo for three seconds", of: /sysinfo\/time/ },
    answer: (answer, request, { state }) => {
      if (called(request)?.id !== "sysinfo" || answer.status !== 200) return answer;
      const [at, time] = W.first(state, "time", [Date.now(), jsonAnswer(answer)?.time] as const);
      if (Date.now() - at > 3000) state.delete("time");
      return withJson(answer, (json) => ({ ...json, time: time ?? json.time }));
    },
  },
  disagrees(
    "a document that is absent is current",
    /absent|not-modified|unknown/,
    (answer, request) =>
      answer.status === 404 && header(request, "If-None-Match") === "*"
        ? withStatus({ ...answer, body: Buffer.alloc(0) }, 304)
        : null,
  ),
];
