import type { Exchange } from "./exchange.ts";
import { createRedactor, type Secret } from "./redact.ts";

/** Where an answer holds a key of the run, in any spelling that reports redact: `the header Location`; null for nowhere. */
export function findEcho({ answer }: Exchange, secrets: readonly Secret[]): string | null {
  if (!answer) return null;
  const redact = createRedactor(secrets);
  const header = answer.headers.find(([name, value]) => redact.text(name + value) !== name + value);
  if (header) return `the header ${redact.text(header[0])}`;
  if (redact.text(answer.reason) !== answer.reason) return "the reason phrase";
  return redact.bytes(answer.body).equals(answer.body) ? null : "the body";
}
