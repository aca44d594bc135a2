import type { Difference, Memory } from "../exchange.ts";
import { CREDENTIALS, KEY } from "../oracle/parsed-request.ts";
import { stringOf } from "../oracle/values.ts";
import { spellings } from "../secrets/spellings.ts";
import { differs, firstOf } from "./difference.ts";
import { always, type Law, law } from "./law.ts";
import type { ParsedExchange } from "./parsed-exchange.ts";

/** Laws for every response to a request with or without credentials (D16, D17, D20, Errors). */

const CHALLENGE = /^ApiKey +realm="([^"]*)"$/i;

function challenge(parsed: ParsedExchange): Difference | null {
  const { realm } = parsed.contract.keys;
  const values = parsed.values("www-authenticate");
  if (values.some((value) => CHALLENGE.exec(value)?.[1] === realm)) return null;
  const expected = `WWW-Authenticate: ApiKey realm="${realm}"`;
  return differs("header:www-authenticate", expected, values.join(", ") || "none");
}

const isProblem = ({ isHead, object }: ParsedExchange) => !isHead && object !== null;

/** `detail` names exactly the missing credentials. */
function missingSaysWhich({ exchange: { prediction }, object }: ParsedExchange): Difference | null {
  const missing = prediction?.missing ?? [];
  const detail = stringOf(object?.detail);
  const named = CREDENTIALS.filter((name) => detail.toUpperCase().includes(name));
  if (named.join() === missing.join()) return null;
  return differs("body:/detail", `a detail that names ${missing.join(" and ")} only`, detail);
}

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
  "content-encoding",
]);

/**
 * The parts of a rejection that must not distinguish one invalid key from another. Numbers may
 * count anything.
 */
function credentialPartsOf({ response, object }: ParsedExchange): ReadonlyMap<string, string> {
  const headers = response.fields
    .map(([name, value]) => [name.toLowerCase(), value.replace(/\d+(?:\.\d+)?/g, "0")] as const)
    .filter(([name]) => !OF_THE_REQUEST.has(name))
    .map(([name, value]) => [`header:${name}`, value] as const);
  const members = Object.entries(object ?? {})
    .filter(([name]) => name !== "requestId")
    .map(([name, value]) => [`body:/${name}`, JSON.stringify(value)] as const);
  return new Map([...headers, ...members]);
}

/**
 * A caller cannot distinguish one invalid key from another: each rejection is compared with the
 * first one of its operation.
 */
function alike(parsed: ParsedExchange, memory: Memory): Difference | null {
  const now = credentialPartsOf(parsed);
  const id =
    "the rejection of a key by " +
    `${parsed.operation?.id}${parsed.sent("Origin").length > 0 ? " to an origin" : ""}`;
  const first = memory.get(id);
  if (first === undefined) memory.set(id, JSON.stringify([...now]));
  const before = new Map<string, string>(first === undefined ? now : JSON.parse(first));
  return firstOf(new Set([...before.keys(), ...now.keys()]), (part) => {
    const [wanted, told] = [before.get(part) ?? "nothing", now.get(part) ?? "nothing"];
    return wanted === told ? null : differs(part, `${wanted}, as for other invalid keys`, told);
  });
}

/** Shorter values are words that a response may have by chance. */
const LEAST = 16;
/** Keys have a prefix in common. */
const BEGINNING = 5;
const ACCEPTED = "the keys that were accepted";
/**
 * Their spellings that are remembered, the latest: recorded traffic may have any number of keys.
 */
const MOST_SPELLINGS = 500;

/**
 * What was sent as a key: in the header, in the query, and behind the prefix of keys in any other
 * place.
 */
function keysIn({ contract, request, reading }: ParsedExchange): readonly string[] {
  const { header, query } = reading.credential(KEY);
  const prefix = contract.keys.prefix.replace(/\W/g, "\\$&");
  const text = [request.target, ...request.fields.map(([, value]) => value), request.body].join(
    "\n",
  );
  const keyLike = text.match(new RegExp(`${prefix}[\\w-]{${LEAST},}`, "g")) ?? [];
  return [header, query, ...keyLike].filter((one) => one.length >= LEAST && one.length < 500);
}

/**
 * D11: `/api` redirects with its query byte for byte: only there a key from the query may be
 * returned.
 */
function withoutKeptQuery(parsed: ParsedExchange, line: string): string {
  const { reading, status } = parsed;
  return status === 308 && reading.path === "/api" && reading.search
    ? line.replace(`?${reading.search}`, "")
    : line;
}

/**
 * A key of this request, or of an earlier one that was accepted, is in no response, in no spelling.
 */
function neverShown(parsed: ParsedExchange, memory: Memory): Difference | null {
  const accepted = memory.get(ACCEPTED)?.split("\n") ?? [];
  const ownKeys = new Set(keysIn(parsed).filter((key) => !accepted.includes(key)));
  const secrets = [...accepted, ...[...ownKeys].flatMap((key) => [...spellings(key)])];
  const isShown = (text: string) => secrets.some((secret) => text.includes(secret));
  const parts = parsed.parts.map(
    ([aspect, text]) =>
      [aspect, aspect === "header:location" ? withoutKeptQuery(parsed, text) : text] as const,
  );
  // All parts at once, and the few texts that spellings begin with: hardly any response has a key.
  const whole = parts.map(([, text]) => text).join("\n");
  const beginnings = new Set(secrets.map((secret) => secret.slice(0, BEGINNING)));
  const mayBeShown = [...beginnings].some((text) => whole.includes(text));
  const [aspect] = (mayBeShown && parts.find(([, text]) => isShown(text))) || [];
  const difference = aspect
    ? differs(aspect, "a response without the key that was sent", `it is in the ${aspect}`)
    : null;
  const isAccepted =
    parsed.operation?.auth && parsed.exchange.prediction?.code === null && parsed.status < 300;
  const { value } = parsed.reading.credential(KEY);
  if (isAccepted && ownKeys.has(value))
    memory.set(ACCEPTED, [...accepted, ...spellings(value)].slice(-MOST_SPELLINGS).join("\n"));
  return difference;
}

/**
 * D16: the detail of `scope-missing` may name the scope that is missing, never those that the key
 * has.
 */
function scopesHidden({ contract, operation, text }: ParsedExchange): Difference | null {
  const rest = text.replaceAll(operation?.scope ?? "", "");
  const named = contract.scopes.find((scope) => rest.includes(scope));
  return named === undefined
    ? null
    : differs("body:/detail", "nothing of the scopes that the key has", named);
}

const rejects = (code: string, status: number) => (parsed: ParsedExchange) =>
  parsed.exchange.prediction?.code === code && parsed.status === status && isProblem(parsed);

export const credentialLaws: readonly Law[] = [
  law("credentials/challenge", ({ status }) => status === 401, challenge),
  law("credentials/missing-says-which", rejects("credentials-missing", 401), missingSaysWhich),
  law("credentials/alike", rejects("credentials-invalid", 401), alike),
  law("credentials/scope", rejects("scope-missing", 403), scopesHidden),
  law("credentials/never-shown", always, neverShown),
];
