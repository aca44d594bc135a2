/**
 * Milliseconds after which other events of the event loop have their turn: accepting, reading,
 * timers. With one whole millisecond, others wait twice as long for 20 clients that send ahead.
 */
const TURN_MS = 0.3;

/** Runs tasks for a short time in each turn of the event loop, and one of each key in turn. */
export class TimeSlicedQueue {
  readonly #tasksByKey = new Map<string, (() => void)[]>();
  #turnEnd = 0;
  #isRunning = false;

  add(key: string, task: () => void): void {
    const tasks = this.#tasksByKey.get(key);
    if (tasks) return void tasks.push(task);
    this.#tasksByKey.set(key, [task]);
    if (!this.#isRunning) this.#schedule();
  }

  #schedule(): void {
    this.#isRunning = true;
    setImmediate(() => {
      this.#turnEnd = performance.now() + TURN_MS;
      this.#run();
    });
  }

  readonly #run = (): void => {
    for (const [key, tasks] of this.#tasksByKey) {
      this.#tasksByKey.delete(key);
      const task = tasks.shift();
      // The key goes behind all other keys.
      if (tasks.length > 0) this.#tasksByKey.set(key, tasks);
      task?.();
      break;
    }
    this.#isRunning = this.#tasksByKey.size > 0;
    if (!this.#isRunning) return;
    // In a microtask, since what the task does in microtasks counts too.
    if (performance.now() < this.#turnEnd) queueMicrotask(this.#run);
    else this.#schedule();
  };
}
