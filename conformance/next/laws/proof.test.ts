// Every response of a run of the suite against the service: none differs from its prediction, or breaks a law; changed, each one is
// found that the old suite's predictions and laws find.
import { afterAll, beforeAll, expect, it } from "vitest";
import { jsonIn } from "../../client/wire/json.ts";
import { ours } from "../../lists/ours.ts";
import { Judge } from "../../mutants/judged.ts";
import { seededService } from "../../mutants/laboratory.ts";
import { overlap } from "../../mutants/mutant.ts";
import { type Perturbation, perturbationsOf } from "../../mutants/perturbations.ts";
import type { ProxyAnswer } from "../../mutants/proxy/message.ts";
import { Recording, recordable, type Sight } from "../../mutants/recording.ts";
import type { RunningService } from "../../test/service.test-kit.ts";
import type { Difference, Exchange, Memory } from "../exchange.ts";
import { emptyWorld, type Known, learn } from "../model/learn.ts";
import { pageDifference } from "../model/pages.ts";
import { compare } from "./compare.ts";
import { lawsOf } from "./index.ts";

/** Checks of a few kinds of responses, and one in so many changes. The whole takes minutes. */
const CHECKS = /^(?:user\.list|errors|http\/request-id|cors)/;
const SAMPLED = 5;

const { contract } = ours;
const laws = lawsOf(contract);

function exchangeOf({ exchange, predicted }: Sight, answer: ProxyAnswer = exchange.answer): Exchange | null {
  if (!predicted) return null;
  const { status, reason, headers: fields, body } = answer;
  const response = { ...{ status, reason, fields, body, omitted: 0, version: "1.1" }, json: jsonIn(body) };
  const { request, prediction } = predicted;
  return { ...{ request, response, prediction, error: null, connection: 1 }, sentAt: 0, endedAt: 1 };
}

interface Found extends Difference {
  readonly by: string;
}

/** What is found about an exchange, by prediction, state and laws. */
function* findings(exchange: Exchange, world: Known, memoryOf: (id: string) => Memory): Generator<Found> {
  const predicted = compare(exchange, contract);
  if (predicted) yield { ...predicted, by: `predicted ${exchange.prediction?.by}` };
  const page = pageDifference(world, exchange);
  if (page) yield { ...page, by: page.requirement };
  for (const { id, applies, check } of laws) {
    const found = applies(exchange) && check(exchange, memoryOf(id));
    if (found) yield { ...found, by: id };
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
  const known = worlds.get(check) ?? emptyWorld(ours, { url: service.url, keys, platforms, files: [...files] });
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
    const exchange = { ...old, prediction: ours.predict(old.request, world) };
    if (!UNPREDICTED.test(sight.check.id))
      for (const { by, aspect, expected, actual } of findings(exchange, world, () => memory))
        wrong.push(
          `${sight.check.id}: ${by} ${aspect}: ${expected}; ${actual}; ${old.request.method} ${old.request.target}`,
        );
    learn(world, exchange);
  }
  expect(wrong).toEqual([]);
});

it("finds what is changed", () => {
  const all = perturbationsOf(contract, recording).filter((_, at) => at % SAMPLED === 0);
  const before = new Map<Sight, Map<string, Memory>>();
  /** The memory of a law after a right response. */
  const memoryAfter = (id: string, sight: Sight): Memory => {
    const memories = before.get(sight) ?? new Map<string, Memory>();
    before.set(sight, memories);
    const known = memories.get(id);
    if (known) return known;
    const memory: Memory = new Map();
    const exchange = exchangeOf(sight);
    const law = laws.find((one) => one.id === id);
    if (exchange && law?.applies(exchange)) law.check(exchange, memory);
    memories.set(id, memory);
    return memory;
  };
  const caught = ({ trials, before, breaks }: Perturbation): string | null => {
    for (const [sight, answer] of trials) {
      const exchange = exchangeOf(sight, answer);
      if (!exchange) continue;
      const twin = recording.twinOf(sight);
      const right = twin && exchangeOf(twin);
      const memoryOf = (id: string) => {
        const memory = new Map(before === sight ? [] : memoryAfter(id, before));
        const law = laws.find((one) => one.id === id);
        if (right && law?.applies(right)) law.check(right, memory);
        return memory;
      };
      // Aspects of the proof are those of the suite.
      for (const { by, aspect } of findings(exchange, worldOf(sight), memoryOf))
        if (breaks.some((one) => overlap(one, aspect as (typeof breaks)[number]))) return by;
    }
    return null;
  };
  const judge = new Judge(recording);
  const known = new Set(["", ...laws.map(({ id }) => id)]);
  const left = all.filter((one) => caught(one) === null);
  // What the laws of an extension alone find is found by them.
  const worse = left.filter((one) => judge.caught(one).some(({ law, by }) => known.has(law === null ? "" : by)));
  expect(all.length).toBeGreaterThan(500);
  expect(worse.map(({ id }) => id)).toEqual([]);
});
