import { ours } from "../lists/ours.ts";
import { nameOf, trialsOf, tryPoints } from "../next/requests/points.ts";
import type { RunningService } from "../test/service.test-kit.ts";
import { ALLOWED, EQUIVALENT, OPEN, UNSEEN, withoutReason } from "./equivalent.ts";
import { Judge } from "./judged.ts";
import { offline } from "./offline.ts";
import { perturbationsOf } from "./perturbations.ts";
import { leftByChecks, tryByLaws } from "./perturbed.ts";
import { Recording, type recordable } from "./recording.ts";

/** Only a check of the operation's own can detect whether the right value is stored, or shown. */
const VALUE = / changes \//;

/**
 * The mutants of these operations: points decided wrongly for one of them, and their right responses perturbed. Returns how many
 * there are, and the survivors.
 */
export async function mutantsOf(
  ids: readonly string[],
  checks: typeof recordable,
  service: RunningService,
): Promise<{ readonly tried: number; readonly left: readonly string[] }> {
  const { requests, world } = offline();
  const { mutants, survivors } = tryPoints(ours, world, trialsOf(ours, world, requests), ids);
  const recording = new Recording(service);
  await recording.add(checks);
  const all = perturbationsOf(ours.contract, recording).filter(
    ({ kind, operator }) => ids.some((id) => ` ${kind} `.includes(` ${id} `)) && !VALUE.test(` ${operator.name}`),
  );
  const open = await leftByChecks(tryByLaws(all, new Judge(recording)).left, recording);
  return {
    tried: mutants + all.length,
    left: [
      ...withoutReason(survivors.map(nameOf), [...EQUIVALENT, ...OPEN]),
      ...withoutReason(
        open.map(({ id }) => id),
        [...ALLOWED, ...UNSEEN],
      ),
    ],
  };
}
