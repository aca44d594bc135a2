import { randomUUID } from "node:crypto";
import { hasKeyForm } from "../credentials/key.ts";

const ACCEPTED = /^[A-Za-z0-9._-]{1,64}$/;

/** The caller's `X-Request-Id` when it can be written anywhere safely and is no key by mistake, else a new one (D12). */
export function requestIdOf(header: string | readonly string[] | undefined): string {
  return typeof header === "string" && ACCEPTED.test(header) && !hasKeyForm(header) ? header : randomUUID();
}
