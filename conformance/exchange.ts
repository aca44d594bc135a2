import type { Operation } from "./oracle/contract.ts";
import type { Request } from "./oracle/model-state.ts";
import type { Prediction } from "./oracle/predict.ts";

/** How many digits the number in a mark of a run has at least: one that a request cuts is none. */
export const MARK_DIGITS = 4;

/** A response as received, decoded once. */
export interface Response {
  readonly status: number;
  readonly reason: string;
  readonly version: string;
  /** In the order received, names as sent. */
  readonly fields: Request["fields"];
  /**
   * The bytes as sent, with any content coding; of a long body the beginning, with the number of
   * bytes that were left out.
   */
  readonly body: Buffer;
  readonly omitted: number;
  /**
   * The JSON value of the body; undefined if it is no JSON text in UTF-8, or one with too many
   * levels.
   */
  readonly json: unknown;
}

/**
 * One request and its response: laws, comparers, reports and recorded traffic read this and nothing
 * else.
 */
export interface Exchange {
  readonly request: Request;
  readonly response: Response | null;
  /** Why there is no response: `connection reset`, `no response within 10 s`. */
  readonly error: string | null;
  readonly prediction: Prediction | null;
  /** Milliseconds since the epoch. */
  readonly sentAt: number;
  readonly endedAt: number;
  /** The number of its connection in this run. */
  readonly connection: number;
}

/**
 * An exchange of this process, with its beginning and its end in milliseconds of a monotonic clock:
 * of two exchanges the one is before the other if it has ended before the other begins.
 */
export interface Timed extends Exchange {
  readonly began: number;
  readonly ended: number;
}

/** Where a response is not the right one. */
export interface Difference {
  /** `status`, `header:location`, `body`, `body:/items/0/id`. */
  readonly aspect: string;
  readonly expected: string;
  readonly actual: string;
}

/** What the case is called that sent an exchange. */
interface CaseId {
  /** `user.list limit = 0 + HEAD`, as `--case` takes it. */
  readonly id: string;
  readonly operation: Operation;
}

/** A difference of an exchange, once. */
export interface Finding extends Difference {
  readonly requirement: string;
  /** Further requirements that are not kept. */
  readonly concerns?: readonly string[];
  readonly source: "prediction" | "law" | "state" | "golden" | "script" | "pair";
  readonly exchanges: readonly Exchange[];
  /** The index of the exchange that it is about. */
  readonly at: number;
  readonly case: CaseId | null;
  /** Why it is accepted, where it is a known failure. */
  readonly known?: string;
  /** The number of its entry, in recorded traffic. */
  readonly entry?: number;
  /** The script that found it. */
  readonly script?: string;
  /**
   * All that was written on its connection, one character per byte, where that is more or less than
   * the request.
   */
  readonly written?: string;
}

/** What laws remember of earlier exchanges of the same run. */
export type Memory = Map<string, string>;

export interface ExchangeLaw {
  /** The requirement. */
  readonly id: string;
  /** Whether the law is about this exchange. */
  readonly applies: (exchange: Exchange) => boolean;
  /**
   * The requirement is about these exchanges, and kept where their responses are as predicted:
   * `check` finds nothing.
   */
  readonly isTag?: true;
  /** Called only where it applies. */
  readonly check: (exchange: Exchange, memory: Memory) => Difference | null;
}

const LETTERS = "qxzjkvw";

const letterOf = (digit: string) => LETTERS[digit.charCodeAt(0) % LETTERS.length] ?? "";

/**
 * A word that no deployment knows as a key, a platform or a name; a response has neither the word
 * nor four of its letters by chance.
 */
export const canaryOf = (runId: string): string =>
  `zq${runId.slice(0, 10).replace(/./g, letterOf)}`;

/** The canary of any run. */
export const CANARY = /zq[qxzjkvw]{10}/;
