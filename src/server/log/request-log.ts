import type { Facts, Log } from "./log.ts";

/** What handlers log with: a message that is the same in each line, and what differs as facts. */
export type RequestLog = Pick<Log, "info" | "warn" | "error">;

/**
 * The form of a text that may be logged: an id, a code, a number or a time. Whatever else a caller
 * sends, a name, an address or a sentence, has a character that is not allowed here.
 */
const SAFE = /^[A-Za-z0-9._:-]{1,64}$/;

const HIDDEN = "[hidden]";

/**
 * A log whose lines have these facts. It hides a text of another form and, in the message too, what
 * may be a key (D20); of what was thrown it has what `errorFacts` allows.
 */
export function requestLog(
  log: RequestLog,
  containsKeyLike: (text: string) => boolean,
  request: { readonly requestId: string; readonly operation: string },
): RequestLog {
  const shown = (text: string) => (SAFE.test(text) && !containsKeyLike(text) ? text : HIDDEN);
  const safe = (value: Facts[string]): Facts[string] => {
    if (typeof value === "string") return shown(value);
    return typeof value === "object" && value !== null ? value.map(shown) : value;
  };
  const writeTo =
    (write: RequestLog["info"]): RequestLog["info"] =>
    (message, facts = {}, thrown = undefined) => {
      const pairs = Object.entries(facts).map(([name, value]) => [shown(name), safe(value)]);
      const text = containsKeyLike(message) ? HIDDEN : message;
      write(text, { ...Object.fromEntries(pairs), ...request }, thrown);
    };
  return { info: writeTo(log.info), warn: writeTo(log.warn), error: writeTo(log.error) };
}
