import type { Definition } from "../definition.ts";
import { ExpectedError } from "../expected-error.ts";
import { type Config, ConfigError } from "../settings/config.ts";
import { StorageUnavailable } from "../storage/errors.ts";
import { type Checks, localChecks, storageChecks, type Verdict } from "./doctor-checks.ts";
import { explainFailure } from "./failure.ts";
import { type Cli, json, pluralize, withUnmigrated } from "./terminal.ts";

type Finding = Verdict & { readonly check: string };

/** Runs all checks, prints each finding, and throws when there is a fault. */
export async function doctor(
  definition: Definition,
  cli: Cli,
  given: { json?: true },
): Promise<void> {
  const findings = await examine(definition, cli.config, localChecks);
  const lines = findings.map(({ level, check, says, todo }) => {
    return `${level.padEnd(7)}  ${check}: ${says}${todo === undefined ? "" : ` To do: ${todo}`}\n`;
  });
  cli.stdout.write(given.json ? json(findings) : lines.join(""));
  const faults = findings.filter(({ level }) => level === "fault").length;
  if (faults > 0) throw new ExpectedError(`${pluralize(faults, "fault")}.`);
}

/** Every finding, in order. */
export async function examine(service: Definition, read: Cli["config"], local: Checks<Definition>) {
  let config: Config;
  try {
    config = read();
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error;
    const todo = "Correct it; .env.example has all settings.";
    return error.faults.map(
      (fault): Finding => ({ check: "configuration", level: "fault", says: `${fault}.`, todo }),
    );
  }
  const findings: Finding[] = [
    { check: "configuration", level: "ok", says: "Every variable is valid." },
  ];
  const run = async <Subject>(checks: Checks<Subject>, subject: Subject) => {
    for (const [check, look] of Object.entries(checks)) {
      const verdict = await Promise.resolve()
        .then(() => look(config, subject))
        .catch((error: unknown) => faultOf(error, "Correct this, and run the command again."));
      findings.push({ check, ...verdict });
    }
  };
  await run(local, service);
  try {
    await withUnmigrated({ service, config: read }, (storage) => run(storageChecks, storage));
  } catch (error) {
    // For a cause that has none of its own. Other messages of ours contain it.
    const remedy =
      error instanceof StorageUnavailable
        ? "Correct DATABASE_URL, or start the server that it names."
        : undefined;
    findings.push({ check: "storage", ...faultOf(error, remedy) });
  }
  return findings;
}

const faultOf = (error: unknown, remedy?: string): Verdict => {
  const { says, todo = remedy } = explainFailure(error);
  return { level: "fault", says: says.endsWith(".") ? says : `${says}.`, todo };
};
