import { randomBytes } from "node:crypto";
import { setMaxListeners } from "node:events";
import { counted } from "../client/counted.ts";
import { Stopped } from "../client/expectation.ts";
import { createSession } from "../client/session.ts";
import type { CheckResult, Report } from "../report/report.ts";
import type { Judgement } from "./judge.ts";
import { judgeAll } from "./judge-all.ts";
import { type Preflight, preflight } from "./preflight.ts";
import { Results } from "./results.ts";
import type { RunOptions } from "./run-options.ts";
import { select } from "./select.ts";

const NO_PREFLIGHT: Preflight = { version: null, verdict: null, fault: null, remarks: [], exchanges: [] };

/** Ends a run: at its deadline, after too many failures, or when the caller aborts it. */
interface Stop {
  readonly signal: AbortSignal;
  readonly end: (reason: string) => void;
  readonly release: () => void;
}

function createStop(deadlineMs: number, interrupt: AbortSignal | undefined): Stop {
  const controller = new AbortController();
  // Every request in flight listens to it; Node would report more than ten as a leak.
  setMaxListeners(0, controller.signal);
  const end = (reason: string) => controller.abort(new Error(reason));
  const onInterrupt = () => end("the run was interrupted");
  const timer = setTimeout(() => end(`the deadline of ${deadlineMs / 1000} s has passed`), deadlineMs);
  interrupt?.addEventListener("abort", onInterrupt, { once: true });
  if (interrupt?.aborted) onInterrupt();
  return {
    signal: controller.signal,
    end,
    release: () => {
      clearTimeout(timer);
      interrupt?.removeEventListener("abort", onInterrupt);
    },
  };
}

/** Checks one target. Never throws because of the target: the report has everything, its exit code included. */
export async function run(options: RunOptions): Promise<Report> {
  const startedAt = new Date();
  const stop = createStop(options.deadlineMs, options.signal);
  const { explorer } = options;
  const { selected, left } = select(options.checks, options.selection);
  const runId = randomBytes(8).toString("hex");
  const mayWrite = options.selection.effects.includes("write");
  const mayHarm = options.selection.effects.includes("hostile");
  const { onUser = () => {} } = options;
  const brief = options.selection.smoke ?? false;
  const session = createSession(
    { ...options, runId, mayWrite, mayHarm, brief, onUser, mostUsers: explorer?.mostUsers },
    stop.signal,
  );
  let failures = 0;
  const onResult = (result: CheckResult) => {
    if (result.outcome === "failed") failures += 1;
    if (failures === options.maxFailures)
      stop.end(`the run ended after ${counted(failures, "failure")} (--max-failures)`);
    options.onResult?.(result);
  };
  const results = new Results({ ...options, onResult }, startedAt, runId);
  try {
    const asked =
      options.preflight === false
        ? NO_PREFLIGHT
        : // A run that ends here leaves every check incomplete; each of them stops at once.
          await preflight(session, options.selection.origin).catch((error: unknown) => {
            if (error instanceof Stopped) return NO_PREFLIGHT;
            throw error;
          });
    for (const remark of asked.remarks) options.onRemark?.(remark);
    // After a failed preflight the rest would fail too, possibly on an unrelated site.
    const failed =
      asked.verdict === "unreachable" ? "the target is unreachable" : asked.verdict && "the preflight failed";
    const judged = failed === null ? selected : [];
    const add = (judgement: Judgement) => results.keepOpen(judgement);
    const explored = explorer && failed === null ? await explorer.explore(judged, session, options.seed, add) : null;
    const requests = explored ?? (await judgeAll(judged, session, options, asked.exchanges, add));
    if (failed !== null) for (const check of selected) results.leave(check, failed);
    for (const { check, reason } of left) results.leave(check, reason);
    return results.report({ preflight: asked, requests, explored, created: session.users.list() });
  } finally {
    stop.release();
  }
}
