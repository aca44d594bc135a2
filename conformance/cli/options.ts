import { randomInt } from "node:crypto";
import { Command, InvalidArgumentError, Option } from "commander";
import { REFUSAL_RULE } from "../client/leeway.ts";
import { DEFAULT_DEADLINE_S, DEFAULT_TIMEOUT_MS } from "../client/session.ts";
import { DEFAULT_CONCURRENCY } from "../engine/judge-all.ts";
import type { Level } from "../engine/select.ts";
import { suite } from "../report/report.ts";

/** The parsed command line. */
export interface CliOptions {
  readonly url: readonly string[];
  /** Read before the suite is loaded. */
  readonly contract?: string;
  readonly origin: "given" | "all";
  readonly level: Level;
  readonly landing?: string;
  readonly email?: string;
  readonly refused?: string;
  readonly only: readonly string[];
  readonly skip: readonly string[];
  readonly smoke?: true;
  readonly header: readonly string[];
  readonly clientCert?: string;
  readonly clientKey?: string;
  /** Ends the run after this many failures. */
  readonly maxFailures?: number;
  /** Number of runs, each with its own seed. */
  readonly repeat?: number;
  readonly list?: true;
  readonly explain?: string;
  readonly dryRun?: true;
  readonly explore?: number;
  readonly readOnly?: true;
  readonly allowWrite?: true;
  readonly allowHostile?: true;
  readonly slow?: true;
  readonly credentials: readonly string[];
  readonly knownFailures: readonly string[];
  readonly exceptions?: string;
  readonly complete?: true;
  readonly strict?: true;
  readonly diff?: readonly string[];
  /** Milliseconds between the end of a run and the next one. */
  readonly watch?: number;
  readonly metrics?: number;
  readonly quiet?: true;
  readonly verbose?: true;
  readonly json?: string;
  readonly junit?: string;
  readonly markdown?: string;
  readonly html?: string;
  readonly seed: number;
  readonly timeout: number;
  readonly deadline: number;
  readonly concurrency: number;
}

const MAX_SEED = 2 ** 32 - 1;
/** The maximum for `--repeat`. */
const MOST_RUNS = 100;
const MAX_DEADLINE_S = 86_400;

const collect = (value: string, earlier: readonly string[]) => [...earlier, value];

function integer(least: number, most: number): (text: string) => number {
  return (text) => {
    const value = Number(text);
    if (!/^\d+$/.test(text) || value < least || value > most)
      throw new InvalidArgumentError(`an integer from ${least} to ${most}.`);
    return value;
  };
}

function fitting(pattern: RegExp, form: string): (text: string) => string {
  return (text) => {
    if (!pattern.test(text)) throw new InvalidArgumentError(form);
    return text;
  };
}

function pause(text: string): number {
  const [, count, unit] = /^(\d{1,6})(s|m|h)$/.exec(text) ?? [];
  if (!count || !unit) throw new InvalidArgumentError("a number and s, m or h: 60s.");
  return Number(count) * { s: 1000, m: 60_000, h: 3_600_000 }[unit as "s" | "m" | "h"]; // Guaranteed by the pattern.
}

