import { readFileSync } from "node:fs";
import { type Asset, createAsset } from "../http/assets.ts";
import { SafeError } from "../log/safe-error.ts";

export const SECURITY_TXT_PATH = "/.well-known/security.txt";

/**
 * The file of SECURITY_TXT (RFC 9116), unchanged: it may be signed. Throws `SafeError` when it cannot be read or lacks a required
 * field. An expired one is still served: a restart must not fail because of it, and `doctor` warns before.
 */
export function loadSecurityTxt(file: string): { readonly asset: Asset; readonly expires: Date } {
  let content: string;
  try {
    content = readFileSync(file, "utf8");
  } catch (cause) {
    throw new SafeError(`The file of SECURITY_TXT cannot be read: ${file}`, { cause });
  }
  const values = (name: string) => [...content.matchAll(new RegExp(`^${name}:[ \\t]*(\\S+)`, "gim"))].map((m) => m[1]);
  const [expires = "", ...more] = values("expires");
  if (values("contact").length === 0 || more.length > 0 || Number.isNaN(Date.parse(expires)))
    throw new SafeError(
      "The file of SECURITY_TXT needs a field Contact and one field Expires with a time (RFC 9116, 2.5).",
    );
  return { asset: createAsset({ mediaType: "text/plain; charset=utf-8", content }), expires: new Date(expires) };
}
