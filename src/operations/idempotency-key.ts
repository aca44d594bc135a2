import { hash } from "node:crypto";
import { Problem } from "../protocol/problem.ts";
import type { RequestFacts } from "../protocol/request.ts";
import type { Once } from "../storage/idempotency-keys.ts";

/** D25: visible ASCII; a blank would also separate two keys that were sent. */
const FORM = /^[!-~]{1,255}$/;

/** What identifies a repeated call of the operation, or null without a key. Throws `invalid-idempotency-key`. */
export function onceOf(
  operation: string,
  { idempotencyKey, caller }: Pick<RequestFacts, "idempotencyKey" | "caller">,
  data: readonly unknown[],
): Omit<Once, "since"> | null {
  if (idempotencyKey === "") return null;
  if (!FORM.test(idempotencyKey)) throw new Problem("invalid-idempotency-key");
  return { id: digest([caller?.keyId, operation, idempotencyKey]), dataDigest: digest(data) };
}

const digest = (parts: readonly unknown[]): string => hash("sha256", JSON.stringify(parts));
