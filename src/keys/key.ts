import { hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

/** So that a key is known for one wherever it turns up (D19). */
const prefix = "atp_";
/** 160 bits; D19 asks for at least 128. */
const randomLength = 20;
/** Prefix, random part and checksum, in hexadecimal. */
const form = `${prefix}[0-9a-f]{${2 * randomLength + 8}}`;
const whole = new RegExp(`^${form}$`);
const within = new RegExp(form, "i");

/** The checksum lets a mistyped or made-up key be refused without a look-up. */
const checksum = (body: string): string => crc32(body).toString(16).padStart(8, "0");

/** A new key, to be shown once, and the hash that is kept of it. */
export function issueKey(): { readonly key: string; readonly hash: string } {
  const body = prefix + randomBytes(randomLength).toString("hex");
  const key = body + checksum(body);
  return { key, hash: hashKey(key) };
}

/** Whether something in the text looks like a key of ours, a mistyped one too: what does is repeated nowhere (D12, D20). */
export const holdsKeyForm = (text: string): boolean => within.test(text);

/** Whether the text can be a key of ours. It is compared whole: no other case, no blanks (D18). */
export function isKeyShaped(text: string): boolean {
  return whole.test(text) && checksum(text.slice(0, -8)) === text.slice(-8);
}

/** SHA-256 in hexadecimal; a slow hash would add nothing to 160 random bits. */
export const hashKey = (key: string): string => hash("sha256", key);
