// What is checked of an example, in the folder that `new-service` writes.
import { readdir, readFile, writeFile } from "node:fs/promises";
import { join } from "node:path";
import type { Contract } from "../conformance/oracle/contract.ts";
import type { RunOptions } from "../conformance/run/options.ts";
import type { Suite } from "../conformance/run/state.ts";
import type { Defect } from "./examples/defect.ts";
import { exampleNames, packAll, writeExample } from "./new-service.ts";
import { installLinked, run, runSuite, startWritten, suiteOf } from "./written-service.ts";

export interface Example {
  readonly name: string;
  readonly defects: readonly Defect[];
}

/** Those of the repository, each with its defects. */
export async function allExamples(): Promise<readonly Example[]> {
  const files = await readdir(join(import.meta.dirname, "examples"));
  const names = await exampleNames();
  return Promise.all(
    names.map(async (name) => {
      const isThere = files.includes(`${name}.ts`);
      const { defects = [] }: Partial<Example> = isThere
        ? await import(`./examples/${name}.ts`)
        : {};
      return { name, defects };
    }),
  );
}

/** Writes all examples into a folder, each generated, with one installation of the packages. */
export async function installExamples(home: string): Promise<void> {
  const packed = await packAll(join(home, "packages"));
  await installLinked(home);
  for (const name of await exampleNames()) {
    await writeExample(join(home, name), name, packed);
    await run("npm", ["run", "generate"], { cwd: join(home, name) });
  }
}

/**
 * The plain call of each operation. With the scenarios, it is enough for what a service does
 * itself: its input is checked by the server.
 */
export const plainCases = ({ operations }: Contract): readonly string[] =>
  Object.keys(operations).map((id) => `${id} plain`);

/** Only the scenarios of records and lists, until enough is found. */
const SCENARIOS = /^scenario (?:history|rounds|last)/;
const QUICK: Partial<RunOptions> = { randomCaseCount: 0, maxFailures: 6 };

/** The requirements that a service with a defect breaks, those that were found first before. */
export async function failedWith(
  folder: string,
  { file, text, by }: Defect,
  settings: NodeJS.ProcessEnv = {},
): Promise<readonly string[]> {
  const path = join(folder, file);
  const right = await readFile(path, "utf8");
  if (!right.includes(text)) throw new Error(`${file} has no "${text}"`);
  await writeFile(
    path,
    right.replace(text, () => by),
  );
  const service = await startWritten(folder, settings).finally(() => writeFile(path, right));
  try {
    const suite = await suiteOf(folder);
    const { results } = await runSuite(service, scenariosOf(suite), QUICK);
    const failed = results.findings.flatMap(({ requirement, concerns = [] }) => [
      requirement,
      ...concerns,
    ]);
    return [...new Set(failed)];
  } finally {
    await service.stop();
  }
}

const scenariosOf = (suite: Suite): Suite => ({
  ...suite,
  coveringCases: plainCases(suite.oracle.contract),
  scripts: suite.scripts.filter(({ id }) => SCENARIOS.test(id)),
});
