import { CommanderError } from "commander";
import { isOwn } from "../contract.ts";
import { run } from "../engine/run.ts";
import type { Deployment, RunOptions } from "../engine/run-options.ts";
import { EXIT, worst } from "../engine/verdict.ts";
import { EXPLORED_MS, explorable, explorer } from "../explore/explore.ts";
import { ours } from "../lists/ours.ts";
import { openFiles } from "../next/cli/files.ts";
import { readKnownFailures as knownFailuresOf } from "../next/cli/known-failures.ts";
import { DEFAULT_DRAWS, judgeNext } from "../next/cli/next.ts";
import { judgeRecorded } from "../next/cli/recorded.ts";
import { givenSuite } from "../next/given/suite.ts";
import { packaged } from "../next/packaged.ts";
import { toAnnotations } from "../report/annotations.ts";
import { renderConsole } from "../report/console.ts";
import { diff, renderDiff } from "../report/diff.ts";
import { suite as program, type Report } from "../report/report.ts";
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
  if (options.recorded !== undefined && !options.next) throw new UsageError("--recorded: only with --next");
  if (options.sarif !== undefined && !options.next) throw new UsageError("--sarif: only with --next");
  if (options.next) return await judgeWithNext(argv, options, plans, io);
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

/** The arguments of this command that a repetition of one check keeps: not its selection, and no files of reports. */
function alonePart(argv: readonly string[]): readonly string[] {
  const dropped = /^--(?:only|skip|case|seed|json|junit|markdown|html|sarif|known-failures|max-failures)(=|$)/;
  return argv.filter((word, at) => {
    const [before = ""] = argv.slice(Math.max(at - 1, 0), at);
    return !dropped.test(word) && dropped.exec(before)?.[1] !== "" && !/^--(?:smoke|exhaustive|quiet)$/.test(word);
  });
}

const knownIn = (file: string | undefined, contract: Parameters<typeof knownFailuresOf>[1]) =>
  file === undefined ? [] : reading(() => knownFailuresOf(file, contract));

/** The new suite (`next/`), hidden until it is the command. */
function judgeWithNext(
  argv: readonly string[],
  options: CliOptions,
  [plan, ...others]: readonly Plan[],
  io: Io,
): Promise<number> {
  const { target, credentials, selection } = plan ?? {};
  if (options.recorded !== undefined && target && others.length === 0)
    return judgeFile(options, target, credentials, io);
  if (!target || !credentials || !selection || others.length > 0) throw new UsageError("--next: one --url, and a key");
  const gateway = gatewayOf(options);
  const { headers: fields, certificate } = gateway;
  const { json, junit, markdown, html, sarif } = options;
  const files = { json, junit, markdown, html, sarif };
  reading(() => openFiles(files));
  const { seed, concurrency, maxFailures, timeout: timeoutMs, deadline, strict, complete, exhaustive, slow } = options;
  const whole = packaged;
  const suite = options.origin === "given" ? givenSuite(whole) : whole;
  const {
    only,
    skip,
    level,
    case: one = null,
    knownFailures: [known],
  } = options;
  const judged = {
    selection: { only, skip, level, case: one },
    knownFailures: knownIn(known, whole.oracle.contract),
    ...{ target, credentials, seed, concurrency, maxFailures, timeoutMs, deadlineMs: deadline * 1000 },
    ...{ gateway: { fields, certificate }, signal: io.signal },
    ...{ mayWrite: selection.effects.includes("write"), mayHarm: selection.effects.includes("hostile") },
    ...{
      draws: DEFAULT_DRAWS,
      isExhaustive: exhaustive ?? false,
      isStrict: strict ?? false,
      isComplete: complete ?? false,
    },
    isSlow: slow ?? false,
  };
  const command = (words: readonly string[]) =>
    commandLine(
      words.map((word) => masked(word, gateway)),
      io.env,
    );
  return judgeNext(suite, judged, io, {
    ...{ program, files, detail: detailOf(options), command: command(argv) },
    contractFile: options.contract ?? "contract.json",
    alone: (words) => command([...alonePart(argv), ...words]),
    removal: isOwn ? "On storage of your own, `atpoint users purge-conformance --yes` removes them." : null,
  });
}

/** Recorded traffic, for which no key is needed. */
async function judgeFile(
  { recorded = "", only, skip, level, knownFailures: [known], strict, verbose }: CliOptions,
  target: Plan["target"],
  credentials: Plan["credentials"] = null,
  io: Io,
): Promise<number> {
  const suite = packaged;
  const knownFailures = knownIn(known, suite.oracle.contract);
  const selection = { only, skip, level, case: null };
  const judged = {
    target,
    credentials,
    selection,
    knownFailures,
    isStrict: strict ?? false,
    isVerbose: verbose ?? false,
  };
  try {
    return await judgeRecorded(suite, recorded, judged, io.stdout);
  } catch (error) {
    throw new UsageError(`--recorded ${recorded}: ${error instanceof Error ? error.message : error}`);
  }
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
