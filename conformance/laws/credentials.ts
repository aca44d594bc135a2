import { type Check, checkAll, type Law } from "../checks/check.ts";
import { fail } from "../client/expect.ts";
import type { Aspect } from "../client/expectation.ts";
import { findEcho } from "../client/redact/echo.ts";
import { Reply } from "../client/reply.ts";
import type { Exchange } from "../client/wire/exchange.ts";
import { objectIn } from "../client/wire/json.ts";

/** Laws for every response to a request with or without credentials (D12, D17, D20). */

const CHALLENGE = /^ApiKey +realm="atpoint"$/i;

const challenge: Law = ({ answer, ...exchange }) => {
  if (answer?.status !== 401) return;
  const values = new Reply({ answer, ...exchange }, answer).headerValues("WWW-Authenticate");
  if (!values.some((value) => CHALLENGE.test(value)))
    fail("header:www-authenticate", 'WWW-Authenticate: ApiKey realm="atpoint"', values.join(", ") || "none");
};

/** The members of a problem; null for anything else. */
function problemOf({ request, answer }: Exchange): Readonly<Record<string, unknown>> | null {
  return answer && request.method !== "HEAD" ? objectIn(answer.body) : null;
}

/** `detail` names exactly the missing credentials. */
const missingSaysWhich: Law = (exchange, _, { predicted }) => {
  const { missing } = predicted?.prediction ?? {};
  const problem = problemOf(exchange);
  if (!missing || exchange.answer?.status !== 401 || !problem) return;
  const detail = String(problem.detail).toUpperCase();
  const named = ["X-API-KEY", "X-PLATFORM"].filter((name) => detail.includes(name));
  if (named.join() !== missing.join())
    fail("body:/detail", `a detail that names ${missing.join(" and ")} only`, String(problem.detail));
};

/** Fields of the request, or of the connection: they do not depend on the key. */
const OF_THE_REQUEST = new Set([
  "x-request-id",
  "date",
  "ratelimit",
  "ratelimit-policy",
  "content-length",
  "connection",
  "keep-alive",
  "transfer-encoding",
]);

/** The parts of a rejection that must not distinguish one invalid key from another. Numbers may count anything. */
function facetsOf({ answer }: Exchange, problem: Readonly<Record<string, unknown>>): Map<Aspect, string> {
  const headers = (answer?.headers ?? [])
    .map(([name, value]) => [name.toLowerCase(), value.replace(/\d+(?:\.\d+)?/g, "0")] as const)
    .filter(([name]) => !OF_THE_REQUEST.has(name))
    .map(([name, value]): [Aspect, string] => [`header:${name}`, value]);
  const members = Object.entries(problem)
    .filter(([name]) => name !== "requestId")
    .map(([name, value]): [Aspect, string] => [`body:/${name}`, JSON.stringify(value)]);
  return new Map([...headers, ...members]);
}

/** A caller cannot distinguish one invalid key from another: each rejection is compared with the first one of its operation. */
const alike: Law = (exchange, _, { predicted, memory }) => {
  const { code, operation } = predicted?.prediction ?? {};
  const problem = problemOf(exchange);
  if (code !== "credentials-invalid" || exchange.answer?.status !== 401 || !problem) return;
  const now = facetsOf(exchange, problem);
  const origin = predicted?.request.fields.some(([name]) => name.toLowerCase() === "origin") ? "Origin" : "";
  const id = `${operation?.id} ${origin}`;
  const first = memory.get(id);
  if (first === undefined) {
    memory.set(id, JSON.stringify([...now]));
    return;
  }
  const before = new Map(JSON.parse(first) as [Aspect, string][]); // Written above.
  for (const facet of new Set([...before.keys(), ...now.keys()])) {
    const [wanted, told] = [before.get(facet) ?? "nothing", now.get(facet) ?? "nothing"];
    if (wanted !== told) fail(facet, `${wanted}, as for other invalid keys`, told);
  }
};

/** D11: `/api` redirects with its query byte for byte: only there a key from the query may be returned. */
function withoutKeptQuery(exchange: Exchange): Exchange {
  const { request, answer } = exchange;
  const sent = request.url.replace(/^https?:\/\/[^/]*/i, "");
  const query = sent.replace(/^[^?]*\??/s, "");
  if (answer?.status !== 308 || !/\/api(\?.*)?$/s.test(sent) || query === "") return exchange;
  const headers = answer.headers.map(([name, value]): [string, string] =>
    name.toLowerCase() === "location" ? [name, value.replace(`?${query}`, "")] : [name, value],
  );
  return { ...exchange, answer: { ...answer, headers } };
}

/** A key that no deployment has, sent by the run: `atp_conformance…zq7`. */
const SENT = /[\w-]{0,8}conformance[0-9a-z]{4,16}zq7/;
const SENT_ENDS = "zq7";

const neverShown: Law = (exchange, secrets) => {
  const { url, headers, body, raw } = exchange.request;
  const text = [
    decodeURIComponentSafe(url),
    ...headers.map(([, value]) => value),
    body.toString(),
    raw?.toString("latin1"),
  ].join("\n");
  const [sent] = (text.includes(SENT_ENDS) && SENT.exec(text)) || [];
  const shown = withoutKeptQuery(exchange);
  const where = findEcho(shown, secrets) ?? (sent ? findEcho(shown, [{ name: "SENT_KEY", value: sent }]) : null);
  if (where !== null) fail(where, "a response without the key that was sent", `it is in the ${where}`);
};

function decodeURIComponentSafe(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

/** D16: the detail of `scope-missing` may name the scope that is missing, never those that the key has. */
const scopesHidden: Law = ({ answer }, _, { predicted }) => {
  const { code, operation } = predicted?.prediction ?? {};
  if (code !== "scope-missing" || answer?.status !== 403) return;
  const text = answer.body.toString().replaceAll(operation?.scope ?? "", "");
  const named = predicted?.contract.scopes.find((scope) => text.includes(scope));
  if (named !== undefined) fail("body:/detail", "nothing of the scopes that the key has", named);
};

export const credentialLaws: readonly Check[] = [
  checkAll("credentials/challenge", challenge),
  checkAll("credentials/scope#hidden", scopesHidden),
  checkAll("credentials/missing-says-which", missingSaysWhich),
  checkAll("credentials/alike", alike),
  checkAll("credentials/never-shown#every-answer", neverShown),
];
