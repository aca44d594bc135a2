import { crc32 } from "node:zlib";
import { Problem } from "../protocol/problem.ts";

const ID_BYTES = 16;
const CHECKSUM_BYTES = 4;

/** A cursor: the id of the last user seen and a checksum, so that one which was not given out is told apart (D26). */
export function encodeCursor(id: string): string {
  const bytes = Buffer.from(id.replaceAll("-", ""), "hex");
  return Buffer.concat([bytes, checksum(bytes)]).toString("base64url");
}

/** The id in a cursor. Throws `invalid-cursor`; only the spelling that was given out is taken. */
export function decodeCursor(cursor: string): string {
  const bytes = Buffer.from(cursor, "base64url");
  const id = bytes.subarray(0, ID_BYTES);
  const valid =
    bytes.length === ID_BYTES + CHECKSUM_BYTES &&
    bytes.toString("base64url") === cursor &&
    checksum(id).equals(bytes.subarray(ID_BYTES));
  if (!valid) throw new Problem("invalid-cursor");
  return id.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

function checksum(bytes: Buffer): Buffer {
  const sum = Buffer.alloc(CHECKSUM_BYTES);
  sum.writeUInt32BE(crc32(bytes, crc32("user.list")));
  return sum;
}
