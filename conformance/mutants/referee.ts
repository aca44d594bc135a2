// Writes what the suite that this one replaces finds, by names: points, changed responses, broken servers, right deployments,
// requirements. `npm run -s referee > conformance/next/referee.json`, in a work tree of the commit that it is of.

import { ours } from "../lists/ours.ts";
import { mutationsOf, nameOf, trialsOf, tryPoints } from "../next/requests/points.ts";
import { answersOfOne, answersOfOther } from "../right/answers.ts";
import { behaviourOfOne, behaviourOfOther } from "../right/behaviour.ts";
import { connectionsOfOne, connectionsOfOther } from "../right/connections.ts";
import { callers } from "../sequences/broken/callers.ts";
import { find } from "../sequences/broken/find.test-kit.ts";
import { keys } from "../sequences/broken/keys.ts";
import { lists } from "../sequences/broken/lists.ts";
import { checks } from "../suite.ts";
import { judgeAt, startService } from "../test/service.test-kit.ts";
import { mutants } from "./index.ts";
import { Judge } from "./judged.ts";
import { lanes, onServices, seededService } from "./laboratory.ts";
import { concerns } from "./mutant.ts";
import { offline } from "./offline.ts";
import { perturbationsOf } from "./perturbations.ts";
import { tryByLaws } from "./perturbed.ts";
import { Recording, recordable } from "./recording.ts";
import { senders, trial } from "./trial.ts";

/** The points that are decided wrongly and found, by scope and point. */
function points() {
  const { requests, world } = offline();
  const trials = trialsOf(ours, world, requests);
  const survivors = new Set(tryPoints(ours, world, trials).survivors.map(nameOf));
  const killed: Record<string, Record<string, string[]>> = {};
  for (const [mutation] of mutationsOf(ours, trials)) {
    if (survivors.has(nameOf(mutation))) continue;
    const { point, how, only } = mutation;
    killed[only] = { ...killed[only], [point]: [...(killed[only]?.[point] ?? []), how] };
  }
  return killed;
}

/** By the kind of a response and its change, what finds it: a law, `prediction`, or nothing. */
async function responses() {
  const service = await seededService();
  const recording = new Recording(service);
  await recording.add(recordable);
  const all = perturbationsOf(ours.contract, recording);
  const { caught } = tryByLaws(all, new Judge(recording));
  await service.stop();
  const found: Record<string, Record<string, string[]>> = {};
  for (const one of all) {
    const by = caught.get(one)?.[0];
    const finder = by === undefined ? "nothing" : (by ?? "prediction").replace(/#.*/, "");
    found[one.kind] = {
      ...found[one.kind],
      [finder]: [...(found[one.kind]?.[finder] ?? []), one.operator.name],
    };
  }
  return found;
}

/** By the name of a broken server, the requirement of its first finding. */
async function broken() {
  const causes = new Map<string, string | null>(mutants.map(({ id }) => [id, null]));
  await onServices(async (bench) => {
    for (const slow of [false, true])
      for (const { width, takes } of lanes)
        await bench(
          mutants.filter(({ id }) => causes.get(id) === null),
          width,
          async (mutant, service) => {
            for (const check of senders.filter((one) => one.slow === slow && takes(one))) {
              if (!concerns(mutant, check.requirement) || causes.get(mutant.id) !== null) continue;
              const [kill] = await trial(mutant, check, service);
              if (kill) causes.set(mutant.id, kill.expectation.saidBy ?? kill.judge.requirement);
            }
          },
        );
    const stateful = [...keys, ...lists, ...callers];
    const open = mutants.filter(({ id }) => causes.get(id) === null).map(({ id, hooks }) => [id, hooks] as const);
    await bench([...stateful, ...open], 1, async (one, service) => {
      const found = (await find(one, service, 1)) ?? (await find(one, service, 2));
      causes.set(one[0], found?.split(": ", 1)[0]?.replace(/#.*/, "") ?? null);
    });
  });
  return Object.fromEntries(causes);
}

/** The requirements that a run with all keys has passed, and those of which it says why not. */
async function requirements() {
  const service = await startService();
  const { results } = await judgeAt(
    service.url,
    service.credentials,
    checks.filter(({ kind, slow }) => kind !== "pair" && !slow),
  );
  await service.stop();
  const passed = results.filter(({ outcome }) => outcome === "passed").map(({ requirement }) => requirement.id);
  return [...new Set(passed)].sort();
}

const right = [answersOfOne, behaviourOfOne, connectionsOfOne, answersOfOther, behaviourOfOther, connectionsOfOther];
const steps = { points, responses, broken, requirements, right: () => right.flat().map(({ id }) => id) };
const wanted = process.argv.slice(2);
const entries: [string, unknown][] = [];
for (const [name, step] of Object.entries(steps)) {
  if (wanted.length > 0 && !wanted.includes(name)) continue;
  entries.push([name, await step()]);
  console.error(name);
}
console.log(JSON.stringify(Object.fromEntries(entries)));
