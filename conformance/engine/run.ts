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

const NO_PREFLIGHT: Preflight = { version: null, verdict: null, fault: null, remarks: [], exchanges: [] };

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
  const { earlier } = options;
  const kept = (earlier?.results ?? []).filter(({ outcome }) => ["passed", "failed", "known"].includes(outcome));
  const ids = new Set(kept.map(({ check }) => check));
  const { selected, left } = select(
    options.checks.filter(({ id }) => !ids.has(id)),
    options.selection,
  );
  const runId = randomBytes(8).toString("hex");
  const mayWrite = options.selection.effects.includes("write");
  const mayHarm = options.selection.effects.includes("hostile");
  const { onUser = () => {} } = options;
  const session = createSession({ ...options, runId, mayWrite, mayHarm, onUser }, stop.signal);
  const results = new Results(options, startedAt, runId);
  try {
    const asked =
      options.preflight === false
        ? NO_PREFLIGHT
        : // A run that ends here leaves every check incomplete, as the checks find out at once.
          await preflight(session, options.selection.origin).catch((error: unknown) => {
            if (error instanceof Stopped) return NO_PREFLIGHT;
            throw error;
          });
    for (const remark of asked.remarks) options.onRemark?.(remark);
    // After a failed preflight the rest would only fail again and again, on a site that may be somebody else's.
    const failed =
      asked.verdict === "unreachable" ? "the target is unreachable" : asked.verdict && "the preflight failed";
    const judged = failed === null ? selected : [];
    const requests = await judgeAll(judged, session, options, asked.exchanges, (judgement) =>
      results.keepOpen(judgement),
    );
    if (failed !== null) for (const check of selected) results.leave(check, failed);
    for (const { check, reason } of left) results.leave(check, reason);
    for (const result of kept) results.keep(result);
    return results.report({
      preflight: asked,
      requests: requests + (earlier?.run.requests ?? 0),
      created: [...(earlier?.created ?? []), ...session.users.list()],
    });
  } finally {
    stop.release();
  }
}
