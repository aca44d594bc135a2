import { ExpectedError } from "../expected-error.ts";
import { StorageUnavailable } from "./errors.ts";

interface Waiting<Item, Result> {
  readonly item: Item;
  /** As `performance.now()` counts: its caller got a response by then, so it must not begin. */
  readonly deadline: number;
  readonly resolve: (result: Promise<Result>) => void;
}

/**
 * Group commit: items that arrive while `work` runs are passed to its next call, at most so many in
 * one.
 */
export function batchWrites<Item, Result>(work: (items: Item[]) => Promise<Result>, most: number) {
  const waiting: Waiting<Item, Result>[] = [];
  let turn = Promise.resolve();
  const run = async (): Promise<void> => {
    const now = performance.now();
    const taken = waiting.splice(0, most);
    for (const { deadline, resolve } of taken)
      if (deadline <= now)
        resolve(
          Promise.reject(
            new StorageUnavailable(new ExpectedError("no turn to write before the deadline")),
          ),
        );
    const group = taken.filter(({ deadline }) => deadline > now);
    if (group.length === 0) return;
    const result = work(group.map(({ item }) => item));
    for (const { resolve } of group) resolve(result);
    await result.catch(() => {});
  };
  return (item: Item, deadline = Number.POSITIVE_INFINITY): Promise<Result> =>
    new Promise((resolve) => {
      waiting.push({ item, deadline, resolve });
      turn = turn.then(run);
    });
}
