import { type Operation, pageItemOf } from "../oracle/contract.ts";
import type { Oracle } from "../oracle/predict.ts";
import { isObject } from "../oracle/schema.ts";
import { requested } from "../run/ends.ts";
import { Lacking } from "../run/script.ts";
import type { Run, Script } from "../run/state.ts";

const REQUIREMENT = "paging/cursor-of-operation";

/** The cursors of each list, sent to the others. */
async function* exchanged(run: Run, lists: readonly Operation[]): ReturnType<Script["run"]> {
  let isTried = false;
  for (const list of lists) {
    const page = await requested(run, list, { limit: 1 });
    const body = page?.exchange.response?.json;
    const cursor = isObject(body) ? body.nextCursor : undefined;
    if (typeof cursor !== "string") continue;
    for (const other of lists.filter((one) => one !== list)) {
      const { findings = [] } = (await requested(run, other, { cursor })) ?? {};
      isTried = true;
      for (const one of findings)
        yield { ...one, requirement: one.source === "prediction" ? REQUIREMENT : one.requirement };
    }
  }
  if (!isTried) throw new Lacking("no list has a second page");
}

/** Of a contract with several lists. */
export function cursorScripts({ contract }: Oracle): readonly Script[] {
  const lists = Object.values(contract.operations).filter((one) => pageItemOf(contract, one));
  const isRequired = contract.requirements.some(({ id }) => id === REQUIREMENT);
  if (lists.length < 2 || !isRequired) return [];
  return [
    {
      ...{ id: "scenario cursors of other lists", requirements: [REQUIREMENT], effect: "read", alone: true },
      run: (run) => exchanged(run, lists),
    },
  ];
}
