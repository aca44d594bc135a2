import { brotliDecompressSync, gunzipSync, gzipSync } from "node:zlib";
import {
  refusal,
  withBody,
  withHeader,
  withJson,
  withoutHeader,
  withStatus,
} from "../proxy/edit-response.ts";
import type { Hooks, Mutant, Reply } from "../proxy/message.ts";
import { called, header, inputOf, jsonAnswer, pathOf } from "../proxy/sniff.ts";
import {
  emailIn,
  first,
  IDEMPOTENCY_KEY,
  isCreate,
  isCreated,
  keyOf,
  withItems,
} from "./memory.ts";

/**
 * Deployments that reject, alter or confuse a rare right value or form, each with the requirements
 * that name it. That every class of values and every form is sent, tests of the requests show: here
 * is one for each way to be wrong about them.
 */

export interface Accepting extends Mutant {
  readonly of: RegExp;
}

type Change = (text: string) => string;

const answering = (id: string, of: RegExp, answer: NonNullable<Hooks["answer"]>): Accepting => ({
  id,
  of,
  answer,
});
const asking = (id: string, of: RegExp, request: NonNullable<Hooks["request"]>): Accepting => ({
  id,
  of,
  request,
});

/** It rejects some right values of a member. */
const rejects = (what: string, member: string, form: RegExp): Accepting =>
  answering(
    `user.create rejects ${what}`,
    new RegExp(`^user\\.create/(?:${member}-|as-sent)|^input/`),
    (answer, request) => {
      const value = String(inputOf(request, member) ?? "");
      if (!isCreate(request) || !form.test(value) || ![201, 422].includes(answer.status))
        return answer;
      const fault = { pointer: `#/data/${member}`, detail: "It is not right." };
      const before = jsonAnswer(answer)?.errors;
      const errors = [...(Array.isArray(before) ? before : []), fault];
      const requestId = header(answer, "X-Request-Id") ?? "";
      const refused = withHeader(refusal("invalid-input"), "X-Request-Id", requestId);
      const rejected = answer.status === 422 ? answer : refused;
      return withJson(rejected, (json) => ({ ...json, requestId, errors }));
    },
  );

/** It stores names in another form. */
const alters = (what: string, change: Change): Accepting =>
  answering(
    `user.create ${what}`,
    /^user\.create\/(?:as-sent|listed|replayed|name-)/,
    (answer, request) => {
      const changed = <Item extends object>(item: Item) =>
        "name" in item ? { ...item, name: change(String(item.name)) } : item;
      return isCreate(request) && answer.status === 201
        ? withJson(answer, changed)
        : withItems(answer, request, (items) => items.map(changed));
    },
  );

/** Two keys, or two addresses, are one to it. */
const confuses = (what: string, change: Change): Accepting =>
  asking(`takes idempotency keys for one ${what}`, /^user\.create\/key-/, (request) => {
    const key = keyOf(request);
    const lines = request.fields.filter(([name]) => /^idempotency-key$/i.test(name)).length;
    return lines !== 1 || /[^!-~]/.test(key) || key.length > 255
      ? request
      : withHeader(request, IDEMPOTENCY_KEY, change(key));
  });
const mistakes = (what: string, change: Change): Accepting =>
  answering(
    `takes addresses for one ${what}`,
    /^user\.create\/(?:email-taken|one-of-many)/,
    (answer, request, { state }) => {
      if (!isCreated(answer, request)) return answer;
      const email = emailIn(request).toLowerCase();
      return first(state, change(email), email) === email ? answer : refusal("email-taken");
    },
  );

/** It does not read a legal form of a field, and goes on without the field. */
const overlooks = (what: string, name: string, form: RegExp, of: RegExp): Accepting =>
  asking(`overlooks ${name} ${what}`, of, (request) =>
    form.test(header(request, name) ?? "") ? withoutHeader(request, name) : request,
  );

const codingOf = (answer: Reply) => header(answer, "Content-Encoding");
function decoded(answer: Reply): Buffer {
  const decode = { gzip: gunzipSync, br: brotliDecompressSync }[codingOf(answer) ?? ""];
  return decode?.(answer.body) ?? answer.body;
}
const codeOf = (answer: Reply) => String(jsonAnswer(answer)?.code);

