import { CommanderError } from "commander";
import { run } from "../engine/run.ts";
import type { Deployment, RunOptions } from "../engine/run-options.ts";
import { EXIT, worst } from "../engine/verdict.ts";
import { EXPLORED_MS, explorable, explorer } from "../explore/explore.ts";
import { ours } from "../lists/ours.ts";
import { toAnnotations } from "../report/annotations.ts";
import { renderConsole } from "../report/console.ts";
import { diff, renderDiff } from "../report/diff.ts";
import type { Report } from "../report/report.ts";
import { checks, exclusions } from "../suite.ts";
import { dryRun, explain, listChecks } from "./explain.ts";
import { gatewayOf, masked } from "./gateway-options.ts";
import { readEntries, readKnownFailures, readReport } from "./json-files.ts";
import { type CliOptions, createCommand } from "./options.ts";
import { leewayOf, makePlans, type Plan, type Suite } from "./plan.ts";
import { repeat } from "./repeat.ts";
import { commandLine, rerunCommand } from "./rerun.ts";
import { openReports, wholeReport, writeReports } from "./sinks.ts";
import { colorful, createTeller, detailOf, type Output, widthOf } from "./teller.ts";
import { meant, reading, UsageError } from "./usage.ts";
import { watch, watchable, watched } from "./watch.ts";

/** The environment of the process, passed in so that a test can run the command in its own process. */
export interface Io {
  readonly stdout: Output;
  readonly stderr: Output;
  readonly env: NodeJS.ProcessEnv;
  /** Ends the run early: SIGINT, SIGTERM. */
  readonly signal?: AbortSignal;
}

async function judge(argv: readonly string[], options: CliOptions, all: Suite, io: Io): Promise<number> {
  const { explore } = options;
  const { origin, url } = options;
  if (explore !== undefined && (url.length > 1 || origin === "given" || options.watch !== undefined))
    throw new UsageError("--explore: one --url, without --origin given and --watch");
  const some = options.watch === undefined ? all : watchable(all);
  const suite = explore === undefined ? some : explorable(some);
  if (options.metrics !== undefined && options.watch === undefined)
    throw new UsageError("--metrics: only with --watch");
  const plans = makePlans(options, suite, io.env);
  const leeway = leewayOf(options);
  const gateway = gatewayOf(options);
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
  const judged = [...plans.entries()].filter(([, { split }]) => split.selected.length > 0).map(([index]) => index);
  reading(() => openReports(options, judged));
  const say = (line: string) => options.quiet || io.stderr.write(`${line}\n`);
  const command = commandLine(
    argv.map((word) => masked(word, gateway)),
    io.env,
  );
  const again = { ...options, header: options.header.map((field) => masked(field, gateway)) };
  const judgeOne = (
    deployment: Deployment,
    index: number,
    told: Pick<RunOptions, "onResult" | "onUser">,
    seed = options.seed,
  ) => {
    const other = deployments[index - 1];
    return run({
      ...suite,
      ...deployment,
      ...(other ? { other } : {}),
      // There is one plan for each deployment.
      selection: (plans[index] as Plan).selection,
      leeway,
      gateway,
      exceptions,
      // One file for both targets, or one for each.
      knownFailures: baselines[index] ?? baselines[0] ?? [],
      seed,
      concurrency: options.concurrency,
      timeoutMs: options.timeout,
      ...(explore !== undefined && { explorer: explorer(explore, { tell: say }) }),
      deadlineMs: options.deadline * 1000 + (explore ?? 0) * EXPLORED_MS,
      maxFailures: options.maxFailures,
      complete: options.complete ?? false,
      strict: options.strict ?? false,
      ...(io.signal ? { signal: io.signal } : {}),
      command,
      rerun: (ids) =>
        rerunCommand({ ...again, seed }, [...(other ? [other.target.url] : []), deployment.target.url], ids, io.env),
      onRemark: (remark) => io.stderr.write(`${deployment.target.url}: ${remark}\n`),
      ...told,
    });
  };
  const [first] = deployments;
  if (options.watch !== undefined && first) {
    const signal = io.signal ?? new AbortController().signal;
    return watch(
      options,
      () => judgeOne(first, 0, {}),
      (line) => io.stdout.write(line),
      signal,
    );
  }
  const reports = new Map<number, Report>();
  for (const [index, deployment] of deployments.entries()) {
    const teller = createTeller(options, (plans[index] as Plan).split.selected.length, io.stderr, io.env);
    if (!options.quiet) io.stderr.write(`${deployment.target.url}: seed ${options.seed}\n`);
    // An exploration knows the outcome of each requirement only at its end, and reports its own progress.
    const onResult = explore === undefined ? { onResult: teller.ended } : {};
    const told = { ...onResult, onUser: teller.creating };
    const { gravest: report, summary } =
      options.repeat === undefined
        ? { gravest: await judgeOne(deployment, index, told), summary: "" }
        : await repeat(
            options.repeat,
            options.seed,
            (seed) => judgeOne(deployment, index, { onUser: teller.creating }, seed),
            (line) => options.quiet || io.stderr.write(line),
            io.signal,
          );
    teller.done();
    // Used for comparison only: its responses are in the report of the other target.
    if (!judged.includes(index) && report.exitCode !== EXIT.preflight) {
      if (!options.quiet) io.stderr.write(`${deployment.target.url}: no check is left to run on it alone\n`);
      continue;
    }
    reports.set(index, report);
    const whole = wholeReport(report, options, index);
    io.stdout.write(
      renderConsole(report, {
        ...{ color: colorful(io.stdout, io.env), width: widthOf(io.stdout) },
        ...{ detail: detailOf(options), whole },
      }) + summary,
    );
    if (io.env.GITHUB_ACTIONS === "true" && !options.quiet) io.stdout.write(toAnnotations(report));
    // The other target would not accept the key either, and there is nothing to compare.
    if (report.exitCode === EXIT.preflight) break;
  }
  const unwritten = writeReports(reports, options);
  for (const fault of unwritten) io.stderr.write(`not written: ${fault}\n`);
  return worst([...[...reports.values()].map(({ exitCode }) => exitCode), ...unwritten.map(() => EXIT.harness)]);
}

