import type { Finding } from "../exchange.ts";
import type { Requirement } from "../oracle/contract.ts";
import { kindsOf } from "../requests/credentials.ts";
import type { RunOptions } from "../run/options.ts";
import { isLeft, type Outcome as Result } from "../run/results.ts";
import type { Report } from "../run/run.ts";
import type { Suite } from "../run/state.ts";
import type { Redactor } from "../secrets/redact.ts";
import { causesOf } from "./causes.ts";
import { contentOf, KEPT, redactorOf, replayer, reportedExchange } from "./exchanges.ts";
import {
  type ReportData,
  type ReportedFinding,
  type ReportedRequirement,
  reportForm,
} from "./json.ts";
import { countsOf, summaryOf } from "./summary.ts";
import { shortened } from "./text.ts";

/** What a report has that its run does not know. */
export interface About {
  readonly suite: Pick<Suite, "oracle" | "scripts" | "given">;
  readonly options: Pick<
    RunOptions,
    | "target"
    | "credentials"
    | "gateway"
    | "seed"
    | "selection"
    | "allowWrite"
    | "allowHostile"
    | "isSmoke"
    | "pair"
    | "explore"
  >;
  readonly program: ReportData["suite"];
  /** The name of the contract file. */
  readonly contractFile: string;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly remarks: readonly string[];
  /** How the run was started, and the same for this check alone: `--case ID`. */
  readonly command: string;
  readonly alone: (words: readonly string[]) => string;
  /** Counts of recorded traffic, for which nothing was sent. */
  readonly recorded?: ReportData["recorded"];
  /** How to remove what was created; null if the suite does not know. */
  readonly removal: string | null;
}

/** Characters of a line about the run, and of each side of a finding. */
const SHORT = 1000;
const LONGEST = 16 * 1024;
/**
 * Exchanges before the one that a finding is about, but for the first finding of a requirement: a
 * scenario has a hundred.
 */
const MOST_BEFORE = 4;

/** A run as plain data, without its secrets: the input of every report. */
export function createReport(report: Report, about: About): ReportData {
  const { results, outcomes, fault, requests } = report;
  const { options, startedAt, durationMs } = about;
  const { contract } = about.suite.oracle;
  const redact = redactorOf(options);
  const { text } = redact;
  const short = (given: string) => shortened(text(given), SHORT);
  const requirements = outcomes.map((outcome) => reportedRequirement(outcome, text));
  const again = replayer(report.runId, options);
  const findings = results.findings.map((finding): ReportedFinding => {
    const { entry = null } = finding;
    const isFirst =
      results.findings.find(({ requirement }) => requirement === finding.requirement) === finding;
    const alone = entry === null ? text(about.alone(aloneOf(finding, about))) : "";
    const line = entry === null ? (again(finding) ?? alone) : "";
    return { ...findingOf(finding, redact, isFirst), again: line, alone, entry };
  });
  const ofLevel = (wanted: Requirement["level"]) =>
    countsOf(requirements.filter(({ level }) => level === wanted));
  const data: Omit<ReportData, "summary" | "causes"> = {
    $schema: reportForm,
    verdict: report.verdict,
    exitCode: report.exitCode,
    suite: about.program,
    contract: {
      title: contract.title,
      version: contract.version,
      hash: contract.hash,
      file: about.contractFile,
    },
    target: {
      url: text(options.target.url),
      version: report.version === null ? null : short(report.version),
    },
    run: {
      id: report.runId,
      seed: options.seed,
      startedAt: startedAt.toISOString(),
      durationMs,
      requests: {
        all: Object.values(requests).reduce((sum, count) => sum + count, 0),
        supertest: requests.supertest,
      },
      cases: { planned: results.planned, sent: results.compared },
      command: text(about.command),
    },
    limit: limitOf(about, outcomes),
    missing: missingOf(about, report),
    recorded: about.recorded ?? null,
    counts: countsOf(requirements),
    levels: { MUST: ofLevel("MUST"), SHOULD: ofLevel("SHOULD"), MAY: ofLevel("MAY") },
    clauses: contract.clauses.map(({ id, title, untried }) => {
      const ofClause = requirements.filter(({ clause }) => clause === id);
      return {
        clause: id,
        title,
        requirements: ofClause.length,
        ...countsOf(ofClause),
        untried,
      };
    }),
    requirements,
    findings,
    created: report.created.map(text),
    removal: about.removal,
    remarks: about.remarks.map(short),
    faults: [...(fault === null ? [] : [fault]), ...results.faults].map(short),
    baseline: [...report.stale.map(staleText), ...report.unneeded.map(unneededText)].map(short),
    stopped: results.stopped === null ? null : short(results.stopped),
  };
  const { $schema, ...rest } = data;
  return { $schema, summary: summaryOf(data), ...rest, causes: causesOf(findings, requirements) };
}