export const accepting: readonly Accepting[] = [
  rejects("marks of direction", "name", /[\u061c\u200e\u200f]/),
  rejects("domains of digits", "email", /@[\d.]+(?:\.example\.com)?$/),
  rejects("domains of many labels", "email", /(?:\.[^.]+){10}/),
  rejects("a dot before @", "email", /\.@/),
  alters("composes Hangul", (text) =>
    text.replace(/[\u1100-\u11ff]+/g, (one) => one.normalize("NFC")),
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
  overlooks("with a quoted pair", "Accept", /\\/, /^answers\/|^docs\.get\//),
  overlooks("with an empty tag", "If-None-Match", /(?:^|[ ,])""/, /not-modified|etag/),
  asking("takes blanks before a colon for malformed", /json|body|^user\.create\//, (request) =>
    /"\s+:/.test(request.body) ? refusal("malformed-json") : request,
  ),
  answering("adds bytes behind a gzip", /compress|served|etag/, (answer) =>
    codingOf(answer) === "gzip" && answer.body.length > 0
      ? { ...answer, body: Buffer.concat([answer.body, Buffer.from("\n")]) }
      : answer,
  ),
  answering("HEAD of a coded document has another length", /head|length/, (answer, request) =>
    request.method === "HEAD" &&
    header(request, "Accept-Encoding") === "br" &&
    header(answer, "Content-Length")
      ? withHeader(answer, "Content-Length", "12")
      : answer,
  ),
  answering("a coded file is another one", /served|compress|etag/, (answer, request) =>
    /yaml$/.test(pathOf(request)) && codingOf(answer) === "gzip"
      ? { ...answer, body: gzipSync(`${decoded(answer)}# other`) }
      : answer,
  ),
  answering("pages of documents have no last row of tables", /^docs\.get\//, (answer, request) => {
    const isPage = /^text\/html/.test(header(answer, "Content-Type") ?? "");
    if (called(request)?.id !== "docs.get" || request.method !== "GET" || answer.status !== 200)
      return answer;
    const html = `${decoded(answer)}`;
    const rows = /<tr>(?:(?!<tr>)[\s\S])*<\/tr>\s*(?=<\/tbody>)/g;
    return isPage ? withBody(answer, html.replace(rows, "")) : answer;
  }),
  answering(
    "has a taken address before Accept",
    /not-acceptable|order/,
    (answer, request, { state }) => {
      const email = emailIn(request).toLowerCase();
      if (isCreated(answer, request)) state.set(email, true);
      return codeOf(answer) === "not-acceptable" && state.has(email)
        ? refusal("email-taken")
        : answer;
    },
  ),
  answering("no page follows where one item is left", /next|link|walk/, (answer, request) => {
    const { items } = jsonAnswer(answer) ?? {};
    const limit = Number(/limit=(\d+)/.exec(request.target)?.[1]);
    const isLast = Array.isArray(items) && items.length === limit && limit > 12;
    return isLast && !request.target.includes("limit=2")
      ? withoutHeader(
          withJson(answer, ({ nextCursor: _, ...rest }) => rest),
          "Link",
        )
      : answer;
  }),
  answering("repeats Accept", /no-echo/, (answer, request) =>
    codeOf(answer) === "not-acceptable"
      ? withJson(answer, (json) => ({ ...json, detail: `No ${header(request, "Accept")}.` }))
      : answer,
  ),
  answering("repeats a number", /no-echo/, (answer, request) => {
    const limit = /limit=(\d{3,})/.exec(request.target)?.[1];
    return codeOf(answer) === "invalid-input" && limit
      ? withJson(answer, (json) => ({ ...json, detail: `${limit} is wrong.` }))
      : answer;
  }),
  answering(
    "keeps the time of sysinfo for three seconds",
    /sysinfo\/time/,
    (answer, request, { state }) => {
      if (called(request)?.id !== "sysinfo" || answer.status !== 200) return answer;
      const [at, time] = first(state, "time", [Date.now(), jsonAnswer(answer)?.time] as const);
      if (Date.now() - at > 3000) state.delete("time");
      return withJson(answer, (json) => ({ ...json, time: time ?? json.time }));
    },
  ),
  answering(
    "a document that is absent is current",
    /absent|not-modified|unknown/,
    (answer, request) =>
      answer.status === 404 && header(request, "If-None-Match") === "*"
        ? withStatus({ ...answer, body: Buffer.alloc(0) }, 304)
        : answer,
  ),
];
