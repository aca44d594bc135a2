import type { Finding } from "../exchange.ts";
import { write as bytesOf } from "../http/write.ts";
import { hashOf } from "../requests/covering.ts";
import { tablesOf } from "../requests/generate.ts";
import type { RunOptions } from "../run/options.ts";
import { type Report, run } from "../run/run.ts";
import type { Suite } from "../run/state.ts";
import { curlLine, socketLine } from "../secrets/curl.ts";
import { createRedactor } from "../secrets/redact.ts";
import { secretsOf } from "../secrets/secrets.ts";

/** Findings of one requirement that are printed. */
const MOST_SHOWN = 3;

/** Has the length of a run's id: byte counts in a request stay right. */
const FRESH = "RUN=$(od -An -N8 -tx1 /dev/urandom | tr -d ' \\n')";

/** Controls, and what changes the direction of a text, never reach a terminal. */
const printable = (text: string): string =>
  text.replace(/[\p{Cc}\p{Cf}\p{Zl}\p{Zp}]/gu, (one) => `\\u${one.charCodeAt(0).toString(16).padStart(4, "0")}`);

const counted = (count: number, noun: string) => `${count} ${noun}${count === 1 ? "" : "s"}`;

/** The new suite, until it is the command: sends cases to one deployment, and prints its findings as lines. */
export async function judgeNext(suite: Suite, options: RunOptions, write: (text: string) => void): Promise<number> {
  const { target, seed, isExhaustive, draws, credentials, gateway } = options;
  const secrets = secretsOf(credentials, gateway);
  const redact = createRedactor(secrets);
  const say = (line: string) => write(`${printable(redact.text(line))}\n`);
  const { cases, hash } = suite.covering;
  const isKnown = hash === hashOf(tablesOf(suite.oracle.contract, suite.further));
  const covering = isKnown
    ? `${cases.length} covering cases and ${draws} drawn`
    : "all cases: no covering set is of it";
  const some = isExhaustive ? "all cases" : covering;
  say(`${target.url}: seed ${seed}, ${some}`);
  const report = await run(suite, {
    ...options,
    isExhaustive: isExhaustive || !isKnown,
    tell: (line) => say(`${target.url}: ${line}`),
  });
  const ofRun = [...secrets, { name: "RUN", value: report.runId }];
  const renewed = createRedactor(ofRun);
  /** A line that sends the same bytes, with a new id instead of the run's. */
  const again = ({ exchanges, at, written }: Finding): string => {
    const [sent] = exchanges.slice(at);
    if (!sent) return "";
    const where = { target, secrets: ofRun.map(({ name }) => name), files: gateway.certificate?.files ?? null };
    // Sizes of chunks are those of the secrets, not of their names.
    const bytes = written ?? (sent.request.framing && bytesOf(sent.request, target.prefix).toString("latin1"));
    const line =
      bytes === undefined
        ? curlLine(renewed.exchange(sent).request, where)
        : socketLine(renewed.bytes(Buffer.from(bytes, "latin1")), where);
    return line.includes('"$RUN"') ? `${FRESH}; ${line}` : line;
  };
  for (const line of linesOf(report, again)) say(line);
  return report.exitCode;
}

function* linesOf(report: Report, again: (finding: Finding) => string): Generator<string> {
  const { fault, results, outcomes, planned, requests, created, verdict } = report;
  if (fault !== null) yield fault;
  for (const harness of results.faults) yield `fault of the suite: ${harness}`;
  const shown = new Map<string, number>();
  for (const finding of results.findings) {
    const { requirement, case: of, script, aspect, expected, actual } = finding;
    const count = (shown.get(requirement) ?? 0) + 1;
    shown.set(requirement, count);
    if (count > MOST_SHOWN) continue;
    yield `FAIL ${requirement} [${of?.id ?? script}] ${aspect}: expected ${expected}; got ${actual}`;
    yield `  again  ${again(finding)}`;
  }
  for (const [requirement, count] of shown) {
    const more = results.countOf(requirement) - Math.min(count, MOST_SHOWN);
    if (more > 0) yield `FAIL ${requirement}: and ${counted(more, "more finding")}`;
  }
  if (results.stopped !== null) yield `stopped: ${results.stopped}`;
  if (created.length > 0) yield `${counted(created.length, "record")} created: ${created[0]} …`;
  const counts = new Map<string, number>();
  for (const { outcome } of outcomes) counts.set(outcome, (counts.get(outcome) ?? 0) + 1);
  const told = [...counts].map(([outcome, count]) => `${count} ${outcome}`).join(", ");
  const all = Object.values(requests).reduce((sum, count) => sum + count);
  const sent = `${all} requests (${requests.supertest} by supertest)`;
  yield `${verdict}: ${counted(outcomes.length, "requirement")}: ${told}; ${counted(planned, "case")}, ${sent}`;
}
