import type { TargetCheck } from "../checks/check.ts";

/** Checks at the same time, unless `--concurrency` says otherwise. */
export const DEFAULT_CONCURRENCY = 8;

/** Does the work for every item, `width` at a time, in their order. */
export async function pool<T>(items: readonly T[], width: number, work: (item: T) => Promise<void>): Promise<void> {
  const queue = items.values();
  const worker = async () => {
    for (const item of queue) await work(item);
  };
  await Promise.all(Array.from({ length: Math.min(width, items.length) }, worker));
}

/** Calm checks side by side, then those that need the target for themselves (the last ones last), then those that wait for a time-out. */
export async function schedule(
  checks: readonly TargetCheck[],
  concurrency: number,
  work: (check: TargetCheck) => Promise<void>,
): Promise<void> {
  await pool(
    checks.filter(({ alone, slow }) => !alone && !slow),
    concurrency,
    work,
  );
  const [early, late] = [false, true].map((wanted) =>
    checks.filter(({ alone, slow, last }) => alone && !slow && last === wanted),
  );
  await pool([...(early ?? []), ...(late ?? [])], 1, work);
  // Each of them waits on a connection of its own: in turn they would take minutes.
  await pool(
    checks.filter(({ slow }) => slow),
    concurrency,
    work,
  );
}