/** What to do about an entry of the known failures. */
function staleText({ entry: { id, case: of, until }, problem }: Report["stale"][number]): string {
  const advice =
    problem === "expired"
      ? `accepted until ${until}; correct the target, or give a new day`
      : "it no longer fails; remove the entry";
  return `known failure ${of === undefined ? id : `${id} (${of})`}: ${advice}`;
}

const unneededText = ({ pointer, reason }: Report["unneeded"][number]): string =>
  `exception ${pointer} (${reason}): nothing differs there; remove the entry`;

/** The arguments that repeat what has found it: a case, or the scripts of a requirement. */
function aloneOf(
  { case: of, script, requirement }: Finding,
  { suite, options }: About,
): readonly string[] {
  if (of) return ["--case", of.id];
  if (options.explore !== undefined)
    return ["--explore", `${options.explore}`, "--seed", `${options.seed}`];
  const { requirements = [] } = suite.scripts.find(({ id }) => id === script) ?? {};
  const [first = requirement] = requirements.includes(requirement) ? [requirement] : requirements;
  return ["--only", first, "--seed", `${options.seed}`];
}

/** What limits the verdict most. */
function limitOf({ suite, options, recorded }: About, outcomes: readonly Result[]): string | null {
  const { allowWrite, allowHostile, isSmoke, selection } = options;
  if (recorded) return "recorded";
  if (suite.given) return "given";
  if (isSmoke) return "smoke";
  if (!allowWrite && !allowHostile) return "read only";
  if (!allowWrite || !allowHostile || outcomes.some(isLeft)) return "partial";
  return selection?.profile ?? null;
}

function missingOf(
  { suite, options, recorded }: About,
  { outcomes, lacking = [] }: Report,
): ReportData["missing"] {
  if (recorded) return { options: [], keys: [] };
  const { allowWrite, allowHostile, credentials } = options;
  const needed = {
    "--allow-write": !allowWrite,
    "--allow-hostile": !allowHostile && !suite.given,
    "--slow": false,
  };
  const isReason = (option: string) =>
    outcomes.some(({ reason }) => reason?.includes(`needs ${option}`));
  const asked = Object.entries(needed).filter(
    ([option, isMissing]) => isMissing || isReason(option),
  );
  const scopes = lacking.length > 0 ? ` with ${lacking.join(", ")}` : "";
  const isKeyless = credentials.full.key === "" && suite.oracle.contract.scopes.length > 0;
  return {
    options: [
      ...(isKeyless || scopes !== "" ? [`a key${scopes}`] : []),
      ...asked.map(([option]) => option),
    ],
    keys: suite.given
      ? []
      : kindsOf(suite.oracle.contract).filter(
          (kind) => !(kind in credentials.special) && !credentials.unissued?.includes(kind),
        ),
  };
}

/** It is known to fail if each of its findings is accepted. */
function reportedRequirement(result: Result, text: Redactor["text"]): ReportedRequirement {
  const { id, level, origin, clause, sentence, operation, location = null } = result.requirement;
  const { planned, sent, findings, unexpected, reason } = result;
  const isKnown = result.outcome === "failed" && unexpected === 0;
  return {
    id,
    level,
    origin,
    clause,
    sentence,
    operation,
    location,
    outcome: isKnown ? "known" : result.outcome,
    reason: reason === null ? null : text(reason),
    planned,
    sent,
    findings,
    unexpected,
  };
}

function findingOf(
  finding: Finding,
  redact: Redactor,
  isFirst: boolean,
): Omit<ReportedFinding, "again" | "alone" | "entry"> {
  const { requirement, source, aspect, expected, actual, script = null, known, written } = finding;
  const from = isFirst ? 0 : Math.max(0, finding.at - MOST_BEFORE);
  const exchanges = finding.exchanges.slice(from);
  const at = finding.at - from;
  const most = isFirst ? KEPT.first : KEPT.further;
  const text = (given: string) => shortened(redact.text(given), LONGEST);
  const prediction = exchanges[at]?.prediction ?? null;
  const called = prediction ? prediction.operation : finding.case?.operation;
  return {
    requirement,
    concerns: finding.concerns ?? [],
    source,
    case: finding.case?.id ?? null,
    script,
    operation: called?.id ?? null,
    aspect: text(aspect),
    expected: text(expected),
    actual: text(actual),
    known: known === undefined ? null : text(known),
    exchanges: exchanges.map((exchange, index) =>
      reportedExchange(exchange, redact, index === at ? most : KEPT.further),
    ),
    at,
    written:
      written === undefined ? null : contentOf(redact.bytes(Buffer.from(written, "latin1")), most),
  };
}
