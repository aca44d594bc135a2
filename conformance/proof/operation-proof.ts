import { packaged } from "../packaged.ts";
import { sampleOf } from "../requests/cover.ts";
import { cases } from "../requests/generate.ts";
import { everything } from "../run/options.ts";
import type { Report } from "../run/run.ts";
import type { Suite } from "../run/state.ts";
import { ALLOWED, EQUIVALENT, OPEN, UNSEEN, withoutReason } from "./equivalent.ts";
import type { RunningService } from "./kits/service.test-kit.ts";
import { triedPoints } from "./points.ts";
import { isFound, responseMutantsOf } from "./responses/mutants.ts";
import { Recording, recordedRun } from "./responses/recording.ts";

/** Only an extension can know whether the right value is stored, or shown. */
const VALUE = / changes \//;

export interface OfOperation {
  readonly report: Report;
  /**
   * How many mutants there are, and those that are not found. A suite that finds faults of the
   * right service proves nothing.
   */
  readonly tried: number;
  readonly left: readonly string[];
}

/**
 * What the suite has for these operations: a run of their requirements, with every case of them,
 * and their mutants (points decided wrongly for one of them, and their right responses changed).
 */
export async function runOf(ids: readonly string[], service: RunningService): Promise<OfOperation> {
  const { oracle, tables, paths } = packaged;
  const { source, model } = sampleOf(oracle.contract, paths);
  const all = [...cases(tables, source, oracle, model)].filter(({ operation }) =>
    ids.includes(operation.id),
  );
  const selection = { ...everything, only: ids.map((id) => `${id}/*`) };
  const suite: Suite = { ...packaged, coveringCases: all.map(({ id }) => id) };
  const { report, exchanges } = await recordedRun(service, { selection }, suite);
  if (report.results.findings.length > 0) return { report, tried: 0, left: [] };
  const points = triedPoints(ids);
  const recording = new Recording(service.url, exchanges);
  const responses = responseMutantsOf(recording).filter(
    ({ kind, id }) => ids.some((one) => ` ${kind} `.includes(` ${one} `)) && !VALUE.test(id),
  );
  const left = responses.filter((one) => !isFound(recording, one)).map(({ id }) => id);
  return {
    report,
    tried: points.tried + responses.length,
    left: [
      ...withoutReason(points.left, [...EQUIVALENT, ...OPEN]),
      ...withoutReason(left, [...ALLOWED, ...UNSEEN]),
    ],
  };
}
