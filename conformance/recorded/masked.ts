import type { Exchange, Finding, Response } from "../exchange.ts";
import { noGateway } from "../http/gateway.ts";
import { jsonIn } from "../http/json.ts";
import { KEY } from "../oracle/reading.ts";
import { isObject } from "../oracle/schema.ts";
import { fieldsOf, type Request } from "../oracle/world.ts";
import type { Credentials } from "../run/options.ts";
import { createRedactor, type Redactor } from "../secrets/redact.ts";
import { secretsOf } from "../secrets/secrets.ts";

/** Recorded traffic is that of real users: a finding shows no more of it than it takes to understand it. */

/** Fields that the contract reads, or defines; of others, only the name is shown. */
const SHOWN = new RegExp(
  `^(?:host|${KEY}|x-platform|x-operation|x-request-id|x-content-type-options|content-(?:type|length|encoding)|` +
    "accept(?:-encoding)?|if-none-match|idempotency-key|idempotent-replayed|traceparent|tracestate|origin|expect|" +
    "access-control-.*|etag|link|location|allow|vary|cache-control|retry-after|ratelimit(?:-policy)?|referrer-policy|" +
    "www-authenticate|date|x-(?:http-)?method(?:-override)?|deprecation|sunset|transfer-encoding|connection)$",
  "i",
);
/** Fields with credentials that the contract does not know. */
const SECRET = ["Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie"];
/** Members of a problem that no user has written. */
const OWN = new Set(["code", "status", "type", "title", "rule"]);

const formOf = (text: string): string => `${/^\S+@\S+$/.test(text) ? "e-mail, " : ""}${text.length} characters`;

/** Strings behind `:`, `,` or `[`, in a text that may be a part of a JSON value. */
const STRINGS = /(?<=[:,[])"(?:[^"\\]|\\.)*"/g;
/** The beginning of a body, quoted. */
const EXCERPTS = /"(?=[[{<])(?:[^"\\]|\\.)*"/g;

function cut(value: unknown): unknown {
  if (typeof value === "string") return formOf(value);
  if (Array.isArray(value)) return value.map(cut);
  return isObject(value) ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cut(one)])) : value;
}

/** The members at a place, and of a problem its code. */
function membersAt(value: unknown, place: readonly string[], isVerbose: boolean): unknown {
  const [name, ...rest] = place;
  if (name === undefined) return isVerbose ? value : cut(value);
  if (Array.isArray(value)) {
    const some = name === "*" ? value : value.slice(Number(name), Number(name) + 1);
    return some.map((one) => membersAt(one, rest, isVerbose));
  }
  if (!isObject(value)) return isVerbose ? value : cut(value);
  const code = typeof value.code === "string" ? { code: value.code } : {};
  const isOwn = OWN.has(name) && rest.length === 0;
  return name in value ? { ...code, [name]: isOwn ? value[name] : membersAt(value[name], rest, isVerbose) } : code;
}

/** Values that must not be shown, by the name that replaces them. */
function secretsIn({ request, response }: Exchange): readonly (readonly [name: string, value: string])[] {
  const fields = [...request.fields, ...(response?.fields ?? [])];
  const { searchParams } = new URL(request.target, "http://h");
  const inQuery = [...searchParams].filter(([name]) => name.toUpperCase() === KEY).map(([, value]) => value);
  const written = new RegExp(`[?&]${KEY}=([^&#]*)`, "gi");
  const asWritten = [...request.target.matchAll(written)].map(([, value = ""]) => value);
  const keys = [...fieldsOf(fields, KEY), ...inQuery, ...asWritten].map((value) => ["UNKNOWN_KEY", value] as const);
  const others = SECRET.flatMap((name) =>
    fieldsOf(fields, name).flatMap((value) =>
      [value, ...value.split(/[\s;,]+|=/)].map((part) => [name, part] as const),
    ),
  );
  return [...keys, ...others.filter(([, value]) => value.length >= 8)].filter(([, value]) => value !== "");
}

/** Takes keys, cookies and what users have written out of findings. `isVerbose`: not what they have written. */
export function createMask(credentials: Credentials | null, isVerbose: boolean): (finding: Finding) => Finding {
  const given = credentials ? secretsOf(credentials, noGateway) : [];
  const known = new Set(given.map(({ value }) => value));
  // It takes milliseconds to make one, and most entries have the same keys.
  const own = createRedactor(given);
  const redactors = new Map<string, Redactor>();
  return (finding) => {
    const found = new Map(
      finding.exchanges
        .flatMap(secretsIn)
        .filter(([, value]) => !known.has(value))
        .map(([name, value]) => [value.slice(0, MOST_CHARACTERS), name]),
    );
    const id = JSON.stringify([...found]);
    const other = redactors.get(id) ?? createRedactor([...found].map(([value, name]) => ({ name, value })));
    if (redactors.size < MOST_REDACTORS) redactors.set(id, other);
    const text = (one: string) => other.text(own.text(one));
    const exchange = (one: Exchange) => other.exchange(own.exchange(one));
    return masked(finding, { redactor: { text, exchange }, known, isVerbose });
  };
}

/** Of a longer key, which no deployment has, the beginning is looked for. */
const MOST_CHARACTERS = 100;
const MOST_REDACTORS = 100;

/** A key in the query, as it is written. */
const IN_QUERY = new RegExp(`([?&]${KEY}=)([^&#]*)`, "gi");

interface Mask {
  readonly redactor: Pick<Redactor, "text" | "exchange">;
  readonly known: ReadonlySet<string>;
  readonly isVerbose: boolean;
}

function masked(finding: Finding, { redactor, known, isVerbose }: Mask): Finding {
  const [, pointer] = /^body:\/(.*)$/s.exec(finding.aspect) ?? [];
  const place = pointer?.split("/") ?? (finding.aspect === "body" ? [] : ["code"]);
  const fields = (all: Request["fields"]) =>
    all.map(([name, value]) => {
      const isKey = name.toUpperCase() === KEY && !known.has(value);
      return [name, isKey ? "$UNKNOWN_KEY" : SHOWN.test(name) ? value : ""] as const;
    });
  const bytes = (json: unknown) => {
    if (json === undefined) return Buffer.alloc(0);
    return Buffer.from(JSON.stringify(membersAt(json, place, isVerbose)));
  };
  const response = (one: Response): Response => {
    const body = bytes(one.json);
    const omitted = Math.max(one.omitted + one.body.length - body.length, 0);
    // What is left is decoded.
    const shown = fields(one.fields).filter(([name]) => !/^content-encoding$/i.test(name));
    return { ...one, body, omitted, json: undefined, fields: shown };
  };
  const exchanges = finding.exchanges.map((one) => {
    const body = Buffer.from(one.request.body, "latin1");
    const request = {
      ...one.request,
      target: one.request.target.replace(IN_QUERY, (all, name, value) =>
        known.has(value) ? all : `${name}$UNKNOWN_KEY`,
      ),
      ...{ fields: fields(one.request.fields), body: bytes(jsonIn(body)).toString("latin1") },
    };
    return redactor.exchange({ ...one, request, response: one.response && response(one.response) });
  });
  const text = (one: string) => {
    const safe = redactor.text(one);
    return isVerbose
      ? safe
      : safe
          .replace(EXCERPTS, (quoted) => formOf(quoted))
          .replace(STRINGS, (string) => JSON.stringify(formOf(string.slice(1, -1))));
  };
  return { ...finding, exchanges, expected: text(finding.expected), actual: text(finding.actual) };
}
