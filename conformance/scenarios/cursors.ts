import { type Operation, pageItemOf } from "../oracle/contract.ts";
import type { Oracle } from "../oracle/predict.ts";
import { isObject } from "../oracle/schema.ts";
import { plain, setParameter, written } from "../requests/draft.ts";
import { reasonAgainst } from "../run/effects.ts";
import { compared } from "../run/exchange.ts";
import { Lacking } from "../run/script.ts";
import type { Run, Script } from "../run/state.ts";

const REQUIREMENT = "paging/cursor-of-operation";

/** A page with a parameter; null if this run may not request it. */
async function pageOf({ run, list }: { run: Run; list: Operation }, name: string, value: string) {
  const draft = plain(list, run.inputs.all.get(list.id) ?? list.example, run.source.caller);
  setParameter(draft, name, value);
  const request = written(draft);
  const prediction = run.suite.oracle.predict(request, run.world);
  return reasonAgainst(run, request, prediction) === null ? compared(run, request, prediction) : null;
}

/** The cursors of each list, sent to the others. */
async function* exchanged(run: Run, lists: readonly Operation[]): ReturnType<Script["run"]> {
  let isTried = false;
  for (const list of lists) {
    const page = await pageOf({ run, list }, "limit", "1");
    const body = page?.exchange.response?.json;
    const cursor = isObject(body) ? body.nextCursor : undefined;
    if (typeof cursor !== "string") continue;
    for (const other of lists.filter((one) => one !== list)) {
      const { findings = [] } = (await pageOf({ run, list: other }, "cursor", cursor)) ?? {};
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
