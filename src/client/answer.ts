import { AtpointError, type Failure } from "./atpoint-error.ts";
import type { OperationName } from "./types.ts";

/**
 * The body of a response in the representation that was requested: JSON is parsed, everything else is text.
 * Throws an `AtpointError` for a problem, and for whatever the contract does not have.
 */
export function readAnswer(operation: OperationName, accept: string, response: Response, text: string): unknown {
  const { status, headers, ok } = response;
  const type = headers.get("Content-Type")?.split(";", 1)[0];
  // Some answers without success are the operation's own (D28), which `X-Operation` shows (D12); others come from a proxy.
  const isAnswer = type === accept && (ok || headers.has("X-Operation"));
  if (isAnswer && !type.endsWith("json")) return text;
  const value = parsed(text);
  if (isAnswer && value !== undefined) return value;
  const retryAfterMs = retryAfter(headers);
  const answered = { operation, status, requestId: headers.get("X-Request-Id") ?? undefined, retryAfterMs };
  // Proof: a problem that has a `code` is one of the contract (RFC 9457, and `problems` of it).
  const problem = value as (Pick<Failure, "code" | "errors"> & { detail?: string }) | null | undefined;
  if (type === "application/problem+json" && typeof problem?.code === "string") {
    const { code, errors, detail } = problem;
    const faults = Array.isArray(errors) ? ` (${errors.map(faultOf).join("; ")})` : "";
    throw new AtpointError({ ...answered, kind: "problem", code, errors }, `${code}: ${detail}${faults}`);
  }
  const location = headers.get("Location");
  const seen = [status, type, location && `to ${location}`, text.slice(0, EXCERPT)].filter(Boolean).join(" ");
  throw new AtpointError({ ...answered, kind: "unexpected" }, `unexpected response: ${seen}`);
}

function faultOf(fault: unknown): string {
  const { pointer, parameter, detail } = Object(fault);
  return `${pointer ?? parameter} ${detail}`;
}

/** How many characters of an unexpected body its error shows. */
const EXCERPT = 200;

function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}

/** `Retry-After` in milliseconds: it is in seconds, or a date (RFC 9110, 10.2.3). */
function retryAfter(headers: Headers): number | undefined {
  const text = headers.get("Retry-After");
  if (!text) return undefined;
  const milliseconds = /^\d+$/.test(text) ? Number(text) * 1000 : Date.parse(text) - Date.now();
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds);
}
