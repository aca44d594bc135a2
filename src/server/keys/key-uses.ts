import type { Clock } from "../clock.ts";
import { type Keys, usedEveryMs } from "../storage/keys.ts";

/**
 * Collects which keys are used, and stores that once a minute for all of them together: no request
 * waits for it (D19). A failed write is reported to `onFault` and dropped: the next use notes the
 * key again.
 */
export function openKeyUses(
  keys: Pick<Keys, "used">,
  clock: Clock,
  onFault: (error: unknown) => void,
) {
  const noted = new Set<string>();
  let timer: NodeJS.Timeout | undefined;
  let written = Promise.resolve();
  function write(): void {
    clearTimeout(timer);
    timer = undefined;
    const ids = [...noted];
    noted.clear();
    if (ids.length > 0) written = written.then(() => keys.used(ids, clock.now())).catch(onFault);
  }
  return {
    note(id: string) {
      noted.add(id);
      timer ??= setTimeout(write, usedEveryMs).unref();
    },
    /** Writes what is not yet written. */
    close() {
      write();
      return written;
    },
  };
}
