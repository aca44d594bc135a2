import type { Credentials } from "./credentials.ts";
import { Examples } from "./examples.ts";
import { decided, type Leeway } from "./leeway.ts";
import { Pace, REMOTE_INTERVAL_MS } from "./pace.ts";
import type { Session } from "./transport.ts";
import { Users } from "./users.ts";
import type { Target } from "./wire/target.ts";

/** Per request, unless `--timeout` says otherwise, in milliseconds: longer than D13 gives a handler. */
export const DEFAULT_TIMEOUT_MS = 12_000;
/** For the whole run, unless `--deadline` says otherwise, in seconds: a paced run of all checks needs more than half of it. */
export const DEFAULT_DEADLINE_S = 3600;

interface SessionOptions {
  readonly target: Target;
  readonly credentials: Credentials;
  readonly runId: string;
  readonly seed: number;
  readonly timeoutMs: number;
  /** Whether values of inputs may be made by creating them. */
  readonly mayWrite: boolean;
  /** Whether it may send what no client should. */
  readonly mayHarm: boolean;
  readonly onUser: (email: string) => void;
  readonly leeway?: Leeway;
}

/** What the checks of one run against one target share. */
export function createSession(options: SessionOptions, stop: AbortSignal): Session {
  const { target, credentials, runId, seed, timeoutMs, mayWrite, mayHarm, onUser, leeway = decided } = options;
  const pace = new Pace(target.loopback ? 0 : REMOTE_INTERVAL_MS, stop);
  return {
    target,
    credentials,
    runId,
    seed,
    timeoutMs,
    stop,
    pace,
    mayHarm,
    leeway,
    users: new Users(runId, onUser, leeway.email),
    examples: new Examples(mayWrite),
    places: new Map(),
    calls: 0,
  };
}
