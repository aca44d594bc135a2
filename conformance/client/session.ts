import { Model } from "../models/model.ts";
import type { Oracle } from "../oracle/predict.ts";
import type { Credentials } from "./credentials.ts";
import { Examples } from "./examples.ts";
import { type Gateway, noGateway } from "./gateway.ts";
import { decided, type Leeway } from "./leeway.ts";
import { Pace, REMOTE_INTERVAL_MS } from "./pace.ts";
import type { Carrier, Session } from "./transport.ts";
import { Users } from "./users.ts";
import { sendHttp } from "./wire/http.ts";
import { converse } from "./wire/socket.ts";
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
  /** Whether records may be created to get input values. */
  readonly mayWrite: boolean;
  /** Whether it may send what no client should. */
  readonly mayHarm: boolean;
  readonly onUser: (email: string) => void;
  readonly brief?: boolean;
  readonly gateway?: Gateway;
  /** How many users it may create. */
  readonly mostUsers?: number | undefined;
  readonly leeway?: Leeway;
  /** The contract as a program; without it nothing is predicted. */
  readonly oracle?: Oracle | undefined;
  readonly carrier?: Carrier;
}

const network: Carrier = { http: sendHttp, raw: converse };

/** The state that the checks of one run against one target share. */
export function createSession(options: SessionOptions, stop: AbortSignal): Session {
  const { target, credentials, runId, seed, timeoutMs, mayWrite, mayHarm, onUser, oracle } = options;
  const { leeway = decided, brief = false, gateway = noGateway, carrier = network } = options;
  const pace = new Pace(target.loopback ? 0 : REMOTE_INTERVAL_MS, stop);
  return {
    target,
    carrier,
    credentials,
    runId,
    seed,
    timeoutMs,
    stop,
    pace,
    mayHarm,
    brief,
    gateway,
    leeway,
    users: new Users(runId, onUser, leeway.email, options.mostUsers),
    examples: new Examples(mayWrite),
    model: oracle ? new Model(oracle, credentials, target.prefix) : null,
    calls: 0,
  };
}
