import { CommanderError } from "commander";
import { requirements } from "../../generated/requirements.ts";
import { checks, exclusions } from "../checks/index.ts";
import { run } from "../engine/run.ts";
import type { Deployment } from "../engine/run-options.ts";
import { EXIT, worst } from "../engine/verdict.ts";
import { renderConsole, renderProgress } from "../report/console.ts";
import type { Report } from "../report/report.ts";
import { dryRun, explain, listChecks } from "./explain.ts";
import { readEntries, readKnownFailures } from "./json-files.ts";
import { type CliOptions, createCommand } from "./options.ts";
import { makePlans, type Suite } from "./plan.ts";
import { commandLine, rerunCommand } from "./rerun.ts";
import { openReports, writeReports } from "./sinks.ts";
import { reading, UsageError } from "./usage.ts";

interface Output {
  write(text: string): unknown;
  readonly isTTY?: boolean;
}

/** The world outside, handed in so that a test can run the command in its own process. */
export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: NodeJS.ProcessEnv;
  /** Ends the run early: SIGINT, SIGTERM. */
  readonly signal?: AbortSignal;
}

const colors = (output: Output, { env }: Io) => ({ color: output.isTTY === true && !env.NO_COLOR });

async function judge(argv: readonly string[], options: CliOptions, suite: Suite, io: Io): Promise<number> {
  const plans = makePlans(options, suite, io.env);
  if (options.dryRun) {
    for (const { target, split } of plans) io.stdout.write(dryRun(target.url, split));
    return EXIT.conformant;
  }
  const baselines = reading(() => options.knownFailures.map(readKnownFailures));
  const exceptions = reading(() =>
    options.exceptions === undefined ? [] : readEntries("--exceptions", options.exceptions, ["pointer", "reason"]),
  );
  const deployments = plans.map(({ target, credentials }): Deployment => {
    if (credentials) return { target, credentials };
    throw new UsageError(`no key for ${target.url}: set API_KEY and PLATFORM, or give --credentials FILE`);
  });
  reading(() => openReports(options, plans.length));
  const reports: Report[] = [];
  for (const [index, deployment] of deployments.entries()) {
    const other = deployments[index - 1];
    io.stderr.write(`${deployment.target.url}: seed ${options.seed}\n`);
    const report = await run({
      ...suite,
      ...deployment,
      ...(other ? { other } : {}),
      // One plan was made for each deployment.
      selection: (plans[index] as (typeof plans)[number]).selection,
      exceptions,
      // One file for both, or one for each.
      knownFailures: baselines[index] ?? baselines[0] ?? [],
      seed: options.seed,
      concurrency: options.concurrency,
      timeoutMs: options.timeout,
      deadlineMs: options.deadline * 1000,
      complete: options.complete ?? false,
      strict: options.strict ?? false,
      ...(io.signal ? { signal: io.signal } : {}),
      command: commandLine(argv, io.env),
      rerun: (ids) => rerunCommand(options, [...(other ? [other.target.url] : []), deployment.target.url], ids, io.env),
      onResult: (result) => io.stderr.write(`${renderProgress(result, colors(io.stderr, io))}\n`),
      onUser: (email) => io.stderr.write(`creating ${email}\n`),
    });
    reports.push(report);
    io.stdout.write(renderConsole(report, colors(io.stdout, io)));
  }
  const unwritten = writeReports(reports, options);
  for (const fault of unwritten) io.stderr.write(`not written: ${fault}\n`);
  return worst([...reports.map(({ exitCode }) => exitCode), ...unwritten.map(() => EXIT.harness)]);
}

/** The command. Resolves with the exit code; `argv` are the words behind the program's name. */
export async function main(argv: readonly string[], io: Io, suite: Suite = { checks, exclusions }): Promise<number> {
  const command = createCommand(
    (text) => io.stdout.write(text),
    (text) => io.stderr.write(text),
  );
  try {
    const options = command.parse(argv, { from: "user" }).opts<CliOptions>();
    if (options.list) {
      io.stdout.write(listChecks(suite.checks));
      return EXIT.conformant;
    }
    if (options.explain !== undefined) {
      const text = explain(options.explain, suite.checks, suite.exclusions, requirements);
      if (text === null) throw new UsageError(`--explain ${options.explain}: no such check or requirement; see --list`);
      io.stdout.write(text);
      return EXIT.conformant;
    }
    return await judge(argv, options, suite, io);
  } catch (error) {
    // Commander has told the user already; --help and --version end with 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.conformant : EXIT.usage;
    const usage = error instanceof UsageError;
    // Whatever else is thrown here is an Error as well: a check that throws something else is judged.
    io.stderr.write(`${usage ? "" : "fault of the harness: "}${(error as Error).message}\n`);
    return usage ? EXIT.usage : EXIT.harness;
  }
}
