/// <reference types="node" preserve="true" />
import { randomBytes, randomInt } from "node:crypto";
import type { Check } from "./checks/check.ts";
import type { Credentials } from "./client/credentials.ts";
import { secretsOf } from "./client/credentials.ts";
import { createSession, DEFAULT_TIMEOUT_MS } from "./client/session.ts";
import { parseTarget } from "./client/wire/target.ts";
import { judgeExchanges, judgeTarget, type Recorded, unsaid } from "./engine/judge.ts";
import { Results } from "./engine/results.ts";
import { type Selection, select } from "./engine/select.ts";
import { ours } from "./lists/ours.ts";
import type { CheckResult } from "./report/report.ts";

/** The suite as a library: a test for each check, in any test runner. */
export { type Check, check } from "./checks/check.ts";
export { expectProblem, expectStatus, expectSuccess, fail } from "./client/expect.ts";
export { checks } from "./suite.ts";

/** One deployment, and the permissions of the run. */
export interface Opening {
  /** Its base URL, without `/api/`. */
  readonly url: string;
  /** `full` is a key with every scope and its platform; `special` are those that some checks need, as in `credentials.json`. */
  readonly credentials: { readonly full: Credentials["full"]; readonly special?: Credentials["special"] };
  /** A remote deployment is only read, unless these allow more. */
  readonly allowWrite?: boolean;
  readonly allowHostile?: boolean;
  /** Includes checks that wait for a time-out. */
  readonly slow?: boolean;
  readonly seed?: number;
  /** Per request, in milliseconds. */
  readonly timeoutMs?: number;
}

/** The result of a check: `reason` is why it was not selected. */
export type Judged = Pick<CheckResult, "outcome" | "reason">;

/** Runs one check after another: they share users, pace and exchanges, as in a single run. */
export type Judge = (check: Check) => Promise<Judged>;

/** A requirement is not met, or could not be checked. `result` is the entry of the JSON report. */
export class NotKept extends Error {
  override readonly name = "NotKept";
  constructor(readonly result: CheckResult) {
    const { requirement, reason, failure } = result;
    const found = failure ? `expected ${failure.expected}\ngot ${failure.actual}\nagain ${failure.curl}` : `${reason}`;
    super(`${requirement.sentence}\n${found}`);
  }
}

/**
 * Opens a deployment. For each check the promise resolves if its requirement is met or it is not selected, and rejects with
 * `NotKept` otherwise. Checks over all exchanges cover the ones before them: run them last, in the order of `checks`.
 */
export function judge(opening: Opening): Judge {
  const target = parseTarget(opening.url);
  const { allowWrite = target.loopback, allowHostile = target.loopback, slow = false } = opening;
  const { seed = randomInt(2 ** 32 - 1), timeoutMs = DEFAULT_TIMEOUT_MS } = opening;
  const credentials: Credentials = { special: {}, ...opening.credentials };
  const selection: Selection = {
    ...({ origin: "all", level: "MAY", only: [], skip: [], pair: false, slow } as const),
    credentials: Object.keys(credentials.special),
    effects: ["read", ...(allowWrite ? ["write" as const] : []), ...(allowHostile ? ["hostile" as const] : [])],
  };
  const runId = randomBytes(8).toString("hex");
  const limits = { target, credentials, seed, timeoutMs };
  const stop = new AbortController().signal;
  const session = createSession(
    { ...limits, runId, mayWrite: allowWrite, mayHarm: allowHostile, onUser: () => {}, oracle: ours },
    stop,
  );
  const recorded: Recorded[] = [];
  return async (check) => {
    const reason = select([check], selection).left[0]?.reason;
    if (reason !== undefined) return { outcome: "not selected", reason };
    if (check.kind === "pair") throw new Error(`${check.id} compares two deployments`);
    const judgement =
      check.kind === "target"
        ? await judgeTarget(check, session)
        : await judgeExchanges(check, recorded, secretsOf(credentials), session.model);
    if (check.kind === "target")
      recorded.push(...judgement.exchanges.map((exchange) => ({ check: check.id, exchange })));
    const all = { checks: [check], exclusions: [], selection, concurrency: 1, deadlineMs: timeoutMs };
    const results = new Results({ ...limits, ...all }, new Date(), runId);
    const result = results.add(unsaid(judgement));
    if (result.outcome !== "passed") throw new NotKept(result);
    return { outcome: result.outcome, reason: null };
  };
}
