import type { Check, Exclusion } from "../checks/check.ts";
import type { Credentials } from "../client/credentials.ts";
import type { Gateway } from "../client/gateway.ts";
import type { Leeway } from "../client/leeway.ts";
import type { Session } from "../client/transport.ts";
import type { Target } from "../client/wire/target.ts";
import type { Oracle } from "../oracle/predict.ts";
import type { CheckResult } from "../report/report.ts";
import type { KnownFailure } from "./baseline.ts";
import type { Exception } from "./exceptions.ts";
import type { Judgement } from "./judge.ts";
import type { Selection } from "./select.ts";

/** A deployment and what is needed to enter it. */
export interface Deployment {
  readonly target: Target;
  readonly credentials: Credentials;
}

/** Sends requests that no check has; hands on what became of each requirement. Resolves with how many it has sent. */
export interface Explorer {
  readonly mostUsers: number;
  readonly explore: (
    laws: readonly Check[],
    session: Session,
    seed: number,
    add: (judgement: Judgement) => void,
  ) => Promise<number>;
}

export interface RunOptions extends Deployment {
  readonly checks: readonly Check[];
  readonly exclusions: readonly Exclusion[];
  readonly selection: Selection;
  /** What a gateway in front of the deployments wants. */
  readonly gateway?: Gateway;
  /** The contract as a program. */
  readonly oracle?: Oracle | undefined;
  /** Where the target differs from our contract in what is not given. */
  readonly leeway?: Leeway;
  /** The deployment that pair checks hold this one against. */
  readonly other?: Deployment;
  /** Differences from `other` that are meant. */
  readonly exceptions?: readonly Exception[];
  readonly knownFailures?: readonly KnownFailure[];
  /** What sends the requests of the run instead of its checks, and how many users it may create. */
  readonly explorer?: Explorer;
  readonly seed: number;
  readonly concurrency: number;
  readonly timeoutMs: number;
  readonly deadlineMs: number;
  /** Checks that are not selected make the run incomplete. */
  readonly complete?: boolean;
  /** Ends the run after so many failures. */
  readonly maxFailures?: number | undefined;
  /** A SHOULD counts like a MUST. */
  readonly strict?: boolean;
  /** false: judge whatever the target does, without asking first whether it makes sense. For tests of the checks themselves. */
  readonly preflight?: boolean;
  /** Ends the run early; the report is made all the same. */
  readonly signal?: AbortSignal;
  /** The command line, for the report. */
  readonly command?: string;
  /** The command line that runs these checks alone. */
  readonly rerun?: (checks: readonly string[]) => string;
  readonly onResult?: (result: CheckResult) => void;
  /** Told of what is odd about the target, and no fault, before anything is judged. */
  readonly onRemark?: (remark: string) => void;
  /** Told of each address before a user may be created with it. */
  readonly onUser?: (email: string) => void;
}
