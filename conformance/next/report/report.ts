import { isUtf8 } from "node:buffer";
import type { Requirement } from "../../oracle/contract.ts";
import type { Exchange, Finding, Response } from "../exchange.ts";
import { codingOf, withoutCoding } from "../http/coding.ts";
import type { RunOptions } from "../run/options.ts";
import type { Outcome as Result } from "../run/results.ts";
import type { Report } from "../run/run.ts";
import type { Suite } from "../run/state.ts";
import { curlLine, socketLine } from "../secrets/curl.ts";
import { createRedactor, type Redactor } from "../secrets/redact.ts";
import { secretsOf } from "../secrets/secrets.ts";
import { causesOf } from "./causes.ts";
import {
  type Content,
  type ReportData,
  type ReportedExchange,
  type ReportedFinding,
  type ReportedRequirement,
  reportForm,
} from "./json.ts";
import { countsOf, summaryOf } from "./summary.ts";

/** What a report has that its run does not know. */
export interface About {
  readonly suite: Pick<Suite, "oracle" | "further" | "scripts">;
  readonly options: Pick<RunOptions, "target" | "credentials" | "gateway" | "seed" | "mayWrite" | "mayHarm">;
  readonly program: ReportData["suite"];
  /** The name of the contract file. */
  readonly contractFile: string;
  readonly startedAt: Date;
  readonly durationMs: number;
  readonly remarks: readonly string[];
  /** How the run was started, and the same for this check alone: `--case ID`. */
  readonly command: string;
  readonly alone: (words: readonly string[]) => string;
  /** How to remove what was created; null if the suite does not know. */
  readonly removal: string | null;
}

/** Bytes of a body that are kept: of the first finding of a requirement, and of every other and of the other exchanges. */
const KEPT = { first: 64 * 1024, further: 1024 };

/** Has the length of a run's id: byte counts in a request stay right. */
const FRESH = "RUN=$(od -An -N8 -tx1 /dev/urandom | tr -d ' \\n')";

/** A run as plain data, without its secrets: what reports are made from. */
export function createReport(report: Report, about: About): ReportData {
  const { results, outcomes, fault, requests, planned, compared } = report;
  const { options, suite, startedAt } = about;
  const { contract } = suite.oracle;
  const redact = createRedactor(secretsOf(options.credentials, options.gateway));
  const text = redact.text;
  const requirements = outcomes.map((one) => requirementOf(one, text));
  const seen = new Set<string>();
  const again = replayer(report.runId, about);
  const findings = results.findings.map((finding) => {
    const most = seen.has(finding.requirement) ? KEPT.further : KEPT.first;
    seen.add(finding.requirement);
    const alone = text(about.alone(aloneOf(finding, about)));
    return { ...findingOf(finding, redact, most), again: again(finding), alone };
  });
  const limit = limitOf(about, outcomes);
  const ofLevel = (wanted: Requirement["level"]) => countsOf(requirements.filter(({ level }) => level === wanted));
  const data: Omit<ReportData, "summary" | "causes"> = {
    $schema: reportForm,
    verdict: report.verdict,
    exitCode: report.exitCode,
    suite: about.program,
    contract: { title: contract.title, version: contract.version, hash: contract.hash, file: about.contractFile },
    target: { url: text(options.target.url), version: report.version === null ? null : text(report.version) },
    run: {
      ...{ id: report.runId, seed: options.seed, startedAt: startedAt.toISOString(), durationMs: about.durationMs },
      ...{ requests, cases: { planned, sent: compared }, command: text(about.command) },
    },
    ...{ limit, missing: missingOf(about, outcomes) },
    counts: countsOf(requirements),
    levels: { MUST: ofLevel("MUST"), SHOULD: ofLevel("SHOULD"), MAY: ofLevel("MAY") },
    clauses: contract.clauses.map(({ id, title, untried }) => {
      const own = requirements.filter(({ clause }) => clause === id);
      return { clause: id, title, requirements: own.length, ...countsOf(own), untried };
    }),
    ...{ requirements, findings, created: report.created.map(text), removal: about.removal },
    remarks: about.remarks.map(text),
    faults: [...(fault === null ? [] : [fault]), ...results.faults].map(text),
    stopped: results.stopped === null ? null : text(results.stopped),
  };
  const { $schema, ...rest } = data;
  return { $schema, summary: summaryOf(data), ...rest, causes: causesOf(findings, requirements) };
}

/** The arguments that repeat what has found it: a case, or the scripts of a requirement. */
function aloneOf({ case: of, script, requirement }: Finding, { suite, options }: About): readonly string[] {
  if (of) return ["--case", of.id];
  const { requirements = [] } = suite.scripts.find(({ id }) => id === script) ?? {};
  const [first = requirement] = requirements.includes(requirement) ? [requirement] : requirements;
  return ["--only", first, "--seed", `${options.seed}`];
}

/** What limits the verdict most. */
function limitOf({ options }: About, outcomes: readonly Result[]): string | null {
  const { mayWrite, mayHarm } = options;
  if (!mayWrite && !mayHarm) return "read only";
  return !mayWrite || !mayHarm || outcomes.some(({ outcome }) => outcome === "not selected") ? "partial" : null;
}

