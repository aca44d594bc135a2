import { SafeError } from "../safe-error.ts";
import { unavailable } from "./errors.ts";

interface Waiting<Item, Result> {
  readonly item: Item;
  /** Of `performance.now()`: its caller got a response by then, and it must not begin any more. */
  readonly deadline: number;
  readonly resolve: (result: Result) => void;
  readonly reject: (error: unknown) => void;
}

/** Group commit: items that arrive while `work` runs are passed to its next call, at most so many in one. A single item waits for nothing. */
export function batchWrites<Item, Result>(
  work: (items: Item[]) => Promise<Result>,
  most: number,
): (item: Item, deadline?: number) => Promise<Result> {
  const waiting: Waiting<Item, Result>[] = [];
  let isWorking = false;
  const run = async (): Promise<void> => {
    isWorking = true;
    while (waiting.length > 0) {
      const taken = waiting.splice(0, most);
      const group = taken.filter(({ deadline }) => deadline > performance.now());
      for (const one of taken)
        if (!group.includes(one)) one.reject(unavailable(new SafeError("no turn to write before the deadline")));
      if (group.length === 0) continue;
      try {
        const result = await work(group.map(({ item }) => item));
        for (const { resolve } of group) resolve(result);
      } catch (error) {
        for (const { reject } of group) reject(error);
      }
    }
    isWorking = false;
  };
  return (item, deadline = Number.POSITIVE_INFINITY) =>
    new Promise((resolve, reject) => {
      waiting.push({ item, deadline, resolve, reject });
      if (!isWorking) void run();
    });
}
