import { hash, randomBytes } from "node:crypto";
import { crc32 } from "node:zlib";

/** 160 bits; D19 requires at least 128. */
const RANDOM_LENGTH = 20;

/** The checksum lets a mistyped or invented key be rejected without a look-up. */
const checksum = (body: string): string => crc32(body).toString(16).padStart(8, "0");

/**
 * The keys of a service. They begin with its prefix, so that a key is recognised wherever it turns
 * up (D19).
 */
export interface KeyForm {
  /** A new key, to be shown once, and the hash that is stored of it. */
  issue(): { readonly key: string; readonly hash: string };
  /**
   * Whether the text holds something that looks like a key, also mistyped or cut: such a text is
   * never repeated (D12, D20).
   */
  containsKeyLike(text: string): boolean;
  /** Whether the text can be a key. It is compared whole: no other case, no blanks (D18). */
  isWellFormed(text: string): boolean;
  /** The keys in a text. */
  extractAll(text: string): readonly string[];
}

/** The prefix ends in a character that isn't a hexadecimal digit. */
export function keyForm(prefix: string): KeyForm {
  /** Prefix, random part and checksum, in hexadecimal. */
  const whole = `${prefix}[0-9a-f]{${2 * RANDOM_LENGTH + 8}}`;
  const exact = new RegExp(`^${whole}$`);
  /**
   * The checksum restores most of a key without its end; without its prefix a key is the whole
   * secret.
   */
  const part = new RegExp(`${prefix}[0-9a-f]|[0-9a-f]{${2 * RANDOM_LENGTH}}`, "i");
  return {
    issue() {
      const body = prefix + randomBytes(RANDOM_LENGTH).toString("hex");
      const key = body + checksum(body);
      return { key, hash: hashKey(key) };
    },
    containsKeyLike: (text) => part.test(text),
    isWellFormed: (text) => exact.test(text) && checksum(text.slice(0, -8)) === text.slice(-8),
    extractAll: (text) => text.match(new RegExp(`\\b${whole}\\b`, "g")) ?? [],
  };
}

/** SHA-256 in hexadecimal; a slow hash would add nothing to 160 random bits. */
export const hashKey = (key: string): string => hash("sha256", key);
