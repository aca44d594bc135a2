import type { Api } from "../client/api.ts";
import { aimsOf, commands } from "../client/operation.ts";
import type { Secret } from "../client/redact/redact.ts";
import type { Reply } from "../client/reply.ts";
import type { Exchange } from "../client/wire/exchange.ts";
import type { Model } from "../models/model.ts";
import type { Operation, Requirement } from "../oracle/contract.ts";

/** What a check does to its target: `read` changes nothing, `write` creates users, `hostile` sends malformed or oversized traffic. */
export type Effect = "read" | "write" | "hostile";

interface Traits {
  /** The requirement's id, and after a `#` the variant where one requirement has several checks: `user.list/limit-range#too-large`. */
  readonly id: string;
  readonly requirement: Requirement["id"];
  /** The requirement itself, where it is the user's own and not the spec's. */
  readonly own: Requirement | null;
  readonly effect: Effect;
  readonly needs: readonly string[];
  /** Waits for a time-out of the target: runs only when asked for with `--slow`. */
  readonly slow: boolean;
  /** No other check runs at the same time. Hostile checks always have the target for themselves. */
  readonly alone: boolean;
  /** The operation that it judges, where its requirement speaks of all; null for any other check. */
  readonly of: Pick<Operation, "id"> | null;
  /** Runs after all others, alone: it makes use of what they created. */
  readonly last: boolean;
  /** Compares with what was decided, whatever its requirement is: nothing for `--origin given`. */
  readonly decided: boolean;
  /** Shows with few requests whether its requirement is kept: part of `--smoke`. */
  readonly brief: boolean;
  /** Wants to see a 429 itself. Anywhere else it is obeyed (wait, send again) and never judged, as is a 503 `overloaded`. */
  readonly rateLimited: boolean;
}

/** Sends requests to one target and judges the answers. Resolves when the requirement is kept, throws an `Expectation` when it is not. */
export interface TargetCheck extends Traits {
  readonly kind: "target";
  readonly run: (api: Api) => Promise<void>;
}

/** Sends nothing: judges every exchange of all other checks of the run, after them. */
export interface ExchangesCheck extends Traits {
  readonly kind: "exchanges";
  readonly judge: Law;
}

/** What was right for an exchange, and what a law remembers of those before it. */
export interface Context {
  readonly predicted: ReturnType<Model["predicted"]>;
  readonly memory: Map<string, string>;
}

/** Something that holds of every response: throws an `Expectation` for one that breaks it. */
export type Law = (exchange: Exchange, secrets: readonly Secret[], context: Context) => void;

/** One probe, sent to two deployments; the engine compares the answers (`parity.ts`). */
export interface PairCheck extends Traits {
  readonly kind: "pair";
  readonly probe: (api: Api) => Promise<Reply>;
  /** JSON pointers of what belongs to one deployment (its users, its address): only its shape is compared. */
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

/** Records that commands change have a state before and after: whoever writes must not do so side by side. */
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

/** A check as data. Level, origin and sentence come from the spec, by the requirement's id, or are the user's own. */
export function check(id: string | Requirement, options: CheckOptions, run: TargetCheck["run"]): TargetCheck {
  return { kind: "target", ...traits(id, options), run };
}

/** A check over all exchanges of the run: `judge` throws an `Expectation` at one that breaks the requirement. */
export function checkAll(id: string, judge: Law): ExchangesCheck {
  return { kind: "exchanges", ...traits(id, { brief: true }), judge };
}

/** A request whose answers must not differ between two deployments. */
export function checkPair(id: string, probe: PairCheck["probe"], data: PairCheck["data"] = []): PairCheck {
  return { kind: "pair", ...traits(id, {}), probe, data };
}

/** A requirement that no request from outside can try, with the reason; or one that waits for another's check. */
export interface Exclusion {
  readonly requirement: Requirement["id"];
  readonly reason: string;
}
