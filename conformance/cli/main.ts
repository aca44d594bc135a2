import { CommanderError } from "commander";
import { givenSuite, missingIn } from "../given/suite.ts";
import { parseTarget, proxyIn, type Target } from "../http/target.ts";
import { packaged } from "../packaged.ts";
import { leftBy, type RunOptions, type Selection, unmatched } from "../run/options.ts";
import { SAME } from "../run/pair.ts";
import { UnknownCase } from "../run/plan.ts";
import type { Suite } from "../run/state.ts";
import { EXIT, worst } from "../run/verdict.ts";
import { type Credentials, NO_CREDENTIALS } from "../secrets/credentials.ts";
import { checkRecorded, checkTarget, type Io, type Reporting } from "./check.ts";
import { alonePart, commandLine, program } from "./command-line.ts";
import { readCredentials } from "./credentials.ts";
import { dryRun, explain, listRequirements } from "./explain.ts";
import { filesOf, openFiles, readExceptions, readKnownFailures } from "./files.ts";
import { gatewayOf, masked } from "./gateway.ts";
import { type CliOptions, createCommand } from "./options.ts";
import { cover, suiteOf } from "./suite.ts";
import { meant, messageOf, reading, UsageError } from "./usage.ts";

/** A deployment of the command line. */
interface Place {
  readonly target: Target;
  readonly credentials: Credentials | null;
}

function placesOf(
  options: CliOptions,
  { oracle: { contract } }: Suite,
  env: NodeJS.ProcessEnv,
): readonly Place[] {
  const { url, credentials, knownFailures, exceptions, only, skip } = options;
  if (url.length === 0) throw new UsageError("--url is missing");
  if (url.length > 2) throw new UsageError("--url: one deployment, or two to compare");
  for (const [flag, files] of Object.entries({
    "--credentials": credentials,
    "--known-failures": knownFailures,
  }))
    if (files.length > url.length) throw new UsageError(`${flag}: one file for each --url`);
  if (exceptions !== undefined && url.length < 2)
    throw new UsageError("--exceptions: there is no second --url to differ");
  for (const flag of ["explore", "recorded", "case"] as const)
    if (options[flag] !== undefined && url.length > 1) throw new UsageError(`--${flag}: one --url`);
  const nothing = unmatched(contract, [...only, ...skip]);
  const ids = contract.requirements.map(({ id }) => id);
  if (nothing.length > 0)
    throw new UsageError(
      `no requirement matches ${nothing.map((one) => meant(one, ids)).join(", ")}; see --list`,
    );
  return reading(() =>
    url.map((text, index) => ({
      target: parseTarget(text),
      credentials: readCredentials(credentials[index], env, contract),
    })),
  );
}

/**
 * What a run may do. A loopback address may be a tunnel to a remote deployment: one option alone
 * takes the other away.
 */
function effectsOf({ loopback }: Target, { readOnly, allowWrite, allowHostile }: CliOptions) {
  const isOwn = loopback && !readOnly && !allowWrite && !allowHostile;
  return { allowWrite: isOwn || allowWrite === true, allowHostile: isOwn || allowHostile === true };
}

const selectionOf = ({ only, skip, level, profile, case: caseId }: CliOptions): Selection => ({
  only,
  skip,
  level,
  profile: profile === "operations" ? profile : null,
  case: caseId ?? null,
});

/** What all runs of a command have in common. */
const optionsOf = (options: CliOptions, { signal }: Io) =>
  ({
    seed: options.seed,
    concurrency: options.concurrency,
    maxFailures: options.maxFailures,
    signal,
    selection: selectionOf(options),
    timeoutMs: options.timeout,
    explore: options.explore,
    deadlineMs: options.deadline === undefined ? undefined : options.deadline * 1000,
    isSmoke: options.smoke ?? false,
    isExhaustive: options.exhaustive ?? false,
    isSlow: options.slow ?? false,
    isStrict: options.strict ?? false,
    isComplete: options.complete ?? false,
  }) satisfies Partial<RunOptions>;

