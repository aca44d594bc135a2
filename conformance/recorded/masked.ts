import type { Exchange, Finding } from "../exchange.ts";
import { noGateway } from "../http/gateway.ts";
import { jsonIn } from "../http/response.ts";
import { fieldsOf, type Request } from "../oracle/model-state.ts";
import { KEY } from "../oracle/parsed-request.ts";
import { isObject } from "../oracle/schema.ts";
import type { Credentials } from "../secrets/credentials.ts";
import { createRedactor, secretsOf } from "../secrets/redact.ts";

/**
 * Recorded traffic is that of real users: a finding shows no more of it than it takes to understand
 * it.
 */

/** Fields that the contract reads, or defines; of others, only the name is shown. */
const SHOWN = new RegExp(
  `^(?:host|${KEY}|x-platform|x-operation|x-request-id|x-content-type-options|` +
    "content-(?:type|length|encoding)|accept(?:-encoding)?|if-none-match|idempotency-key|" +
    "idempotent-replayed|traceparent|tracestate|origin|expect|access-control-.*|etag|link|" +
    "location|allow|vary|cache-control|retry-after|ratelimit(?:-policy)?|referrer-policy|" +
    "www-authenticate|date|x-(?:http-)?method(?:-override)?|deprecation|sunset|" +
    "transfer-encoding|connection)$",
  "i",
);
/** Fields with credentials that the contract does not know. */
const SECRET = ["Authorization", "Proxy-Authorization", "Cookie", "Set-Cookie"];
/** Members of a problem that no user has written. */
const OWN = new Set(["code", "status", "type", "title", "rule"]);
/** No deployment has a longer key: the beginning of one is looked for. */
const MOST_CHARACTERS = 100;
/** A key in the query, as it is written. */
const IN_QUERY = new RegExp(`([?&]${KEY}=)([^&#]*)`, "gi");
/** A parameter with an address. */
const ADDRESSES = /(?<==)[^&#]*(?:@|%40)[^&#]*/gi;
/**
 * Strings at the beginning, or behind `:`, `,` or `[`, in a text that may be a part of a JSON
 * value; not the names of members.
 */
const STRINGS = /(?<=^|[:,[])"(?:[^"\\]|\\.)*"(?!:)/g;
/** A part of a body, quoted: its beginning, or one that was cut. */
const EXCERPTS = /(?:…"|"(?=[[{<]))(?:[^"\\]|\\.)*"|"(?:[^"\\]|\\.)*"(?=…)/g;

const formOf = (text: string): string =>
  `${/^\S+@\S+$/.test(text) ? "e-mail, " : ""}${text.length} characters`;

function cut(value: unknown): unknown {
  if (typeof value === "string") return formOf(value);
  if (Array.isArray(value)) return value.map(cut);
  return isObject(value)
    ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, cut(one)]))
    : value;
}

/** The members at a place, and of a problem its code. */
function membersAt(
  value: unknown,
  [name, ...rest]: readonly string[],
  shown: (value: unknown) => unknown,
): unknown {
  if (name !== undefined && Array.isArray(value)) {
    const some = name === "*" ? value : value.slice(Number(name), Number(name) + 1);
    return some.map((one) => membersAt(one, rest, shown));
  }
  if (name === undefined || !isObject(value)) return shown(value);
  const code = typeof value.code === "string" ? { code: value.code } : {};
  const isOwn = OWN.has(name) && rest.length === 0;
  return name in value
    ? { ...code, [name]: isOwn ? value[name] : membersAt(value[name], rest, shown) }
    : code;
}

