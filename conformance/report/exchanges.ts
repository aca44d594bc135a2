import { isUtf8 } from "node:buffer";
import type { Exchange, Finding, Response } from "../exchange.ts";
import { codingOf, withoutCoding } from "../http/coding.ts";
import { write } from "../http/write.ts";
import type { RunOptions } from "../run/options.ts";
import { curlLine, socketLine } from "../secrets/curl.ts";
import { createRedactor, type Redactor, secretsOf } from "../secrets/redact.ts";
import type { Content, ReportedExchange } from "./json.ts";

/**
 * Exchanges as reports have them: decoded, redacted, and only then cut; and the lines that send
 * them again.
 */

/**
 * Bytes of a body that are kept: of the first finding of a requirement, and of every other and of
 * the other exchanges.
 */
export const KEPT = { first: 64 * 1024, further: 1024 };

/** Has the length of a run's id: byte counts in a request stay right. */
const FRESH = "RUN=$(od -An -N8 -tx1 /dev/urandom | tr -d ' \\n')";

/** The redactor of everything that is secret in a run. */
export function redactorOf({
  credentials,
  gateway,
  pair,
}: Pick<RunOptions, "credentials" | "gateway" | "pair">) {
  const all = [credentials, ...(pair ? [pair.credentials] : [])];
  return createRedactor(all.flatMap((keys) => secretsOf(keys, gateway)));
}

/** The bodies have at most so many bytes. */
export function reportedExchange(
  given: Exchange,
  redact: Redactor,
  most: number,
): ReportedExchange {
  const plain = given.response && decoded(given.response, most);
  const { request, response, error, sentAt, endedAt, prediction } = redact.exchange({
    ...given,
    response: plain,
  });
  const { method, target, version = "1.1", fields } = request;
  return {
    request: {
      method,
      target,
      version,
      fields,
      body: contentOf(Buffer.from(request.body, "latin1"), most),
    },
    response: response && {
      status: response.status,
      reason: response.reason,
      version: response.version,
      fields: response.fields,
      body: contentOf(response.body, most, response.omitted),
    },
    error,
    sentAt: new Date(sentAt).toISOString(),
    durationMs: endedAt - sentAt,
    predicted: prediction?.status ?? null,
  };
}

/**
 * Without its content coding, which would hide a key. Nothing is left of what cannot be decoded, or
 * is not worth it, but text.
 */
function decoded(response: Response, most: number): Response {
  const { fields, body, omitted } = response;
  const isPlain = codingOf(fields) === "identity" || isUtf8(body);
  const plain = isPlain ? body : most < KEPT.first ? null : withoutCoding(fields, body);
  // Some coded bytes become megabytes.
  const start = (plain ?? Buffer.alloc(0)).subarray(0, 2 * KEPT.first);
  return { ...response, body: start, omitted: omitted + (plain ?? body).length - start.length };
}

/** Cut only after it was redacted. */
export function contentOf(whole: Buffer, most: number, remaining = 0): Content {
  const bytes = whole.subarray(0, most);
  const omitted = remaining + whole.length - bytes.length;
  const omission = omitted > 0 ? { omitted } : {};
  try {
    // With more to come, a character that is cut at the end is no fault.
    const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return { text: utf8.decode(bytes, { stream: omitted > 0 }), ...omission };
  } catch {
    return { base64: bytes.toString("base64"), ...omission };
  }
}

/**
 * Writes a line of shell that sends the same bytes, with a new id instead of the run's; several
 * requests one after another. Null where no shell could: they have a part of a key, or a key in
 * another spelling.
 */
export function replayer(
  runId: string,
  { target, credentials, gateway }: Pick<RunOptions, "target" | "credentials" | "gateway">,
): (finding: Finding) => string | null {
  const secrets = [...secretsOf(credentials, gateway), { name: "RUN", value: runId }].sort(
    (one, other) => other.name.length - one.name.length,
  );
  const redact = createRedactor(secrets);
  const where = {
    target,
    secrets: secrets.map(({ name }) => name),
    files: gateway.certificate?.files ?? null,
  };
  const expanded = (text: string) =>
    secrets.reduce((all, { name, value }) => all.replaceAll(`$${name}`, () => value), text);
  const socket = (bytes: Buffer) => {
    const shown = redact.bytes(bytes);
    const isSame = expanded(shown.toString("latin1")) === bytes.toString("latin1");
    return isSame ? socketLine(shown, where) : null;
  };
  const lineOf = (exchange: Exchange) => {
    // Sizes of chunks are those of the secrets, not of their names.
    if (exchange.request.framing) return socket(write(exchange.request, target.prefix));
    const { request } = redact.exchange({ ...exchange, response: null });
    const requestParts = ({ method, target, fields, body }: Exchange["request"]) =>
      [method, target, ...fields.flat(), body].join("\n");
    return expanded(requestParts(request)) === requestParts(exchange.request)
      ? curlLine(request, where)
      : null;
  };
  return ({ exchanges, at, written }) => {
    const lines =
      written === undefined
        ? exchanges.slice(0, at + 1).map(lineOf)
        : [socket(Buffer.from(written, "latin1"))];
    if (lines.includes(null)) return null;
    const line = lines.join("; ");
    return line.includes('"$RUN"') ? `${FRESH}; ${line}` : line;
  };
}
