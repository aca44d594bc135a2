import type { Exchange } from "../wire/exchange.ts";
import { createRedactor, type Redactor, type Secret } from "./redact.ts";

/** One for all exchanges of a run: it has some two hundred spellings to look for. */
const redactors = new WeakMap<readonly Secret[], Redactor>();

function redactorOf(secrets: readonly Secret[]): Redactor {
  const known = redactors.get(secrets) ?? createRedactor(secrets);
  redactors.set(secrets, known);
  return known;
}

/** Where an answer holds a key of the run, in any spelling that reports redact: `the header Location`; null for nowhere. */
export function findEcho({ answer }: Exchange, secrets: readonly Secret[]): string | null {
  if (!answer) return null;
  const redact = redactorOf(secrets);
  const holds = (text: string) => redact.text(text) !== text;
  // All at once first: hardly any answer holds one.
  if (holds([answer.reason, ...answer.headers.map(([name, value]) => name + value)].join("\n"))) {
    const header = answer.headers.find(([name, value]) => holds(name + value));
    return header ? `the header ${redact.text(header[0])}` : "the reason phrase";
  }
  return redact.bytes(answer.body).equals(answer.body) ? null : "the body";
}
