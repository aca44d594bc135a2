import { randomBytes } from "node:crypto";
import { Api } from "../client/api.ts";
import { findExamples } from "../client/examples.ts";
import { Stopped } from "../client/expectation.ts";
import { createSession } from "../client/session.ts";
import type { Session } from "../client/transport.ts";
import type { Report } from "../report/report.ts";
import { judgeAll } from "./judge-all.ts";
import { type Preflight, preflight } from "./preflight.ts";
import { Results } from "./results.ts";
import type { RunOptions } from "./run-options.ts";
import { type Selection, select } from "./select.ts";
import { createStop } from "./stop.ts";

const NO_PREFLIGHT: Preflight = { version: null, verdict: null, fault: null, exchanges: [], requirements: [] };

/** Fills in the examples of the session; a run that ends meanwhile goes on without, as the checks find out at once. */
async function learn(session: Session, { origin, effects }: Selection): Promise<void> {
  const api = new Api(session, { origin: origin === "given" ? "given" : "decided", rateLimited: false });
  await findExamples(api, effects.includes("write"), session.examples).catch((error: unknown) => {
    if (!(error instanceof Stopped)) throw error;
  });
}

/** Judges one target. Never throws for what the target does: the report says it all, its exit code included. */
export async function run(options: RunOptions): Promise<Report> {
  const startedAt = new Date();
  const stop = createStop(options.deadlineMs, options.signal);
  const { selected, left } = select(options.checks, options.selection);
  const runId = randomBytes(8).toString("hex");
  const session = createSession({ ...options, runId, onUser: options.onUser ?? (() => {}) }, stop.signal);
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
    if (asked.verdict === null) await learn(session, options.selection);
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