/** The command, without actions: call `parse`, then read `opts()`. Throws a CommanderError instead of ending the process. */
export function createCommand(out: (text: string) => void, err: (text: string) => void): Command {
  return new Command(suite.name)
    .description(
      "Judges any deployment of the Atpoint contract by its URL. Credentials: API_KEY and PLATFORM in the environment, or --credentials.",
    )
    .version(suite.version)
    .exitOverride()
    .configureOutput({ writeOut: out, writeErr: err })
    .option(
      "--url <url>",
      "base URL of the deployment; a second one is compared with the first (repeatable)",
      collect,
      [],
    )
    .option("--contract <file>", "contract to check against, as `npm run generate` writes it (default: Atpoint's own)")
    .addOption(new Option("--origin <origin>", "requirements to judge").choices(["given", "all"]).default("all"))
    .addOption(
      new Option("--level <level>", "this level and those above it").choices(["MUST", "SHOULD", "MAY"]).default("MAY"),
    )
    .option(
      "--landing <path>",
      "with --origin given: where the landing page is, below the base URL",
      fitting(/^\/[!-~]*$/, "a path: /home."),
    )
    .option(
      "--email <template>",
      "with --origin given: an e-mail address that is taken, {id} where it differs: qa-{id}@example.net",
      fitting(/^[\w.+-]*\{id\}[\w.+-]*@[\w.-]+$/, "an address with {id} before its @: qa-{id}@example.net."),
    )
    .option(
      "--refused <rule>",
      "with --origin given: what a body has that says no, POINTER or POINTER=VALUE: /error, /ok=false",
      fitting(REFUSAL_RULE, "a JSON pointer, or one and a value: /error, /ok=false."),
    )
    .option("--only <pattern>", "checks whose id matches, * for anything (repeatable)", collect, [])
    .option("--skip <pattern>", "no checks whose id matches (repeatable)", collect, [])
    .option("--smoke", "a first look in seconds: golden exchanges, and of each list a request on both sides")
    .option("--list", "list all checks, selected or not, and exit")
    .option("--explain <id>", "explain a check, a requirement or a clause of the contract, and exit")
    .option("--dry-run", "say what would run, send nothing")
    .option(
      "--explore <n>",
      "send so many requests that no check has, generated by --seed, some of them in sequences, instead of the checks",
      integer(1, 1_000_000),
    )
    .addOption(
      new Option(
        "--read-only",
        "only read, on loopback too: create nothing, send nothing malformed or oversized",
      ).conflicts(["allowWrite", "allowHostile"]),
    )
    .option("--allow-write", "create users, off loopback too; alone, it leaves out what is hostile on loopback")
    .option("--allow-hostile", "send malformed and oversized traffic and many wrong keys, off loopback too")
    .option("--slow", "run checks that wait for a time-out as well")
    .option(
      "--credentials <file>",
      "JSON file of credentials, one for each --url in their order (repeatable)",
      collect,
      [],
    )
    .option(
      "--header <field>",
      "field that a gateway wants in every request: 'Name: value'; reports mask the value (repeatable)",
      collect,
      [],
    )
    .option("--client-cert <file>", "client certificate for https, PEM")
    .option("--client-key <file>", "its private key, PEM")
    .option(
      "--known-failures <file>",
      "JSON array of {id, reason, until}; one for all, or one for each --url (repeatable)",
      collect,
      [],
    )
    .option("--exceptions <file>", "differences of two deployments that are meant: JSON array of {pointer, reason}")
    .option("--max-failures <n>", "stop after so many failures", integer(1, 1_000_000))
    .option(
      "--repeat <n>",
      "run so many times, each with another seed, and list what failed in some",
      integer(2, MOST_RUNS),
    )
    .option("--complete", "checks that are not selected make the run incomplete")
    .option("--strict", "a SHOULD counts like a MUST")
    .option("--diff <files...>", "say what changed between two JSON reports, the older first, and exit")
    .option(
      "--watch <time>",
      "judge again and again, so long apart (60s), only reading: what is given, or --only",
      pause,
    )
    .option(
      "--metrics <port>",
      "with --watch: the outcome for Prometheus on 127.0.0.1, at /metrics",
      integer(1, 65_535),
    )
    .option("--quiet", "print the verdict alone")
    .option("--verbose", "print every check as it ends, every failure with its exchanges, every clause")
    .option("--json <file>", "write the report as JSON")
    .option("--junit <file>", "write the report as JUnit XML")
    .option("--markdown <file>", "write the report as Markdown")
    .option("--html <file>", "write the report as HTML")
    .addOption(
      new Option("--seed <n>", "order of the checks")
        .argParser(integer(0, MAX_SEED))
        .default(randomInt(MAX_SEED), "random"),
    )
    .option("--timeout <ms>", "per request, in milliseconds", integer(1, MAX_DEADLINE_S * 1000), DEFAULT_TIMEOUT_MS)
    .option(
      "--deadline <s>",
      "for the run against one target, in seconds",
      integer(1, MAX_DEADLINE_S),
      DEFAULT_DEADLINE_S,
    )
    .option("--concurrency <n>", "checks at the same time", integer(1, 64), DEFAULT_CONCURRENCY)
    .addHelpText(
      "after",
      "\nExit codes: 0 conformant, 1 not conformant, 2 usage, 3 unreachable or preflight failed, 4 fault of the harness, 5 incomplete",
    );
}
