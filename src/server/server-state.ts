import type { OverloadGuard } from "./overload-guard.ts";
import type { Sender } from "./response/send.ts";
import type { Config } from "./settings/config.ts";

/** How the server treats what is not yet a request, D13. */
export interface ServerOptions {
  readonly sender: Sender;
  readonly guard: OverloadGuard;
  readonly limits: Pick<
    Config["limits"],
    "maxUrlBytes" | "maxBodyBytes" | "parserHeaderBytes" | "maxConnections"
  >;
  readonly timeouts: Omit<
    Config["timeouts"],
    "handlerTimeoutMs" | "shutdownDelayMs" | "shutdownTimeoutMs"
  >;
}

/** What the connections of a server have in common. */
export interface ServerState extends ServerOptions {
  readonly turns: TurnQueue;
  /** Whether the response to the last request that has arrived on a connection is to announce that it closes. */
  isClosing: boolean;
}

/** So long requests are begun in one turn of the event loop, which accepts one connection in each. */
const TURN_MS = 1;

/** Tasks in the order in which they came, a few in each turn of the event loop: between them others are accepted and read. */
export class TurnQueue {
  readonly #tasks: (() => void)[] = [];
  #turnEnd = 0;

  add(task: () => void): void {
    if (this.#tasks.push(task) === 1) this.#schedule();
  }

  #schedule(): void {
    setImmediate(() => {
      this.#turnEnd = performance.now() + TURN_MS;
      this.#run();
    });
  }

  /** One task remains in the list while it runs, so that no second turn is scheduled. */
  readonly #run = (): void => {
    this.#tasks[0]?.();
    this.#tasks.shift();
    if (this.#tasks.length === 0) return;
    // As a microtask, since what a task goes on with in one counts as well.
    if (performance.now() < this.#turnEnd) queueMicrotask(this.#run);
    else this.#schedule();
  };
}
