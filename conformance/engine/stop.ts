import { setMaxListeners } from "node:events";

/** Ends a run: at its deadline, or when the caller says so. */
export interface Stop {
  readonly signal: AbortSignal;
  readonly release: () => void;
}

export function createStop(deadlineMs: number, interrupt: AbortSignal | undefined): Stop {
  const controller = new AbortController();
  // Every request in flight listens to it; Node would take more than ten for a leak and say so.
  setMaxListeners(0, controller.signal);
  const onInterrupt = () => controller.abort(new Error("the run was interrupted"));
  const timer = setTimeout(
    () => controller.abort(new Error(`the deadline of ${deadlineMs / 1000} s has passed`)),
    deadlineMs,
  );
  interrupt?.addEventListener("abort", onInterrupt, { once: true });
  if (interrupt?.aborted) onInterrupt();
  return {
    signal: controller.signal,
    release: () => {
      clearTimeout(timer);
      interrupt?.removeEventListener("abort", onInterrupt);
    },
  };
}

/** Why a signal of `createStop` ended the run. */
export function stopReason(signal: AbortSignal): string {
  // `abort` without a reason gives a DOMException, which is an Error as well.
  return (signal.reason as Error).message;
}
