import { LRUCache } from "lru-cache";

/** The calls of one caller in the current window, and how long it lasts. */
export interface Calls {
  readonly calls: number;
  readonly resetMs: number;
}

/** Fixed windows, each from the first call of a caller, by a clock that is never set. */
export function countAlone(windowMs: number, entries: number): (who: string) => Calls {
  // Bounded, since one caller may have any number of addresses. A caller that keeps calling is never the one that is dropped.
  const windows = new LRUCache<string, { calls: number; readonly startedAt: number }>({ max: entries });
  return (who) => {
    const now = performance.now();
    let window = windows.get(who);
    if (!window || now - window.startedAt >= windowMs) {
      window = { calls: 0, startedAt: now };
      windows.set(who, window);
    }
    window.calls += 1;
    return { calls: window.calls, resetMs: windowMs - (now - window.startedAt) };
  };
}
