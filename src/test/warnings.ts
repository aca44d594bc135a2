import { onTestFinished } from "vitest";

/** Until the test ends, warnings of the process are not printed: it expects some. */
export function withoutWarnings(): void {
  const listeners = process.listeners("warning");
  process.removeAllListeners("warning");
  onTestFinished(() => {
    for (const listener of listeners) process.on("warning", listener);
  });
}