/** Differences between two reports: red if a result became red, open if a result could not be completed any more. */
function compare(files: readonly string[], io: Io): number {
  const [older, newer, ...more] = files.map((file) => reading(() => readReport(file)));
  if (!older || !newer || more.length > 0) throw new UsageError("--diff: two files, OLD.json NEW.json");
  const found = diff(older, newer);
  io.stdout.write(renderDiff(found, newer));
  if (found["became red"].length > 0) return EXIT.notConformant;
  return found["became incomplete"].length > 0 ? EXIT.incomplete : EXIT.conformant;
}

/** The command. Resolves with the exit code; `argv` has the arguments after the program's name. */
export async function main(
  argv: readonly string[],
  io: Io,
  suite: Suite = { checks, exclusions, oracle: ours },
): Promise<number> {
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
      const text = explain(options.explain, suite.checks, suite.exclusions);
      if (text === null) {
        const word = meant(options.explain, suite.checks);
        throw new UsageError(`--explain ${word}: no such check, requirement or clause; see --list`);
      }
      io.stdout.write(text);
      return EXIT.conformant;
    }
    if (options.diff) return compare(options.diff, io);
    return await judge(argv, options.watch === undefined ? options : watched(options), suite, io);
  } catch (error) {
    // Commander has printed the error already; --help and --version exit with 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.conformant : EXIT.usage;
    const usage = error instanceof UsageError;
    // Anything else thrown here is an Error too: a check that throws another value is caught when it is evaluated.
    io.stderr.write(`${usage ? "" : "fault of the harness: "}${(error as Error).message}\n`);
    return usage ? EXIT.usage : EXIT.harness;
  }
}
