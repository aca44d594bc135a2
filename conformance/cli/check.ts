import { closeSync, createReadStream, openSync, readSync } from "node:fs";
import { noGateway } from "../http/gateway.ts";
import { type Recorded, readJsonLines } from "../recorded/entries.ts";
import { readHar } from "../recorded/har.ts";
import { type ReplayOptions, replay } from "../recorded/replay.ts";
import { toAnnotations } from "../report/annotations.ts";
import { createProgress, type Detail, toConsole } from "../report/console.ts";
import { redactorOf } from "../report/exchanges.ts";
import type { ReportData } from "../report/json.ts";
import { type About, createReport } from "../report/report.ts";
import { visible } from "../report/text.ts";
import { newRunId } from "../run/begin.ts";
import { DEFAULTS, type RunOptions } from "../run/options.ts";
import { run } from "../run/run.ts";
import type { Suite } from "../run/state.ts";
import { EXIT } from "../run/verdict.ts";
import { NO_CREDENTIALS } from "../secrets/credentials.ts";
import { openFiles, type ReportFiles, writeDefault, writeFiles } from "./files.ts";
import { fileMessageOf, UsageError } from "./usage.ts";

/** A stream that the command writes to. */
interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
  /** The width of a terminal. */
  readonly columns?: number;
}

/** What the command has of its process, passed in so that a test can run it in its own process. */
export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: NodeJS.ProcessEnv;
  /** Ends the run early: SIGINT, SIGTERM. */
  readonly signal?: AbortSignal;
}

export interface Reporting
  extends Pick<About, "program" | "contractFile" | "command" | "alone" | "removal"> {
  readonly detail: Detail;
  readonly files: ReportFiles;
}

function plannedOf(
  { given, coveringCases }: Suite,
  { selection, isSmoke, isExhaustive, explore }: RunOptions,
): string {
  if (given) return "what is given alone";
  if (selection?.case) return `the case ${selection.case}`;
  if (isSmoke) return "a first look";
  if (explore !== undefined) return `${explore} explored requests`;
  const ofOnly = selection && selection.only.length > 0 ? " of --only" : "";
  if (isExhaustive) return `all cases${ofOnly}`;
  if (!coveringCases) return `all cases${ofOnly}: no covering set is of this contract`;
  if (ofOnly !== "") return "the covering cases of --only";
  return `${coveringCases.length} covering cases and ${DEFAULTS.randomCaseCount} drawn`;
}

/** Checks one deployment, and writes the reports. Resolves with the exit code. */
export async function checkTarget(
  suite: Suite,
  options: RunOptions,
  { stdout, stderr, env }: Io,
  { detail, files, ...about }: Reporting,
): Promise<number> {
  const { target, seed } = options;
  const isQuiet = detail === "quiet";
  const redact = redactorOf(options);
  const progress = createProgress(
    stderr.isTTY === true && !isQuiet ? (text) => stderr.write(text) : null,
  );
  const remarks: string[] = [];
  const say = (line: string) => {
    progress.clear();
    if (!isQuiet) stderr.write(`${visible(redact.text(`${target.url}: ${line}`))}\n`);
  };
  const runId = newRunId();
  const creating = options.allowWrite ? `; what it creates has ${runId} in it` : "";
  const startedAt = new Date();
  const ran = await run(suite, {
    ...options,
    runId,
    tell: (line) => {
      remarks.push(line);
      say(line);
    },
    // Before anything is created: if the run dies, its records can be found.
    onStart: () => say(`seed ${seed}, ${plannedOf(suite, options)}${creating}`),
    onLimit: (waitMs) => {
      const line = progress.limited(waitMs);
      if (line !== null) say(line);
    },
    onProgress: progress.ended,
  });
  progress.clear();
  const durationMs = Date.now() - startedAt.getTime();
  const report = createReport(ran, { ...about, suite, options, startedAt, durationMs, remarks });
  return written(report, { detail, files }, { stdout, stderr, env });
}

/**
 * Writes the reports. Returns the exit code: that of the run, unless a file could not be written.
 */
function written(
  report: ReportData,
  { detail, files }: Pick<Reporting, "detail" | "files">,
  { stdout, stderr, env }: Io,
): number {
  const isQuiet = detail === "quiet";
  const unwritten = writeFiles(report, files);
  const asked = files.html ?? files.json;
  const whole =
    report.findings.length === 0 || isQuiet ? null : (asked ?? writeDefault(report, env));
  const width = stdout.isTTY === true && stdout.columns ? stdout.columns : undefined;
  stdout.write(
    toConsole(report, { color: stdout.isTTY === true && !env.NO_COLOR, detail, whole, width }),
  );
  if (env.GITHUB_ACTIONS === "true" && !isQuiet) stdout.write(toAnnotations(report));
  for (const message of unwritten) stderr.write(`not written: ${visible(message)}\n`);
  const { exitCode } = report;
  const isWorse = exitCode === EXIT.conformant || exitCode === EXIT.incomplete;
  return unwritten.length > 0 && isWorse ? EXIT.harness : exitCode;
}

/**
 * The entries of a file: a HAR by its name, or since it begins with its log. Throws if it cannot be
 * read.
 */
async function* entriesOf(file: string): AsyncIterable<Recorded> {
  const descriptor = openSync(file, "r");
  const start = Buffer.alloc(200);
  const isHar =
    /\.har$/i.test(file) ||
    /^\ufeff?\s*\{\s*"log"/.test(start.toString("utf8", 0, readSync(descriptor, start)));
  closeSync(descriptor);
  const stream = createReadStream(file);
  yield* isHar ? readHar(stream) : readJsonLines(stream);
}

/**
 * Compares recorded traffic with the contract, and writes the reports. Resolves with the exit code.
 */
export async function checkRecorded(
  suite: Suite,
  file: string,
  options: ReplayOptions,
  io: Io,
  { detail, files, ...about }: Reporting,
): Promise<number> {
  openFiles(files);
  const startedAt = new Date();
  // A broken file is an error of the user.
  const replayed = await replay(suite, options, entriesOf(file)).catch((error: unknown) => {
    throw new UsageError(`--recorded ${file}: ${fileMessageOf(error)}`);
  });
  const { counts, ...result } = replayed;
  const credentials = options.credentials ?? NO_CREDENTIALS;
  const report = createReport(
    {
      runId: "",
      version: null,
      fault: null,
      ...result,
      stale: [],
      unneeded: [],
      created: [],
      requests: { supertest: 0, socket: 0, conversation: 0 },
    },
    {
      ...about,
      suite,
      startedAt,
      durationMs: Date.now() - startedAt.getTime(),
      remarks: [],
      removal: null,
      options: {
        ...options,
        credentials,
        gateway: noGateway,
        seed: 0,
        allowWrite: true,
        allowHostile: true,
      },
      recorded: counts,
      alone: () => "",
    },
  );
  return written(report, { detail, files }, io);
}
