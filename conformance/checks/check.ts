import type { Api } from "../client/api.ts";
import { aimsOf, commands } from "../client/operation.ts";
import type { Secret } from "../client/redact/redact.ts";
import type { Reply } from "../client/reply.ts";
import type { Exchange } from "../client/wire/exchange.ts";
import type { Model } from "../models/model.ts";
import type { Operation, Requirement } from "../oracle/contract.ts";

/** The effect on the target: `read` changes nothing, `write` creates users, `hostile` sends malformed or oversized traffic. */
export type Effect = "read" | "write" | "hostile";

interface Traits {
  /** The requirement's id, then `#` and a variant if the requirement has several checks: `user.list/limit-range#too-large`. */
  readonly id: string;
  readonly requirement: Requirement["id"];
  /** The requirement itself if the user defines it; null if it is in the spec. */
  readonly own: Requirement | null;
  readonly effect: Effect;
  readonly needs: readonly string[];
  /** Waits for a time-out of the target: runs only with `--slow`. */
  readonly slow: boolean;
  /** No other check runs at the same time. Hostile checks always run alone. */
  readonly alone: boolean;
  /** The operation that it checks, if its requirement applies to all operations; otherwise null. */
  readonly of: Pick<Operation, "id"> | null;
  /** Runs alone, after all other checks: it uses the records that they created. */
  readonly last: boolean;
  /** Compares with decided behaviour, even if its requirement is given: not run with `--origin given`. */
  readonly decided: boolean;
  /** Needs few requests: part of `--smoke`. */
  readonly brief: boolean;
  /** Receives 429 responses itself. For other checks the client waits and retries after a 429, as after a 503 `overloaded`. */
  readonly rateLimited: boolean;
}

/** Sends requests to one target and checks the responses. Resolves if they meet the requirement, else throws an `Expectation`. */
export interface TargetCheck extends Traits {
  readonly kind: "target";
  readonly run: (api: Api) => Promise<void>;
}

/** Sends nothing: checks every exchange of all other checks of the run, after they have finished. */
export interface ExchangesCheck extends Traits {
  readonly kind: "exchanges";
  readonly judge: Law;
}

/** The prediction for an exchange, and what a law remembers of earlier exchanges. */
export interface Context {
  readonly predicted: ReturnType<Model["predicted"]>;
  readonly memory: Map<string, string>;
}

/** A rule that every response must meet: throws an `Expectation` for a response that does not. */
export type Law = (exchange: Exchange, secrets: readonly Secret[], context: Context) => void;

/** One request, sent to two deployments; the engine compares the responses (`parity.ts`). */
export interface PairCheck extends Traits {
  readonly kind: "pair";
  readonly probe: (api: Api) => Promise<Reply>;
  /** JSON pointers of values that belong to one deployment (its users, its address): only their shape is compared. */
  readonly data: readonly string[];
}

export type Check = TargetCheck | ExchangesCheck | PairCheck;

interface CheckOptions {
  readonly of?: Pick<Operation, "id">;
  readonly effect?: Effect;
  readonly needs?: readonly string[];
  readonly slow?: boolean;
  readonly alone?: boolean;
  readonly last?: boolean;
  readonly decided?: boolean;
  readonly brief?: boolean;
  readonly rateLimited?: boolean;
}

/** Some commands change existing records. Their state is compared before and after, so no two checks may write in parallel. */
const CHANGES = commands.some((command) => aimsOf(command).length > 0);

function traits(of: string | Requirement, options: CheckOptions): Traits {
  const { effect = "read", needs = [], slow = false, last = false, rateLimited = false } = options;
  const { decided = false, brief = false } = options;
  const [id, own] = typeof of === "string" ? [of, null] : [of.id, of];
  const [requirement = id] = id.split("#", 1);
  const alone = options.alone || last || effect === "hostile" || (effect === "write" && CHANGES);
  return {
    id,
    requirement,
    own,
    effect,
    needs,
    slow,
    alone,
    of: options.of ?? null,
    last,
    decided,
    brief,
    rateLimited,
  };
}

/** A check as data. Level, origin and sentence come from the spec, by the requirement's id, or from the user's requirement. */
export function check(id: string | Requirement, options: CheckOptions, run: TargetCheck["run"]): TargetCheck {
  return { kind: "target", ...traits(id, options), run };
}

/** A check of all exchanges of the run: `judge` throws an `Expectation` for an exchange that breaks the requirement. */
export function checkAll(id: string, judge: Law): ExchangesCheck {
  return { kind: "exchanges", ...traits(id, { brief: true }), judge };
}

/** A request whose responses must not differ between two deployments. */
export function checkPair(id: string, probe: PairCheck["probe"], data: PairCheck["data"] = []): PairCheck {
  return { kind: "pair", ...traits(id, {}), probe, data };
}

/** A requirement that no external request can test, with the reason; or one that another requirement's check must cover first. */
export interface Exclusion {
  readonly requirement: Requirement["id"];
  readonly reason: string;
}
