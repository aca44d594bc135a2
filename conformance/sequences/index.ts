import { check, type TargetCheck } from "../checks/check.ts";
import type { Api } from "../client/api.ts";
import { Stopped, Withheld } from "../client/expectation.ts";
import { seededRandom } from "../client/random.ts";
import { askingOf } from "../lists/list.ts";
import type { Model } from "../models/model.ts";
import { type Operation, pageItemOf, successOf, takesIdempotencyKey } from "../oracle/contract.ts";
import type { Oracle } from "../oracle/predict.ts";
import { aging } from "./age.ts";
import { combinations, rounds, sequence } from "./generate.ts";
import { type Finding, triedFor } from "./judge.ts";
import { type Taken, taking } from "./run.ts";
import { spaceOf } from "./space.ts";

/** Histories: what a deployment responds after earlier requests. All checks of a family share one run of its requests. */

const SEQUENCES = 3;
const ROUNDS = 9; // of six kinds
/** Findings after which it ends: later ones have the same cause. */
const MOST_FINDINGS = 20;

type Judged = Pick<Taken, "sent" | "finding">;
type Family = (api: Api) => AsyncIterable<Judged>;

export const histories: Family = async function* (api) {
  const random = seededRandom(api.seed);
  const space = spaceOf(api, askingOf(api).operations);
  for (let n = 0; n < SEQUENCES; n += 1) {
    yield* taking(api, sequence(random, space));
    yield* taking(api, rounds(random, space, (n * ROUNDS) / SEQUENCES, ROUNDS / SEQUENCES));
  }
};

export const combined: Family = (api) => {
  const space = spaceOf(api, askingOf(api).operations);
  return taking(api, combinations(seededRandom(api.seed), space));
};

/** The result of the shared run: findings, and the requirements that it had requests for. */
interface Outcome {
  readonly findings: readonly Finding[];
  readonly tried: ReadonlySet<string>;
  /** Why it ended early. */
  readonly ended: unknown;
}

const runs = new WeakMap<Model, Map<Family, Promise<Outcome>>>();

function outcomeOf(api: Api, family: Family): Promise<Outcome> {
  const known = runs.get(api.model) ?? new Map<Family, Promise<Outcome>>();
  runs.set(api.model, known);
  const outcome = known.get(family) ?? collect(api, family);
  known.set(family, outcome);
  return outcome;
}

async function collect(api: Api, family: Family): Promise<Outcome> {
  const findings: Finding[] = [];
  const tried = new Set<string>();
  const end = (ended: unknown): Outcome => ({ findings, tried, ended });
  try {
    for await (const { sent, finding } of family(api)) {
      for (const id of triedBy(api.model, sent)) tried.add(id);
      if (finding) findings.push(finding);
      if (findings.length >= MOST_FINDINGS) break;
    }
    return end(null);
  } catch (error) {
    // The engine looks up a missing value that a request needs, and the run restarts.
    if (!(error instanceof Stopped || error instanceof Withheld)) {
      runs.get(api.model)?.delete(family);
      throw error;
    }
    return end(error);
  }
}

/** The rules of a paged list, and of a command that creates its records. */
const OF_LIST = ["page", "order", "limit", "limit-default", "next", "link", "walk", "read-only"];
const OF_COMMAND = ["created", "listed", "as-sent", "id", "refused-not-stored", "one-of-many"];
const OF_KEYED = ["replayed", "key-reused", "key-whole", "key-of-caller", "key-form", "key-free", "key-twins"];

/** The requirements that a request tests. */
function triedBy({ oracle, lists }: Model, { prediction, of }: Judged["sent"]): readonly string[] {
  const { operation, by, code } = prediction;
  const named = of === undefined ? [by] : [by, triedFor(oracle.contract, operation, of, by)];
  // A list of one item has neither order nor pages.
  const ofList = (lists.get(operation?.id ?? "")?.size ?? 0) > 1 ? OF_LIST : [];
  const rules = code !== null || !operation ? [] : pageItemOf(oracle.contract, operation) ? ofList : OF_COMMAND;
  const replayed = prediction.replayed ? [`${operation?.id}/replayed`] : [];
  return [...named, ...replayed, ...rules.map((rule) => `${operation?.id}/${rule}`)];
}

