import { expect, it } from "vitest";
import { TimeSlicedQueue } from "./time-sliced-queue.ts";

it("runs one task of each key in turn, and the tasks of a key in their order", async () => {
  const queue = new TimeSlicedQueue();
  const done: string[] = [];
  await new Promise<void>((resolve) => {
    for (const task of ["a1", "a2", "a3", "b1", "c1", "b2"])
      queue.add(task.slice(0, 1), () => {
        done.push(task);
        if (done.length === 6) resolve();
      });
  });
  expect(done.join(" ")).toBe("a1 b1 c1 a2 b2 a3");
});

it("lets the event loop go on between tasks that take long", async () => {
  const queue = new TimeSlicedQueue();
  let isOver = false;
  const over = new Promise<void>((resolve) => {
    const work = () => {
      const end = performance.now() + 2;
      while (performance.now() < end);
      if (isOver) resolve();
      else queue.add("a", work);
    };
    queue.add("a", work);
  });
  setTimeout(() => {
    isOver = true;
  });
  await over;
});
