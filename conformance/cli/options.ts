import { randomInt } from "node:crypto";
import { Command, InvalidArgumentError, Option } from "commander";
import { DEADLINE_MS, DEFAULTS, type Selection, type Settled } from "../run/options.ts";
import { program } from "./command-line.ts";
import type { ReportFiles } from "./files.ts";

type Flag =
  | (
      | "smoke"
      | "exhaustive"
      | "slow"
      | "list"
      | "dryRun"
      | "cover"
      | "readOnly"
      | "allowWrite"
      | "allowHostile"
    )
  | ("complete" | "strict" | "quiet" | "verbose");
type Text =
  | "contract"
  | "extensions"
  | "case"
  | "explain"
  | "recorded"
  | "clientCert"
  | "clientKey"
  | "exceptions";
type Repeatable = "url" | "credentials" | "header" | "knownFailures";

/** The parsed command line. */
export interface CliOptions
  extends Readonly<
      Partial<Record<Flag, true>> &
        Partial<Record<Text, string>> &
        Record<Repeatable, readonly string[]>
    >,
    Pick<Settled, "seed" | "concurrency" | "maxFailures" | "explore">,
    Omit<Selection, "case" | "profile">,
    ReportFiles {
  readonly origin: "given" | "all";
  readonly profile: "operations" | "all";
  /** Milliseconds. */
  readonly timeout: number;
  /** Seconds; undefined: the default, or what an exhaustive run of a remote deployment takes. */
  readonly deadline?: number;
}

const MAX_SEED = 2 ** 32 - 1;
const MAX_DEADLINE_S = 86_400;

const collect = (value: string, earlier: readonly string[] = []) => [...earlier, value];

function integer(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most)
      throw new InvalidArgumentError(`an integer from ${least} to ${most}.`);
    return value;
  };
}

/** An option that may be given several times. */
const repeatable = (flags: string, description: string) =>
  new Option(flags, `${description} (repeatable)`).argParser(collect).default([], "none");

/**
 * The command, without actions: call `parse`, then read `opts()`. Throws a CommanderError instead
 * of ending the process.
 */
export function createCommand(out: (text: string) => void, err: (text: string) => void): Command {
  return new Command(`npx ${program.name}`)
    .description(
      "Checks any deployment of an Atpoint contract by its URL. Credentials: API_KEY and " +
        "PLATFORM in the environment, or --credentials. A restricted key, or none, checks less.",
    )
    .version(program.version)
    .exitOverride()
    .configureOutput({ writeOut: out, writeErr: err })
    .addOption(
      repeatable(
        "--url <url>",
        "base URL of the deployment; a second one is compared with the first",
      ),
    )
    .optionsGroup("What is checked:")
    .option("--contract <file>", "contract.json of another service (default: that of this service)")
    .option(
      "--extensions <file>",
      "ES module with what that contract cannot say; it runs with your rights",
    )
    .addOption(
      new Option("--origin <origin>", "requirements to check")
        .choices(["given", "all"])
        .default("all"),
    )
    .addOption(
      new Option(
        "--profile <profile>",
        "operations: what each operation promises, not what a proxy in front may answer itself",
      )
        .choices(["operations", "all"])
        .default("all"),
    )
    .addOption(
      new Option("--level <level>", "this level and those above it")
        .choices(["MUST", "SHOULD", "MAY"])
        .default("MAY"),
    )
    .addOption(repeatable("--only <pattern>", "requirements whose id matches, * for anything"))
    .addOption(repeatable("--skip <pattern>", "no requirements whose id matches"))
    .option("--case <id>", "one case alone, as a finding names it")
    .addOption(
      new Option(
        "--recorded <file>",
        "compare recorded traffic (HAR, or JSON lines) with the contract, and send nothing",
      ).conflicts(["origin", "case", "smoke", "exhaustive", "explore", "slow"]),
    )
    .optionsGroup("How much is sent:")
    .addOption(
      new Option("--smoke", "a first look in seconds").conflicts(["exhaustive", "explore"]),
    )
    .addOption(
      new Option(
        "--exhaustive",
        "every case, not the covering ones and some that the seed draws",
      ).conflicts("explore"),
    )
    .option(
      "--explore <n>",
      "so many requests of two and three variations at once instead",
      integer(1, 1_000_000),
    )
    .option("--slow", "also what waits for a time-out")
    .option("--list", "list the requirements, and exit")
    .option("--explain <id>", "explain a requirement or a clause of the contract, and exit")
    .option("--dry-run", "say what would be sent, and send nothing")
    .option(
      "--cover",
      "write covering.json next to the contract: which cases a default run sends, and exit",
    )
    .optionsGroup("What it may do to the target:")
    .addOption(
      new Option(
        "--read-only",
        "only read, on loopback too: create nothing, send nothing malformed or oversized",
      ).conflicts(["allowWrite", "allowHostile"]),
    )
    .option(
      "--allow-write",
      "create records, off loopback too; alone, it leaves out what is hostile on loopback",
    )
    .option(
      "--allow-hostile",
      "send malformed and oversized traffic and many wrong keys, off loopback too",
    )
    .optionsGroup("How it is reached:")
    .addOption(
      repeatable(
        "--credentials <file>",
        "JSON file of credentials, one for each --url in their order",
      ),
    )
    .addOption(
      repeatable(
        "--header <field>",
        "field that a gateway wants in every request: 'Name: value'; reports mask the value",
      ),
    )
    .option("--client-cert <file>", "client certificate for https, PEM")
    .option("--client-key <file>", "its private key, PEM")
    .optionsGroup("What counts:")
    .addOption(
      repeatable(
        "--known-failures <file>",
        "JSON array of {id, case, reason, until}; one for all, or one for each --url",
      ),
    )
    .option(
      "--exceptions <file>",
      "differences of two deployments that are meant: JSON array of {pointer, reason}",
    )
    .option("--max-failures <n>", "stop after so many failed requirements", integer(1, 1_000_000))
    .option("--complete", "a requirement that is skipped makes the run incomplete")
    .option("--strict", "a SHOULD counts like a MUST")
    .optionsGroup("Reports:")
    .option("--quiet", "print the verdict alone")
    .option("--verbose", "print every finding with its exchanges, and every clause")
    .option("--json <file>", "write the report as JSON")
    .option("--junit <file>", "write the report as JUnit XML")
    .option("--markdown <file>", "write the report as Markdown")
    .option("--html <file>", "write the report as HTML")
    .optionsGroup("Limits:")
    .addOption(
      new Option("--seed <n>", "which cases are drawn, and their order")
        .argParser(integer(0, MAX_SEED))
        .default(randomInt(MAX_SEED), "random"),
    )
    .option(
      "--timeout <ms>",
      "per request, in milliseconds",
      integer(1, MAX_DEADLINE_S * 1000),
      DEFAULTS.timeoutMs,
    )
    .option(
      "--deadline <s>",
      `for the run against one target, in seconds (default: ${DEADLINE_MS / 1000})`,
      integer(1, MAX_DEADLINE_S),
    )
    .option("--concurrency <n>", "cases at the same time", integer(1, 64), DEFAULTS.concurrency)
    .addHelpText(
      "after",
      "\nExit codes: 0 conformant, 1 not conformant, 2 usage, 3 unreachable or preflight " +
        "failed, 4 fault of the suite, 5 incomplete",
    );
}
