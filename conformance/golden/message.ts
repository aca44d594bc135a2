import type { Request } from "../oracle/world.ts";
import type { Field, GoldenRequest, GoldenResponse } from "./read.ts";
import type { Values } from "./values.ts";

const BYTE = /\{byte ([0-9A-F]{2})\}/;
/** Repeats one character until the fields have this many bytes in total, including separators. */
const FILL = /\{(\w) up to (\d+)\}/;

/**
 * A request as sent on the wire, without values that differ by run. Its `Content-Length` is that of its body unless it has
 * a transfer coding.
 */
export function wireOfGolden(request: GoldenRequest, values: Values, host: string): Request {
  const { method, target, version, body } = request;
  if (body !== null) values.register(body);
  const bytes = body === null ? null : bytesOf(body, values);
  const isCoded = request.headers.some(([name]) => name === "Transfer-Encoding");
  const length: Field[] = bytes === null || isCoded ? [] : [["Content-Length", String(bytes.length)]];
  const own = request.headers.map(([name, value]) => [name, FILL.test(value) ? value : values.fill(value)] as const);
  const headers = filled([["Host", host], ...own, ["Connection", "close"], ...length]);
  return { method, target: values.fill(target), fields: headers, body: bytes?.toString("latin1") ?? "", version };
}

const bytesOf = (body: string, values: Values): Buffer =>
  Buffer.concat(
    body
      .split(BYTE)
      .map((part, index) => (index % 2 === 0 ? Buffer.from(values.fill(part)) : Buffer.from(part, "hex"))),
  );

function filled(headers: readonly Field[]): readonly Field[] {
  const size = headers.reduce((sum, [name, value]) => sum + name.length + value.replace(FILL, "").length + 4, 0);
  return headers.map(([name, value]) => [
    name,
    value.replace(FILL, (_, character: string, bytes: string) => character.repeat(Number(bytes) - size)),
  ]);
}

/** A response as a deployment could send it. */
export function sampleOf({ status, headers, body }: GoldenResponse, values: Values) {
  const fields = headers.map(([name, value]): Field => [name, values.sample(value)]);
  return { status, reason: "", httpVersion: "1.1", headers: fields, body: Buffer.from(sampleBody(body, values)) };
}

function sampleBody(body: string | null, values: Values): string {
  if (!body?.startsWith('{"')) return values.sample(body ?? "");
  const member = (_name: string, value: unknown): unknown => {
    if (value === "{list}") return [];
    if (typeof value === "string") return values.sample(value);
    if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
    return Object.fromEntries(Object.entries(value).filter(([one]) => !one.endsWith("?")));
  };
  return JSON.stringify(JSON.parse(body, member));
}
