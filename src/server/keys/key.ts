import { hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

/** So that a key is recognised wherever it turns up (D19). */
const prefix = "atp_";
/** 160 bits; D19 requires at least 128. */
const randomLength = 20;
/** Prefix, random part and checksum, in hexadecimal. */
const whole = new RegExp(`^${prefix}[0-9a-f]{${2 * randomLength + 8}}$`);
/** The checksum restores most of a key without its end; without its prefix a key is the whole secret. */
const part = new RegExp(`${prefix}[0-9a-f]|[0-9a-f]{${2 * randomLength}}`, "i");

/** The checksum lets a mistyped or invented key be rejected without a look-up. */
const checksum = (body: string): string => crc32(body).toString(16).padStart(8, "0");

/** A new key, to be shown once, and the hash that is stored of it. */
export function issueKey(): { readonly key: string; readonly hash: string } {
  const body = prefix + randomBytes(randomLength).toString("hex");
  const key = body + checksum(body);
  return { key, hash: hashKey(key) };
}

/** Whether the text holds something that looks like one of our keys, also mistyped or cut: such a text is never repeated (D12, D20). */
export const holdsKeyForm = (text: string): boolean => part.test(text);

/** Whether the text can be one of our keys. It is compared whole: no other case, no blanks (D18). */
export function isKeyShaped(text: string): boolean {
  return whole.test(text) && checksum(text.slice(0, -8)) === text.slice(-8);
}

/** SHA-256 in hexadecimal; a slow hash would add nothing to 160 random bits. */
export const hashKey = (key: string): string => hash("sha256", key);
