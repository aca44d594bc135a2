import type { Credentials } from "./credentials.ts";
import { nameIn, operationCalled } from "./operation.ts";

/** The largest request that a read-only run sends: the limits of D13. */
export const MOST = { body: 65_536, target: 8192, fields: 16_384, count: 100 } as const;

/** What Node's own client writes, and valid hand-written requests. */
const REQUEST_LINE = /^(GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS|TRACE) [!-~]+ HTTP\/1\.[01]\r\n/;

interface Sent {
  readonly method: string;
  readonly target: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer;
  /** The raw bytes; null if the HTTP client writes the request. */
  readonly raw: Buffer | null;
}

function isTooLarge({ target, headers, body }: Sent): boolean {
  const fields = headers.reduce((sum, [name, value]) => sum + name.length + value.length, 0);
  const sizes = { body: body.length, target: target.length, fields, count: headers.length };
  return (["body", "target", "fields", "count"] as const).some((part) => sizes[part] > MOST[part]);
}

/** Null when it cannot be read. */
function parametersOf(target: string): [name: string, value: string][] | null {
  const query = /\?([^#]*)/.exec(target)?.[1] ?? "";
  try {
    return query.split("&").map((part) => {
      const [name = "", ...value] = part.replaceAll("+", " ").split("=");
      return [decodeURIComponent(name), decodeURIComponent(value.join("="))];
    });
  } catch {
    return null;
  }
}

function isJson(body: Buffer): boolean {
  try {
    JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(body));
    return true;
  } catch {
    return false;
  }
}

function isMalformed({ method, target, headers, body, raw }: Sent): boolean {
  if (raw && !REQUEST_LINE.test(raw.toString("latin1"))) return true;
  const claimsJson = headers.some(
    ([name, value]) => /^content-type$/i.test(name) && /^application\/json\b/i.test(value),
  );
  return parametersOf(target) === null || (method === "POST" && claimsJson && !isJson(body));
}

/** The keys that the target accepts for at least one call. */
function validKeys({ full, special: { expired: _, revoked: __, ...valid } }: Credentials): Set<string> {
  return new Set([full, ...Object.values(valid)].map(({ key }) => key));
}

/** Whether a call that requires credentials has an invalid key; in other calls no key is checked. */
function holdsWrongKey({ method, target, headers, body }: Sent, credentials: Credentials): boolean {
  const parameters = parametersOf(target) ?? [];
  const called = operationCalled(nameIn({ method, query: new URLSearchParams(parameters), body }) ?? "");
  if (!called?.auth || called.method !== method.replace("HEAD", "GET")) return false;
  const isKey = ([name, value]: readonly [string, string]) => /^x-api-key$/i.test(name) && value !== "";
  const valid = validKeys(credentials);
  return [...headers, ...parameters].some((pair) => isKey(pair) && !valid.has(pair[1].trim()));
}

export const WRONG_KEY = "a key that is refused";

/** Requests that no client sends by itself, by the code of their rejection. */
const HARM: readonly (readonly [code: RegExp, what: string])[] = [
  [/^(?:content-too-large|uri-too-long|headers-too-large)$/, "something oversized"],
  [/^(?:malformed-.*|expectation-failed)$/, "something malformed"],
  [/^credentials-invalid$/, WRONG_KEY],
];

/** The same for a request that is rejected with one of these codes. */
export const harmOfCodes = (codes: readonly string[]): string | null =>
  HARM.find(([some]) => codes.some((one) => some.test(one)))?.[1] ?? null;

/** Why a request may harm a target, or get its sender blocked there; null if any client could send it. */
export function harmOf(sent: Sent, credentials: Credentials): string | null {
  if (isTooLarge(sent)) return "something oversized";
  if (isMalformed(sent)) return "something malformed";
  // A target may count them, and block the sender.
  return holdsWrongKey(sent, credentials) ? WRONG_KEY : null;
}