async function report(api: Api, family: Family, id: string, all: ReadonlySet<string>, writes: boolean): Promise<void> {
  if (writes && !api.mayWrite) throw new Withheld("the data of a command", "write");
  const { findings, tried, ended } = await outcomeOf(api, family);
  const own = findings.filter(({ by }) => by === id);
  const [first] = own;
  if (first) throw own.length > 1 ? first.expectation.in(`and ${own.length - 1} more requests`) : first.expectation;
  // A finding about none of these checks: its requirement reports it first, or this one does.
  const other = id === FALLBACK ? findings.find(({ by }) => !all.has(by)) : undefined;
  if (other) throw other.expectation.saidFirstBy(other.by);
  if (ended instanceof Error) throw ended;
  if (id !== FALLBACK && !tried.has(id)) throw new Stopped("there is no request to send");
}

/** Gets the findings that no other check covers: after any requests the deployment is still right. */
export const FALLBACK = "http/stays-alive";

interface Subject {
  readonly id: string;
  readonly writes: boolean;
  readonly needs: readonly string[];
}

/** The requirements that histories have requests for, of any contract; `aged`: at the end of a run too. */
function subjectsOf({ contract, own }: Oracle, aged = false): readonly Subject[] {
  const exists = new Set(contract.requirements.map(({ id }) => id));
  const of = (operation: Operation, rules: readonly string[], writes: boolean): readonly Subject[] =>
    rules.map((rule) => ({
      id: `${operation.id}/${rule}`,
      writes,
      // Two callers: one of them with no other right.
      needs: rule === "key-of-caller" && operation.scope !== null ? [operation.scope] : [],
    }));
  const conflicts = (id: string) =>
    own.filter(({ operation }) => operation === id).flatMap(({ unique = {} }) => Object.keys(unique));
  const all = Object.values(contract.operations).flatMap((operation) => [
    ...(pageItemOf(contract, operation) ? of(operation, [...OF_LIST, ...(aged ? ["invalid-cursor"] : [])], false) : []),
    ...(operation.method === "POST" && successOf(operation) === 201
      ? of(operation, [...OF_COMMAND, ...conflicts(operation.id)], true)
      : []),
    ...(takesIdempotencyKey(operation) ? of(operation, OF_KEYED, true) : []),
  ]);
  const lists = Object.values(contract.operations).filter((operation) => pageItemOf(contract, operation));
  const more = [FALLBACK, ...(aged && lists.length > 1 ? ["paging/cursor-of-operation"] : [])];
  const general = more.map((id) => ({ id, writes: false, needs: [] }));
  return [...all, ...general].filter(({ id }) => exists.has(id));
}

/** A check for each of these requirements, which reports the shared run's findings for it. */
function checksOf(name: string, family: Family, subjects: readonly Subject[], last: boolean): readonly TargetCheck[] {
  const all = new Set(subjects.map(({ id }) => id));
  return subjects.map(({ id, writes, needs }) =>
    check(`${id}#${name}`, { alone: true, decided: true, last, needs }, (api) => report(api, family, id, all, writes)),
  );
}

/** The rules that are tested again at the end of a run, since time has passed. */
const AGED = /\/(?:walk|limit-default|next|invalid-cursor|listed|replayed)$|^paging\/|^http\/stays-alive$/;

export function historiesOf(oracle: Oracle): readonly TargetCheck[] {
  const subjects = subjectsOf(oracle);
  return [
    ...checksOf("histories", histories, subjects, false),
    ...checksOf(
      "combinations",
      combined,
      subjects.filter(({ id }) => id === FALLBACK),
      false,
    ),
    ...checksOf(
      "age",
      aging,
      subjectsOf(oracle, true).filter(({ id }) => AGED.test(id)),
      true,
    ),
  ];
}
