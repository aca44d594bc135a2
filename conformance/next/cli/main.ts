import { CommanderError } from "commander";
import { givenSuite } from "../given/suite.ts";
import { parseTarget, type Target } from "../http/target.ts";
import { packaged } from "../packaged.ts";
import { type Credentials, DEFAULTS, type RunOptions } from "../run/options.ts";
import { SAME } from "../run/pair.ts";
import { UnknownCase } from "../run/plan.ts";
import { leftBy, type Selection, unmatched } from "../run/select.ts";
import type { Suite } from "../run/state.ts";
import { EXIT, worst } from "../run/verdict.ts";
import { checkTarget, type Streams, written } from "./check-target.ts";
import { alonePart, commandLine } from "./command-line.ts";
import { readCredentials } from "./credentials.ts";
import { readExceptions } from "./exceptions.ts";
import { dryRun, explain, listRequirements } from "./explain.ts";
import { filesOf, openFiles } from "./files.ts";
import { gatewayOf, masked } from "./gateway.ts";
import { readKnownFailures } from "./known-failures.ts";
import { type CliOptions, createCommand } from "./options.ts";
import { program } from "./program.ts";
import { recordedReport } from "./recorded.ts";
import { cover, suiteOf } from "./suite.ts";
import { meant, messageOf, reading, UsageError } from "./usage.ts";

/** The environment of the process, passed in so that a test can run the command in its own process. */
export interface Io extends Streams {
  /** Ends the run early: SIGINT, SIGTERM. */
  readonly signal?: AbortSignal;
}

/** A deployment of the command line. */
interface Place {
  readonly target: Target;
  readonly credentials: Credentials | null;
}

function placesOf(options: CliOptions, { oracle: { contract } }: Suite, env: NodeJS.ProcessEnv): readonly Place[] {
  const { url, credentials, knownFailures, exceptions, only, skip } = options;
  if (url.length === 0) throw new UsageError("--url is missing");
  if (url.length > 2) throw new UsageError("--url: one deployment, or two to compare");
  for (const [flag, files] of Object.entries({ "--credentials": credentials, "--known-failures": knownFailures }))
    if (files.length > url.length) throw new UsageError(`${flag}: one file for each --url`);
  if (exceptions !== undefined && url.length < 2)
    throw new UsageError("--exceptions: there is no second --url to differ");
  for (const flag of ["explore", "recorded", "case"] as const)
    if (options[flag] !== undefined && url.length > 1) throw new UsageError(`--${flag}: one --url`);
  const nothing = unmatched(contract, [...only, ...skip]);
  const ids = contract.requirements.map(({ id }) => id);
  if (nothing.length > 0)
    throw new UsageError(`no requirement matches ${nothing.map((one) => meant(one, ids)).join(", ")}; see --list`);
  return reading(() =>
    url.map((text, index) => ({
      target: parseTarget(text),
      credentials: readCredentials(credentials[index], env, contract),
    })),
  );
}

/** What a run may do. A loopback address may be a tunnel to a remote deployment: one option alone takes the other away. */
function effectsOf({ loopback }: Target, { readOnly, allowWrite, allowHostile }: CliOptions) {
  const isOwn = loopback && !readOnly && !allowWrite && !allowHostile;
  return { mayWrite: isOwn || allowWrite === true, mayHarm: isOwn || allowHostile === true };
}

const selectionOf = ({ only, skip, level, case: one }: CliOptions): Selection => ({
  ...{ only, skip, level, case: one ?? null },
});

/** What all runs of a command have in common. */
const optionsOf = (options: CliOptions, { signal }: Io) =>
  ({
    ...{ seed: options.seed, concurrency: options.concurrency, maxFailures: options.maxFailures, signal },
    ...{ selection: selectionOf(options), draws: DEFAULTS.draws, timeoutMs: options.timeout, explore: options.explore },
    deadlineMs: options.deadline === undefined ? DEFAULTS.deadlineMs : options.deadline * 1000,
    isDeadlineOpen: options.deadline === undefined,
    isSmoke: options.smoke ?? false,
    isExhaustive: options.exhaustive ?? false,
    isSlow: options.slow ?? false,
    isStrict: options.strict ?? false,
    isComplete: options.complete ?? false,
  }) satisfies Partial<RunOptions>;