async function check(
  argv: readonly string[],
  options: CliOptions,
  whole: Suite,
  io: Io,
): Promise<number> {
  const { contract } = whole.oracle;
  const { verbose, quiet, recorded, strict } = options;
  const places = placesOf(options, whole, io.env);
  const isGiven = options.origin === "given";
  const missing = isGiven ? missingIn(contract) : [];
  if (missing.length > 0) {
    const { title } = packaged.oracle.contract;
    throw new UsageError(
      `--origin given is about the founding document of ${title}; the contract ` +
        `${contract.title} has no ${missing.join(", ")}`,
    );
  }
  const suite = isGiven ? givenSuite(whole) : whole;
  const selection = selectionOf(options);
  if (options.dryRun) {
    for (const { target } of places) io.stdout.write(dryRun(target.url, suite, selection));
    return EXIT.conformant;
  }
  const known = reading(() =>
    options.knownFailures.map((file) => readKnownFailures(file, contract)),
  );
  const exceptions =
    options.exceptions === undefined ? [] : reading(() => readExceptions(options.exceptions ?? ""));
  const gateway = gatewayOf(options, contract);
  const line = (words: readonly string[]) =>
    commandLine(words.map((word) => masked(word, gateway)));
  const isOwn = contract.title === packaged.oracle.contract.title;
  const reporting = (index: number): Reporting => ({
    program,
    command: line(argv),
    contractFile: options.contract ?? "contract.json",
    detail: quiet ? "quiet" : verbose ? "verbose" : "normal",
    files: filesOf(options, index),
    alone: (words) => line([...alonePart(argv), ...words]),
    removal: isOwn
      ? "On storage of your own, `npx atpoint users purge-conformance --yes` removes them."
      : null,
  });
  const [first] = places;
  if (recorded !== undefined && first) {
    const replayed = {
      ...first,
      selection,
      knownFailures: known[0] ?? [],
      isStrict: strict ?? false,
    };
    return checkRecorded(
      whole,
      recorded,
      { ...replayed, isVerbose: verbose ?? false },
      io,
      reporting(0),
    );
  }
  const deployments = places.map(({ target, credentials }) => {
    if (!credentials && isGiven)
      throw new UsageError(`no key for ${target.url}: set API_KEY, or give --credentials FILE`);
    const effects = effectsOf(target, options);
    return { target, credentials: credentials ?? NO_CREDENTIALS, ...effects };
  });
  const runs = deployments.map((deployment, index) => {
    const previous = deployments[index - 1];
    const run = {
      ...optionsOf(options, io),
      ...deployment,
      gateway,
      proxy: proxyIn(io.env, deployment.target),
      // One file for both targets, or one for each.
      knownFailures: known[index] ?? known[0] ?? [],
      ...(previous && { pair: { ...previous, exceptions } }),
    };
    return { run, reporting: reporting(index) };
  });
  const unselected = leftBy(selection, contract);
  // What is about both is checked by the run of the second.
  const isOfBoth =
    runs.length > 1 && contract.requirements.every(({ id }) => id === SAME || unselected.has(id));
  return checkLive(suite, runs.slice(isOfBoth ? 1 : 0), io);
}

async function checkLive(
  suite: Suite,
  runs: readonly { readonly run: RunOptions; readonly reporting: Reporting }[],
  io: Io,
): Promise<number> {
  for (const { reporting } of runs) openFiles(reporting.files);
  const codes: number[] = [];
  for (const { run, reporting } of runs) {
    codes.push(await checkTarget(suite, run, io, reporting));
    // There is nothing to compare the other with.
    if (codes.at(-1) === EXIT.preflight) break;
  }
  return worst(codes);
}

/** The command. Resolves with the exit code; `argv` has the arguments after the program's name. */
export async function main(
  argv: readonly string[],
  io: Io,
  given: Suite = packaged,
): Promise<number> {
  const command = createCommand(
    (text) => io.stdout.write(text),
    (text) => io.stderr.write(text),
  );
  try {
    const options = command.parse(argv, { from: "user" }).opts<CliOptions>();
    const suite = await suiteOf(options, given);
    const { contract } = suite.oracle;
    if (options.list) io.stdout.write(listRequirements(contract));
    else if (options.cover) io.stdout.write(await cover(suite, options));
    else if (options.explain !== undefined) {
      const text = explain(suite, options.explain);
      const ids = [...contract.requirements, ...contract.clauses].map(({ id }) => id);
      if (text === null)
        throw new UsageError(
          `--explain ${meant(options.explain, ids)}: no such requirement or clause; see --list`,
        );
      io.stdout.write(text);
    } else return await check(argv, options, suite, io);
    return EXIT.conformant;
  } catch (error) {
    // Commander has printed the error already; --help and --version exit with 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.conformant : EXIT.usage;
    const isUsage = error instanceof UsageError || error instanceof UnknownCase;
    io.stderr.write(`${isUsage ? "" : "fault of the suite: "}${messageOf(error)}\n`);
    return isUsage ? EXIT.usage : EXIT.harness;
  }
}
