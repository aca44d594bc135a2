import type { Problem } from "../problem.ts";
import { errorFacts } from "./error-facts.ts";
import type { Log } from "./log.ts";

/** While the storage is unavailable, every call has the same fault. */
const PERIOD_MS = 1000;

/**
 * What a line is about: the last fault of its kind, and how many there were since the line before.
 */
interface Repeated {
  problem: Problem;
  requestId: string;
  count: number;
}

/**
 * Logs each fault; those of the storage at once and then, for each code of their cause, as one line
 * a second, with their number.
 */
export function openFaultLog(log: Pick<Log, "error">) {
  const repeated = new Map<string, Repeated>();
  const write = ({ code, cause }: Problem, requestId: string, count?: number) =>
    log.error("fault", { requestId, code, count }, cause);
  /** False when nothing was held back. */
  const writeHeld = (held: Repeated): boolean => {
    const { problem, requestId, count } = held;
    if (count > 0) write(problem, requestId, count);
    held.count = 0;
    return count > 0;
  };
  const endPeriod = (kind: string, held: Repeated) => {
    if (writeHeld(held)) setTimeout(endPeriod, PERIOD_MS, kind, held).unref();
    else repeated.delete(kind);
  };
  return {
    note(problem: Problem, requestId: string) {
      if (problem.code !== "storage-unavailable") return write(problem, requestId);
      const { code, message, name } = errorFacts(problem.cause);
      const kind = String(code ?? message ?? name);
      const held = repeated.get(kind);
      if (held) return void Object.assign(held, { problem, requestId, count: held.count + 1 });
      const first = { problem, requestId, count: 1 };
      repeated.set(kind, first);
      endPeriod(kind, first);
    },
    /** Logs what is held back. */
    close: () => repeated.forEach(writeHeld),
  };
}
