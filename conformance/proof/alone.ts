import { packaged } from "../packaged.ts";
import { everything } from "../run/options.ts";
import type { Credentials } from "../secrets/credentials.ts";
import { runAt } from "./service.ts";

/** As many runs at once as keep the deployment busy. */
const AT_ONCE = 4;

/**
 * Sends each of these cases alone, by a run of its own that knows nothing of the deployment, as
 * `--case` does. Returns a line for each that finds something, or does not end as it should.
 */
export async function foundAlone(
  url: string,
  credentials: Credentials,
  cases = packaged.coveringCases ?? [],
): Promise<readonly string[]> {
  const lines: string[] = [];
  const queue = cases.values();
  const worker = async () => {
    for (const id of queue) {
      const selection = { ...everything, case: id };
      const { results, fault } = await runAt(url, credentials, { selection });
      const findings = results.findings.map(
        ({ requirement, expected, actual }) => `${requirement}: ${expected}; ${actual}`,
      );
      const ended = [fault, results.stopped].filter((reason) => reason !== null);
      const wrong = [...findings, ...results.faults, ...ended];
      lines.push(...wrong.map((line) => `--case '${id}': ${line}`));
    }
  };
  await Promise.all(Array.from({ length: AT_ONCE }, worker));
  return lines;
}