/** Values that must not be shown, with the names that replace them. */
function secretsIn({
  request,
  response,
}: Exchange): readonly (readonly [value: string, name: string])[] {
  const fields = [...request.fields, ...(response?.fields ?? [])];
  const { searchParams } = new URL(`http://h${request.target}`);
  const inQuery = [...searchParams]
    .filter(([name]) => name.toUpperCase() === KEY)
    .map(([, value]) => value);
  const asWritten = [...request.target.matchAll(IN_QUERY)].map(([, , value = ""]) => value);
  const keys = [...fieldsOf(fields, KEY), ...inQuery, ...asWritten].filter((value) => value !== "");
  const unmaskedPartsOf = (value: string) =>
    [value, ...value.split(/[\s;,]+|=/)].filter(({ length }) => length >= 8);
  return [
    ...keys.map((value) => [value, "UNKNOWN_KEY"] as const),
    ...SECRET.flatMap((name) =>
      fieldsOf(fields, name)
        .flatMap(unmaskedPartsOf)
        .map((part) => [part, name] as const),
    ),
  ];
}

/**
 * Takes keys, cookies and what users have written out of findings. `isVerbose`: not what they have
 * written.
 */
export function createMask(
  credentials: Credentials | null,
  isVerbose: boolean,
): (finding: Finding) => Finding {
  const given = credentials ? secretsOf(credentials, noGateway) : [];
  const known = new Map(given.map(({ name, value }) => [value, name]));
  const keyOf = (value: string) => `$${known.get(value) ?? "UNKNOWN_KEY"}`;
  // It takes milliseconds to make one, and most entries have the same keys.
  let last = { secrets: "", redactor: createRedactor(given) };
  const redactorFor = ({ exchanges }: Finding) => {
    const strangers = exchanges.flatMap(secretsIn).filter(([value]) => !known.has(value));
    const strangerNames = new Map(
      strangers.map(([value, name]) => [value.slice(0, MOST_CHARACTERS), name]),
    );
    const secrets = JSON.stringify([...strangerNames]);
    const all = [...given, ...[...strangerNames].map(([value, name]) => ({ name, value }))];
    if (last.secrets !== secrets) last = { secrets, redactor: createRedactor(all) };
    return last.redactor;
  };
  const fields = (all: Request["fields"]) =>
    all.map(([name, value]) => {
      const shown = SHOWN.test(name) ? value : "";
      return [name, name.toUpperCase() === KEY ? keyOf(value) : shown] as const;
    });
  return (finding) => {
    const redactor = redactorFor(finding);
    const [, pointer] = /^body:\/(.*)$/s.exec(finding.aspect) ?? [];
    const place = pointer?.split("/") ?? (finding.aspect === "body" ? [] : ["code"]);
    const bytes = (json: unknown) =>
      Buffer.from(JSON.stringify(membersAt(json, place, isVerbose ? (value) => value : cut)) ?? "");
    const masked = ({ request, response, ...rest }: Exchange): Exchange => {
      const [sent, body] = [
        bytes(jsonIn(Buffer.from(request.body, "latin1"))),
        bytes(response?.json),
      ];
      const known = request.target.replace(IN_QUERY, (_, name, value) => name + keyOf(value));
      const target = isVerbose ? known : known.replace(ADDRESSES, formOf);
      return {
        ...rest,
        request: {
          ...request,
          target,
          fields: fields(request.fields),
          body: sent.toString("latin1"),
        },
        response: response && {
          ...response,
          body,
          omitted: Math.max(response.omitted + response.body.length - body.length, 0),
          // What is left is decoded.
          fields: fields(response.fields).filter(([name]) => !/^content-encoding$/i.test(name)),
        },
      };
    };
    const text = (raw: string) => {
      const safe = redactor.text(raw);
      if (isVerbose) return safe;
      const string = (quoted: string) => JSON.stringify(formOf(quoted.slice(1, -1)));
      return safe.replace(EXCERPTS, formOf).replace(STRINGS, string);
    };
    const exchanges = finding.exchanges.map((one) => redactor.exchange(masked(one)));
    const [expected, actual] = [text(finding.expected), text(finding.actual)];
    // Two values may have the same form.
    return {
      ...finding,
      exchanges,
      expected,
      actual: actual === expected ? `${actual}, with another value` : actual,
    };
  };
}
