import { randomBytes } from "node:crypto";
import { setMaxListeners } from "node:events";
import { Stopped } from "../client/expectation.ts";
import { createSession } from "../client/session.ts";
import type { Report } from "../report/report.ts";
import { judgeAll } from "./judge-all.ts";
import { type Preflight, preflight } from "./preflight.ts";
import { Results } from "./results.ts";
import type { RunOptions } from "./run-options.ts";
import { select } from "./select.ts";

const NO_PREFLIGHT: Preflight = { version: null, verdict: null, fault: null, exchanges: [], requirements: [] };

/** Ends a run: at its deadline, or when the caller says so. */
interface Stop {
  readonly signal: AbortSignal;
  readonly release: () => void;
}

function createStop(deadlineMs: number, interrupt: AbortSignal | undefined): Stop {
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

/** Judges one target. Never throws for what the target does: the report says it all, its exit code included. */
export async function run(options: RunOptions): Promise<Report> {
  const startedAt = new Date();
  const stop = createStop(options.deadlineMs, options.signal);
  const { selected, left } = select(options.checks, options.selection);
  const runId = randomBytes(8).toString("hex");
  const mayWrite = options.selection.effects.includes("write");
  const session = createSession({ ...options, runId, mayWrite, onUser: options.onUser ?? (() => {}) }, stop.signal);
  const results = new Results(options, startedAt);
  try {
    const asked =
      options.preflight === false
        ? NO_PREFLIGHT
        : // A run that ends here leaves every check incomplete, as the checks find out at once.
          await preflight(session, options.selection.origin).catch((error: unknown) => {
            if (error instanceof Stopped) return NO_PREFLIGHT;
            throw error;
          });
    // After a failed preflight the rest would only fail again and again; what it stands for is said in full.
    const judged = selected.filter(
      ({ requirement }) => asked.verdict === null || asked.requirements.includes(requirement),
    );
    const requests = await judgeAll(judged, session, options, asked.exchanges, (judgement) => results.add(judgement));
    for (const check of selected.filter((one) => !judged.includes(one)))
      results.leave(check, `the ${asked.verdict === "unreachable" ? "target is unreachable" : "preflight failed"}`);
    for (const { check, reason } of left) results.leave(check, reason);
    return results.report({ runId, preflight: asked, requests, created: session.users.list() });
  } finally {
    stop.release();
  }
}
