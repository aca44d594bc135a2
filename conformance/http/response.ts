import type { Exchange, Response } from "../exchange.ts";
import { withoutCoding } from "./coding.ts";
import { mayBeParsed } from "./limits.ts";

const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });

export type Head = Pick<Response, "status" | "reason" | "version" | "fields">;

/** A response as it was received, its JSON parsed once. */
export const createResponse = (head: Head, body: Buffer): Response => ({
  ...head,
  body,
  omitted: 0,
  json: jsonIn(withoutCoding(head.fields, body)),
});

/** Characters of white space before a JSON text: no server writes so many. */
const MOST_BLANK = 1000;
/** The first character of a JSON text, behind white space. */
const BEGINNING = /^[ \t\r\n]*[[{"\-\dtfn]/;

/**
 * The JSON value of a body without its coding; undefined if it is not one JSON text in UTF-8, or
 * one with too much in it.
 */
export function jsonIn(body: Buffer | null): unknown {
  if (!body || !BEGINNING.test(body.toString("latin1", 0, MOST_BLANK)) || !mayBeParsed(body))
    return undefined;
  try {
    return JSON.parse(utf8.decode(body));
  } catch {
    return undefined;
  }
}

/** Bytes of a response that is only there to show what came before. */
export const BYTES_BEFORE = 1024;

/** An exchange whose response is shortened. */
export const withShortenedResponse = <T extends Exchange>(exchange: T, most = BYTES_BEFORE): T => ({
  ...exchange,
  response: exchange.response && shortened(exchange.response, most),
});

/**
 * A response of which at most so many bytes are kept, as a copy: what it was cut from can be
 * released.
 */
export function shortened(response: Response, most: number): Response {
  const { body, omitted } = response;
  if (body.length <= most) return response;
  let end = most;
  // Not within a character of UTF-8: the excerpt would be taken for invalid bytes.
  while (end > most - 3 && ((body[end] ?? 0) & 0xc0) === 0x80) end -= 1;
  return {
    ...response,
    body: Buffer.from(body.subarray(0, end)),
    omitted: omitted + body.length - end,
    json: undefined,
  };
}
