import type { Check, Exclusion } from "../checks/check.ts";
import type { Credentials } from "../client/credentials.ts";
import { decided, type Leeway, refusalRule } from "../client/leeway.ts";
import { parseTarget, type Target } from "../client/wire/target.ts";
import { type Selected, type Selection, select, unmatched } from "../engine/select.ts";
import type { Oracle } from "../oracle/predict.ts";
import { readCredentials } from "./credentials-file.ts";
import type { CliOptions } from "./options.ts";
import { meant, reading, UsageError } from "./usage.ts";

/** Everything that can be evaluated: all checks, and the requirements that no check covers. */
export interface Suite {
  readonly checks: readonly Check[];
  readonly exclusions: readonly Exclusion[];
  /** The contract as a program. */
  readonly oracle?: Oracle | undefined;
}

/** One target of a run: its credentials and what to check there. */
export interface Plan {
  readonly target: Target;
  readonly credentials: Credentials | null;
  readonly selection: Selection;
  readonly split: Selected;
}

function selectionFor(target: Target, options: CliOptions, credentials: Credentials | null, pair: boolean): Selection {
  const { origin, level, only, skip, slow = false, smoke = false } = options;
  const special = Object.keys(credentials?.special ?? {});
  // A loopback address may be a tunnel to a remote deployment, or a proxy that rejects hostile requests with its own responses.
  const own = target.loopback && !options.readOnly && !options.allowWrite && !options.allowHostile;
  return {
    ...{ origin, level, only, skip, slow, smoke, pair, credentials: special },
    effects: [
      "read",
      ...(own || options.allowWrite ? ["write" as const] : []),
      ...(own || options.allowHostile ? ["hostile" as const] : []),
    ],
  };
}

/** How the targets may differ from our contract, where only the given document applies to them. */
export function leewayOf({ origin, landing, email, refused }: CliOptions): Leeway {
  if (origin !== "given" && (landing ?? email ?? refused) !== undefined)
    throw new UsageError("--landing, --email, --refused: only with --origin given; our contract has decided");
  return {
    landing: landing ?? decided.landing,
    email: email ?? decided.email,
    open: origin === "given",
    saysNo: refused === undefined ? decided.saysNo : refusalRule(refused),
  };
}

function checkUse(options: CliOptions, checks: readonly Check[]): void {
  if (options.url.length === 0) throw new UsageError("--url is missing");
  if (options.url.length > 2) throw new UsageError("--url: one deployment, or two to compare");
  for (const [flag, files] of [
    ["--credentials", options.credentials],
    ["--known-failures", options.knownFailures],
  ] as const) {
    if (files.length > options.url.length) throw new UsageError(`${flag}: one file for each --url`);
  }
  if (options.repeat !== undefined && (options.url.length > 1 || options.watch !== undefined))
    throw new UsageError("--repeat: one --url, and not with --watch");
  if (options.exceptions !== undefined && options.url.length < 2)
    throw new UsageError("--exceptions: there is no second --url to differ");
  const nothing = unmatched(checks, [...options.only, ...options.skip]);
  if (nothing.length > 0)
    throw new UsageError(`no check matches ${nothing.map((pattern) => meant(pattern, checks)).join(", ")}; see --list`);
}

/** One plan for each `--url`; throws a UsageError if there is nothing to run. */
export function makePlans(options: CliOptions, { checks }: Suite, env: NodeJS.ProcessEnv): Plan[] {
  checkUse(options, checks);
  const plans = reading(() => options.url.map(parseTarget)).map((target, index): Plan => {
    const credentials = reading(() => readCredentials(options.credentials[index], env));
    const selection = selectionFor(target, options, credentials, index > 0);
    return { target, credentials, selection, split: select(checks, selection) };
  });
  if (plans.every(({ split }) => split.selected.length === 0)) {
    const reasons = new Set(plans.flatMap(({ split }) => split.left.map(({ reason }) => reason)));
    throw new UsageError(`no check is left to run: ${[...reasons].join("; ")}`);
  }
  return plans;
}
