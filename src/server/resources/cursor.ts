import { crc32 } from "node:zlib";
import { Problem } from "../problem.ts";

const ID_BYTES = 16;
const CHECKSUM_BYTES = 4;

/**
 * A cursor: the id of the last item seen, and a checksum of it and the operation, so that a cursor that this operation did not issue
 * is recognised (D26).
 */
export function encodeCursor(operation: string, id: string): string {
  const bytes = Buffer.from(id.replaceAll("-", ""), "hex");
  return Buffer.concat([bytes, checksum(operation, bytes)]).toString("base64url");
}

/** The id in a cursor of the operation. Throws `invalid-cursor`; only the spelling that was issued is accepted. */
export function decodeCursor(operation: string, cursor: string): string {
  const bytes = Buffer.from(cursor, "base64url");
  const id = bytes.subarray(0, ID_BYTES);
  const valid =
    bytes.length === ID_BYTES + CHECKSUM_BYTES &&
    bytes.toString("base64url") === cursor &&
    checksum(operation, id).equals(bytes.subarray(ID_BYTES));
  if (!valid) throw new Problem("invalid-cursor");
  return id.toString("hex").replace(/^(.{8})(.{4})(.{4})(.{4})/, "$1-$2-$3-$4-");
}

function checksum(operation: string, bytes: Buffer): Buffer {
  const sum = Buffer.alloc(CHECKSUM_BYTES);
  sum.writeUInt32BE(crc32(bytes, crc32(operation)));
  return sum;
}
