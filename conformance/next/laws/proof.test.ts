// The responses of a run of the suite against the service: none differs from its prediction, or breaks a law; each one that is

// changed does, if predictions and laws of the old suite find it.
import { afterAll, beforeAll, expect, it } from "vitest";
import { Judge } from "../../mutants/judged.ts";
import { seededService } from "../../mutants/laboratory.ts";
import { overlap } from "../../mutants/mutant.ts";
import { type Perturbation, perturbationsOf } from "../../mutants/perturbations.ts";
import type { ProxyAnswer } from "../../mutants/proxy/message.ts";
import { Recording, recordable, type Sight } from "../../mutants/recording.ts";
import type { RunningService } from "../../test/service.test-kit.ts";
import type { Exchange, Finding, Memory } from "../exchange.ts";
import { atpoint } from "../extensions/atpoint/index.ts";
import { jsonIn } from "../http/json.ts";
import { emptyWorld, type Known, learn } from "../model/learn.ts";
import { pageDifference } from "../model/pages.ts";
import { packaged } from "../packaged.ts";
import { compare } from "./compare.ts";
import { lawsOf } from "./index.ts";
import { viewsOf } from "./view.ts";

/** Checks of a few kinds of responses, and one in so many changes. The whole takes minutes. */
const CHECKS = /^(?:user\.list|errors|cors)/;
const SAMPLED = 5;

const { contract } = packaged.oracle;
const views = viewsOf(contract);
const laws = [...lawsOf(contract, views), ...(atpoint.laws?.(contract, views) ?? [])];

function exchangeOf({ exchange, predicted }: Sight, answer: ProxyAnswer = exchange.answer): Exchange | null {
  if (!predicted) return null;
  const { status, reason, headers: fields, body } = answer;
  const response = { ...{ status, reason, fields, body, omitted: 0, version: "1.1" }, json: jsonIn(body) };
  const { request, prediction } = predicted;
  return { ...{ request, response, prediction, error: null, connection: 1 }, sentAt: 0, endedAt: Date.now() };
}

/** What is found about an exchange, by prediction, state and laws. */
function* findings(
  exchange: Exchange,
  world: Known,
  memory: Memory,
): Generator<Omit<Finding, "exchanges" | "at" | "case">> {
  const predicted = compare(exchange, contract, views);
  const requirement = exchange.prediction?.by ?? "";
  if (predicted) yield { ...predicted, requirement, source: "prediction" };
  const page = pageDifference(world, exchange, Number.POSITIVE_INFINITY);
  if (page) yield { ...page, source: "state" };
  for (const { id, applies, check } of laws) {
    const found = applies(exchange) && check(exchange, memory);
    if (found) yield { ...found, requirement: id, source: "law" };
  }
}

let service: RunningService;
let recording: Recording;
/** In the order of their responses. */
const sights: Sight[] = [];
const worlds = new Map<unknown, Known>();
/** Creates are sent at once: which of them comes first, the service decides. */
const UNPREDICTED = /user\.create\/one-of-many|histories|key-twins/;

beforeAll(async () => {
  service = await seededService();
  recording = new Recording(service);
  const { kinds } = recording;
  const { set } = kinds;
  kinds.set = (kind, all) => {
    sights.push(...all.slice(-1));
    return set.call(kinds, kind, all);
  };
  await recording.add(recordable.filter(({ id }) => CHECKS.test(id)));
});
afterAll(() => service.stop());

function worldOf({ check, predicted }: Sight): Known {
  const { keys = new Map(), platforms = [], files = new Set<string>() } = predicted?.model ?? {};
  const known =
    worlds.get(check) ?? emptyWorld(packaged.oracle, { url: service.url, keys, platforms, files: [...files] });
  worlds.set(check, known);
  return known;
}

it("finds nothing about right responses", () => {
  const memory: Memory = new Map();
  const wrong: string[] = [];
  for (const sight of sights) {
    const old = exchangeOf(sight);
    if (!old) continue;
    const world = worldOf(sight);
    const exchange = { ...old, prediction: packaged.oracle.predict(old.request, world) };
    if (!UNPREDICTED.test(sight.check.id))
      for (const { requirement, aspect, expected, actual } of findings(exchange, world, memory))
        wrong.push(
          `${sight.check.id}: ${requirement} ${aspect}: ${expected}; ${actual}; ${old.request.method} ${old.request.target}`,
        );
    learn(world, exchange);
  }
  expect(wrong).toEqual([]);
});

it("finds what is changed", () => {
  const all = perturbationsOf(contract, recording).filter((_, at) => at % SAMPLED === 0);
  /** What laws remember of these right responses. */
  const remembered = (...some: readonly (Sight | null)[]): Memory => {
    const memory: Memory = new Map();
    for (const exchange of some.map((sight) => sight && exchangeOf(sight)))
      if (exchange) for (const law of laws) if (law.applies(exchange)) law.check(exchange, memory);
    return memory;
  };
  const memories = new Map<Sight, Memory>();
  const caught = ({ trials, before, breaks }: Perturbation): boolean =>
    trials.some(([sight, answer]) => {
      const memory = memories.get(sight) ?? remembered(before === sight ? null : before, recording.twinOf(sight));
      memories.set(sight, memory);
      const exchange = exchangeOf(sight, answer);
      const found = exchange ? [...findings(exchange, worldOf(sight), new Map(memory))] : [];
      // Aspects of the proof are those of the suite.
      return found.some(({ aspect }) => breaks.some((one) => overlap(one, aspect as (typeof breaks)[number])));
    });
  const judge = new Judge(recording);
  const worse = all.filter((one) => !caught(one) && judge.caught(one).length > 0);
  expect(all.length).toBeGreaterThan(500);
  expect(worse.map(({ id }) => id)).toEqual([]);
});