async function check(argv: readonly string[], options: CliOptions, whole: Suite, io: Io): Promise<number> {
  const { contract } = whole.oracle;
  const { verbose, quiet } = options;
  const suite = options.origin === "given" ? givenSuite(whole) : whole;
  const places = placesOf(options, whole, io.env);
  if (options.dryRun) {
    for (const { target } of places)
      io.stdout.write(dryRun(target.url, { suite, selection: selectionOf(options), draws: DEFAULTS.draws }));
    return EXIT.conformant;
  }
  const known = reading(() => options.knownFailures.map((file) => readKnownFailures(file, contract)));
  const exceptions = options.exceptions === undefined ? [] : reading(() => readExceptions(options.exceptions ?? ""));
  const gateway = gatewayOf(options, contract);
  const left = leftBy(selectionOf(options), contract);
  // What is about both is checked by the run of the second.
  const isOfBoth = places.length > 1 && contract.requirements.every(({ id }) => id === SAME || left.has(id));
  const runs = [...places.keys()].slice(isOfBoth ? 1 : 0);
  for (const index of runs) reading(() => openFiles(filesOf(options, index)));
  const command = (words: readonly string[]) =>
    commandLine(
      words.map((word) => masked(word, gateway)),
      io.env,
    );
  const about = {
    ...{ program, command: command(argv), contractFile: options.contract ?? "contract.json" },
    detail: quiet ? "quiet" : verbose ? "verbose" : "normal",
  } as const;
  const [first] = places;
  if (options.recorded !== undefined && first) {
    // No key is needed for it.
    const replayed = { ...first, selection: selectionOf(options), knownFailures: known[0] ?? [] };
    const mode = { isStrict: options.strict ?? false, isVerbose: verbose ?? false };
    const report = await recordedReport(whole, options.recorded, { ...replayed, ...mode }, about).catch(
      (error: unknown) => {
        throw new UsageError(`--recorded ${options.recorded}: ${messageOf(error)}`);
      },
    );
    return written(report, { ...about, files: filesOf(options, 0) }, io);
  }
  const deployments = places.map(({ target, credentials }) => {
    if (credentials) return { target, credentials };
    throw new UsageError(`no key for ${target.url}: set API_KEY, or give --credentials FILE`);
  });
  const codes: number[] = [];
  for (const [index, { target, credentials }] of deployments.entries()) {
    if (!runs.includes(index)) continue;
    const other = deployments[index - 1];
    const run = {
      ...{ ...optionsOf(options, io), ...effectsOf(target, options), target, credentials, gateway },
      // One file for both targets, or one for each.
      knownFailures: known[index] ?? known[0] ?? [],
      ...(other && { pair: { ...other, ...effectsOf(other.target, options), exceptions } }),
    };
    const code = await checkTarget(suite, run, io, {
      ...{ ...about, files: filesOf(options, index) },
      alone: (words) => command([...alonePart(argv), ...words]),
      removal:
        contract.title === packaged.oracle.contract.title
          ? "On storage of your own, `atpoint users purge-conformance --yes` removes them."
          : null,
    });
    codes.push(code);
    // There is nothing to compare the other with.
    if (code === EXIT.preflight) break;
  }
  return worst(codes);
}

/** The command. Resolves with the exit code; `argv` has the arguments after the program's name. */
export async function main(argv: readonly string[], io: Io, given: Suite = packaged): Promise<number> {
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
        throw new UsageError(`--explain ${meant(options.explain, ids)}: no such requirement or clause; see --list`);
      io.stdout.write(text);
    } else return await check(argv, options, suite, io);
    return EXIT.conformant;
  } catch (error) {
    // Commander has printed the error already; --help and --version exit with 0.
    if (error instanceof CommanderError) return error.exitCode === 0 ? EXIT.conformant : EXIT.usage;
    const isUsage = error instanceof UsageError || error instanceof UnknownCase;
    io.stderr.write(`${isUsage ? "" : "fault of the harness: "}${messageOf(error)}\n`);
    return isUsage ? EXIT.usage : EXIT.harness;
  }
}
