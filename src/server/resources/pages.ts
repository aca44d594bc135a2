import { crc32 } from "node:zlib";
import { Problem } from "../problem.ts";
import { HandlerResponse } from "../response/response.ts";
import type { OrderValue, Position, ReadPage } from "../storage/driver.ts";
import { parseRows } from "../storage/parse-rows.ts";

const CHECKSUM_BYTES = 4;
const UUID = /^[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}$/;

/**
 * The position of the last item seen, and a checksum of it, its type or order, and the list: a
 * cursor of anything else is recognised (D26). `list`: the operation, and its other input where it
 * has some.
 */
export function encodeCursor(list: string, position: Position, order?: string): string {
  const isUuid = typeof position === "string" && UUID.test(position);
  const text = typeof position === "object" ? JSON.stringify(position) : `${position}`;
  const bytes = isUuid ? Buffer.from(text.replaceAll("-", ""), "hex") : Buffer.from(text);
  const owner = isUuid ? list : `${order ?? typeof position} ${list}`;
  const checksum = Buffer.alloc(CHECKSUM_BYTES);
  checksum.writeUInt32BE(crc32(bytes, crc32(owner)));
  return Buffer.concat([bytes, checksum]).toString("base64url");
}

/** Throws `invalid-cursor`; only the spelling that was issued is accepted. */
function decodeCursor(list: string, cursor: string, order: string | undefined): Position {
  const bytes = Buffer.from(cursor, "base64url").subarray(0, -CHECKSUM_BYTES);
  const uuid = bytes.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
  const text = bytes.toString();
  const positions = order === undefined ? [uuid, Number(text), text] : valuesIn(text, order);
  const position = positions.find((one) => encodeCursor(list, one, order) === cursor);
  if (position === undefined) throw new Problem("invalid-cursor");
  return position;
}

/** The values that a text has for each column of an order; none when it is another text. */
function valuesIn(text: string, order: string): (readonly OrderValue[])[] {
  try {
    const values: unknown = JSON.parse(text);
    return Array.isArray(values) && values.length === order.split(",").length ? [values] : [];
  } catch {
    return [];
  }
}

const withoutNull = (items: string): string =>
  items.includes(":null") ? JSON.stringify(parseRows(items)) : items;

/** The input of a list; every other member belongs to its parameters, or to its name. */
interface ListInput {
  readonly limit: number;
  readonly cursor?: string | undefined;
}

/**
 * The operation as it is called, and its other parameters by their names: a cursor and a `Link` are
 * of both (D26).
 */
function listOf(name: string, { limit: _, cursor: __, ...rest }: ListInput) {
  const members: Readonly<Record<string, unknown>> = rest;
  const called = name.replace(/\{(\w+)\}/g, (_, part) => String(members[part]));
  const isSent = ([member, value]: [string, unknown]) =>
    !name.includes(`{${member}}`) && value !== undefined;
  const parameters = Object.entries(members).filter(isSent).sort();
  return {
    called,
    parameters,
    key: parameters.length === 0 ? called : called + JSON.stringify(parameters),
  };
}

/**
 * One page of a list (D26), a `Page<T>` as JSON text, and the cursor in it; `name`: of the
 * operation, as the spec has it. Throws
 * `invalid-cursor`.
 */
export async function readJsonPage(
  name: string,
  input: ListInput,
  read: ReadPage,
  deadline?: number,
) {
  const { limit, cursor } = input;
  const { key } = listOf(name, input);
  const after = cursor === undefined ? null : decodeCursor(key, cursor, read.order);
  const { items: rows, last, more: hasMore } = await read({ after, limit }, deadline);
  const items = withoutNull(rows);
  if (!hasMore || last === null) return { json: `{"items":${items}}`, nextCursor: null };
  const nextCursor = encodeCursor(key, last, read.order);
  return { json: `{"items":${items},"nextCursor":"${nextCursor}"}`, nextCursor };
}

/**
 * A parameter as it is sent; a list without items is a default, which only a request without the
 * parameter has.
 */
const written = ([name, value]: [string, unknown]): string => {
  const text =
    Array.isArray(value) && value.length === 0 ? null : encodeURIComponent(String(value));
  return text === null ? "" : `&${encodeURIComponent(name)}=${text}`;
};

interface PageResponse<Item> {
  readonly status: 200;
  readonly mediaType: "application/json";
  readonly body: { readonly items: Item[]; readonly nextCursor?: string };
}

/**
 * The response with that page; `name`: of the operation, as the spec has it (`note.list`,
 * `note.list.{folder}`), `input`: all of its input. `Link` is relative to the request, so that it
 * is right behind a path prefix, and has no credentials.
 */
export async function pageOf<Item>(
  name: string,
  input: ListInput,
  read: ReadPage<Item>,
  deadline: number,
) {
  const { json, nextCursor } = await readJsonPage(name, input, read, deadline);
  const response = { status: 200, mediaType: "application/json", json } as const;
  const { called, parameters } = listOf(name, input);
  const query = `?@=${encodeURIComponent(called)}${parameters.map(written).join("")}`;
  const Link = `<${query}&limit=${input.limit}&cursor=${nextCursor}>; rel="next"`;
  return new HandlerResponse<PageResponse<Item>>(
    nextCursor === null ? response : { ...response, headers: { Link } },
  );
}
