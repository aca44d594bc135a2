import type { Aspect } from "../expectation.ts";
import type { Exchange } from "../wire/exchange.ts";
import { createRedactor, type Redactor, type Secret } from "./redact.ts";

/** One for all exchanges of a run: it searches for some two hundred spellings. */
const redactors = new WeakMap<readonly Secret[], Redactor>();

function redactorOf(secrets: readonly Secret[]): Redactor {
  const known = redactors.get(secrets) ?? createRedactor(secrets);
  redactors.set(secrets, known);
  return known;
}

/** Where a response holds a key of the run, in any spelling that reports redact; null if nowhere. */
export function findEcho({ answer }: Exchange, secrets: readonly Secret[]): Aspect | null {
  if (!answer) return null;
  const redact = redactorOf(secrets);
  const holds = (text: string) => redact.text(text) !== text;
  // One test of the whole response first: hardly any holds a key.
  if (holds([answer.reason, ...answer.headers.map(([name, value]) => name + value)].join("\n"))) {
    const [name] = answer.headers.find((field) => holds(field.join(""))) ?? [];
    return name === undefined ? "status" : `header:${redact.text(name).toLowerCase()}`;
  }
  return redact.bytes(answer.body).equals(answer.body) ? null : "body";
}