function missingOf({ suite, options }: About, outcomes: readonly Result[]): ReportData["missing"] {
  const reasons = outcomes.flatMap(({ reason }) => reason ?? []);
  const needed = ["--allow-write", "--allow-hostile", "--slow"].filter(
    (option) =>
      reasons.some((reason) => reason.includes(`needs ${option}`)) ||
      (option === "--allow-write" && !options.mayWrite) ||
      (option === "--allow-hostile" && !options.mayHarm),
  );
  return { options: needed, keys: suite.further.kinds.filter((kind) => !(kind in options.credentials.special)) };
}

/** Where the contract states a requirement; a contract need not say it. */
function locationOf(requirement: Requirement): ReportedRequirement["location"] {
  const { file, line } = "location" in requirement ? Object(requirement.location) : {};
  return typeof file === "string" && Number.isSafeInteger(line) && line > 0 ? { file, line } : null;
}

function requirementOf({ requirement, ...result }: Result, text: Redactor["text"]): ReportedRequirement {
  const { id, level, origin, clause, sentence, operation } = requirement;
  const { outcome, reason, planned, sent, findings } = result;
  const own = { id, level, origin, clause, sentence, operation, location: locationOf(requirement) };
  return { ...own, outcome, reason: reason === null ? null : text(reason), planned, sent, findings };
}

function findingOf(finding: Finding, redact: Redactor, most: number): Omit<ReportedFinding, "again" | "alone"> {
  const { requirement, source, aspect, expected, actual, exchanges, at, script = null, written } = finding;
  const { text } = redact;
  const prediction = exchanges[at]?.prediction ?? null;
  const called = prediction ? prediction.operation : finding.case?.operation;
  return {
    ...{ requirement, source, case: finding.case?.id ?? null, script, operation: called?.id ?? null },
    ...{ aspect: text(aspect), expected: text(expected), actual: text(actual) },
    exchanges: exchanges.map((one, index) => exchangeOf(one, redact, index === at ? most : KEPT.further)),
    ...{ at, written: written === undefined ? null : contentOf(redact.bytes(Buffer.from(written, "latin1")), most) },
  };
}

function exchangeOf(given: Exchange, redact: Redactor, most: number): ReportedExchange {
  const { sentAt, endedAt, prediction } = given;
  const plain = given.response && decoded(given.response, most);
  const { request, response, error } = redact.exchange({ ...given, response: plain });
  const { method, target, version = "1.1", fields } = request;
  return {
    request: { method, target, version, fields, body: contentOf(Buffer.from(request.body, "latin1"), most) },
    response: response && {
      ...{ status: response.status, reason: response.reason, version: response.version, fields: response.fields },
      body: contentOf(response.body, most, response.omitted),
    },
    error,
    sentAt: new Date(sentAt).toISOString(),
    durationMs: endedAt - sentAt,
    predicted: prediction?.status ?? null,
  };
}

/** Without its content coding, which would hide a key. Nothing is left of what cannot be decoded, or is not worth it, but text. */
function decoded(response: Response, most: number): Response {
  const { fields, body, omitted } = response;
  const isPlain = codingOf(fields) === "identity" || isUtf8(body);
  const plain = isPlain ? body : most < KEPT.first ? null : withoutCoding(fields, body);
  // Some coded bytes become megabytes.
  const kept = (plain ?? Buffer.alloc(0)).subarray(0, 2 * KEPT.first);
  return { ...response, body: kept, omitted: omitted + (plain ?? body).length - kept.length };
}

/** Cut only after it was redacted. */
function contentOf(whole: Buffer, most: number, left = 0): Content {
  const bytes = whole.subarray(0, most);
  const omitted = left + whole.length - bytes.length;
  const more = omitted > 0 ? { omitted } : {};
  try {
    // With more to come, a character that is cut at the end is no fault.
    const utf8 = new TextDecoder("utf-8", { fatal: true, ignoreBOM: true });
    return { text: utf8.decode(bytes, { stream: omitted > 0 }), ...more };
  } catch {
    return { base64: bytes.toString("base64"), ...more };
  }
}

/** Writes lines that send the same bytes, with a new id instead of the run's; several requests one after another. */
function replayer(runId: string, { options }: About): (finding: Finding) => string {
  const { target, credentials, gateway } = options;
  const secrets = [...secretsOf(credentials, gateway), { name: "RUN", value: runId }];
  const names = secrets.map(({ name }) => name);
  const redact = createRedactor(secrets);
  const files = gateway.certificate?.files ?? null;
  const where = { target, secrets: names, files };
  return ({ exchanges, at, written }) => {
    const before = exchanges.slice(0, written === undefined ? at + 1 : 0);
    const lines = before.map((one) => curlLine(redact.exchange({ ...one, response: null }).request, where));
    const bytes = written === undefined ? [] : [redact.bytes(Buffer.from(written, "latin1"))];
    const line = [...lines, ...bytes.map((one) => socketLine(one, where))].join("; ");
    return line.includes('"$RUN"') ? `${FRESH}; ${line}` : line;
  };
}
