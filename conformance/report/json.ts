import type { Exchange, Finding, Response } from "../exchange.ts";
import type { Requirement } from "../oracle/contract.ts";
import type { Request } from "../oracle/model-state.ts";
import type { Outcome as Result } from "../run/results.ts";
import type { Report } from "../run/run.ts";
import { UNSEEN } from "./text.ts";

/** The identifier of the format; `report.schema.json` has it as its `$id`. */
export const reportForm = "urn:atpoint-conformance:report:4";

/** `known`: all that failed is accepted as a known failure. */
export type Outcome = Result["outcome"] | "known";
export type Counts = Readonly<Record<Outcome, number>>;

/** Bytes: `text` if they are UTF-8, otherwise `base64`; `omitted`: how many more there were. */
export type Content =
  | { readonly text: string; readonly omitted?: number }
  | { readonly base64: string; readonly omitted?: number };

/**
 * The target is below the path prefix of the deployment; the body of a response is without content
 * coding.
 */
export interface ReportedExchange extends Pick<Exchange, "error"> {
  readonly request: Required<Pick<Request, "method" | "target" | "version" | "fields">> & {
    readonly body: Content;
  };
  readonly response:
    | (Pick<Response, "status" | "reason" | "version" | "fields"> & { readonly body: Content })
    | null;
  /** RFC 3339. */
  readonly sentAt: string;
  readonly durationMs: number;
  /** The status that the contract predicts; null where nothing was predicted. */
  readonly predicted: number | null;
}

export interface ReportedFinding
  extends Pick<Finding, "requirement" | "source" | "aspect" | "expected" | "actual" | "at"> {
  /** Further requirements that the same difference breaks. */
  readonly concerns: readonly string[];
  /** The ids of the case and of the script that found it. */
  readonly case: string | null;
  readonly script: string | null;
  /** The operation that the request calls; null if it calls none. */
  readonly operation: string | null;
  /**
   * Of the first finding of a requirement all that led to it, of others the last of them; `again`
   * sends all.
   */
  readonly exchanges: readonly ReportedExchange[];
  /**
   * All that was written on its connection, where that is more or less than the request; otherwise
   * null.
   */
  readonly written: Content | null;
  /** Why it is accepted as a known failure; null if it is not. */
  readonly known: string | null;
  /**
   * A line of shell that sends the same bytes; empty if nothing was sent, and `alone` where the
   * request has a part of a key.
   */
  readonly again: string;
  /** The command that repeats this check alone; of recorded traffic both are empty. */
  readonly alone: string;
  /** The number of its entry in recorded traffic; null otherwise. */
  readonly entry: number | null;
}

/** `findings` counts all; the report has the first of them. */
export interface ReportedRequirement extends Requirement, Omit<Result, "requirement" | "outcome"> {
  readonly outcome: Outcome;
  /**
   * Where the contract states it: a file relative to the folder of the specification, and a line,
   * the first is 1.
   */
  readonly location: { readonly file: string; readonly line: number } | null;
}

/** Entries of recorded traffic. */
export interface RecordedCounts {
  /** Entries with a prediction. */
  readonly compared: number;
  readonly byLawsOnly: number;
  /** By reason: what nothing in the recording decides, and what is not of the target. */
  readonly undecided: Readonly<Record<string, number>>;
  readonly left: Readonly<Record<string, number>>;
  /** Entries whose body is missing or cut. */
  readonly withoutBody: number;
}

/** Findings with one cause. */
export interface Cause {
  /**
   * `user.list: 500 internal-error`, or a sentence: createdAt is missing from each item of
   * user.list.
   */
  readonly title: string;
  /** The requirement of the first finding first. */
  readonly requirements: readonly string[];
  /** Their positions among the findings of the report, the one that says most first. */
  readonly findings: readonly number[];
}

export interface ClauseResult extends Counts {
  readonly clause: string;
  readonly title: string;
  readonly requirements: number;
  /** The part of the clause without a requirement, and why; null if there is none. */
  readonly untried: string | null;
}

/**
 * The results of one run against one deployment. Secrets are replaced by placeholders such as
 * `$API_KEY`.
 */
export interface ReportData extends Pick<Report, "verdict" | "exitCode"> {
  readonly $schema: typeof reportForm;
  /** The first line of every report. */
  readonly summary: string;
  readonly suite: { readonly name: string; readonly version: string };
  /** `file`: the name of the contract file. */
  readonly contract: Readonly<Record<"title" | "version" | "hash" | "file", string>>;
  readonly target: { readonly url: string; readonly version: string | null };
  readonly run: {
    readonly id: string;
    readonly seed: number;
    readonly startedAt: string;
    readonly durationMs: number;
    readonly requests: { readonly all: number; readonly supertest: number };
    readonly cases: { readonly planned: number; readonly sent: number };
    /** The command line, without secrets. */
    readonly command: string;
  };
  /**
   * How much of recorded traffic was compared, and why not the rest; null if requests were sent.
   */
  readonly recorded: RecordedCounts | null;
  /**
   * What limits the verdict most: `smoke`, `given`, `read only`, `partial`; null if nothing does.
   */
  readonly limit: string | null;
  /** What it takes to check the rest: a key, options, and the kinds of other keys. */
  readonly missing: { readonly options: readonly string[]; readonly keys: readonly string[] };
  /** Requirements by outcome: all, and those of each level. */
  readonly counts: Counts;
  readonly levels: Readonly<Record<Requirement["level"], Counts>>;
  readonly clauses: readonly ClauseResult[];
  readonly requirements: readonly ReportedRequirement[];
  readonly findings: readonly ReportedFinding[];
  /** The causes by which most requirements fail first. */
  readonly causes: readonly Cause[];
  /**
   * Values that name the records that the run created, and how to remove these; null if the suite
   * does not know.
   */
  readonly created: readonly string[];
  readonly removal: string | null;
  /** What the run waited for, and oddities of the target that are no faults. */
  readonly remarks: readonly string[];
  /** Why nothing was checked, and faults of the suite. */
  readonly faults: readonly string[];
  /** What is wrong with the known failures and the exceptions: they are out of date. */
  readonly baseline: readonly string[];
  /** Why the run ended early; null if it did not. */
  readonly stopped: string | null;
}

/**
 * The report as JSON text, as `report.schema.json` describes it: a line for each requirement,
 * finding and cause.
 */
export function toJson(report: ReportData): string {
  const members = Object.entries(report).map(([name, value]) => {
    const isLong = Array.isArray(value) && value.length > 0;
    const lines = isLong ? value.map((one) => `\n    ${JSON.stringify(one)}`).join(",") : "";
    return `\n  "${name}": ${isLong ? `[${lines}\n  ]` : JSON.stringify(value)}`;
  });
  const escaped = (unit: string) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, "0")}`;
  return `{${members.join(",")}\n}\n`.replace(UNSEEN, (one) => one.split("").map(escaped).join(""));
}
