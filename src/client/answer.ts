import { AtpointError, type Failure } from "./atpoint-error.ts";
import type { OperationName } from "./types.ts";

/** The body of an answer in the representation that was asked for: of JSON the value. Throws an `AtpointError`. */
export async function readAnswer(operation: OperationName, accept: string, response: Response): Promise<unknown> {
  const { status, headers, ok } = response;
  const text = await response.text();
  const type = headers.get("Content-Type")?.split(";", 1)[0];
  // Of the answers without success some are the operation's own (D28), which its name tells (D12); others are a proxy's.
  const isAnswer = type === accept && (ok || headers.has("X-Operation"));
  if (isAnswer && !type.endsWith("json")) return text;
  const value = parsed(text);
  if (isAnswer && value !== undefined) return value;
  const answered = {
    operation,
    status,
    requestId: headers.get("X-Request-Id") ?? undefined,
    retryAfterMs: retryAfter(headers),
  };
  if (type !== "application/problem+json" || typeof value !== "object" || value === null)
    throw new AtpointError({ ...answered, kind: "unexpected" }, `an answer that is none of the contract's, ${status}`);
  // Proof: a problem of the contract has these members (RFC 9457, and `problems` of it).
  const { code, detail, errors } = value as Pick<Failure, "code" | "errors"> & { detail?: string };
  throw new AtpointError({ ...answered, kind: "problem", code, errors }, `${code}: ${detail}`);
}

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
