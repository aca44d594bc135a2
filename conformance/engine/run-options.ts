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

/** A deployment and its credentials. */
export interface Deployment {
  readonly target: Target;
  readonly credentials: Credentials;
}

/** Sends requests that no check has; passes on the result of each requirement. Resolves with the number of requests. */
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
  /** What a gateway in front of the deployments requires. */
  readonly gateway?: Gateway;
  /** The contract as a program. */
  readonly oracle?: Oracle | undefined;
  /** How the target differs from our contract in parts that are not given. */
  readonly leeway?: Leeway;
  /** The deployment that pair checks compare this one with. */
  readonly other?: Deployment;
  /** Intended differences from `other`. */
  readonly exceptions?: readonly Exception[];
  readonly knownFailures?: readonly KnownFailure[];
  /** Sends the requests of the run instead of its checks, and limits how many users it may create. */
  readonly explorer?: Explorer;
  readonly seed: number;
  readonly concurrency: number;
  readonly timeoutMs: number;
  readonly deadlineMs: number;
  /** Checks that are not selected make the run incomplete. */
  readonly complete?: boolean;
  /** Ends the run after this many failures. */
  readonly maxFailures?: number | undefined;
  /** A SHOULD counts like a MUST. */
  readonly strict?: boolean;
  /** false: run the checks on any target, without a preflight. For tests of the checks themselves. */
  readonly preflight?: boolean;
  /** Ends the run early; the report is still written. */
  readonly signal?: AbortSignal;
  /** The command line that the report shows. */
  readonly command?: string;
  /** The command line that runs only these checks. */
  readonly rerun?: (checks: readonly string[]) => string;
  readonly onResult?: (result: CheckResult) => void;
  /** Called with each oddity of the target that is not a fault, before any check. */
  readonly onRemark?: (remark: string) => void;
  /** Called with each address before a user may be created with it. */
  readonly onUser?: (email: string) => void;
}
