import fc, { type Value } from "fast-check";
import { rounds, sequence } from "../sequences/generate.ts";
import type { Space } from "../sequences/space.ts";
import type { Sequence, Step } from "../sequences/step.ts";

/** Random sequences of several callers, or rounds of parallel requests. A finding shrinks to the smallest part that shows it. */

/** Parallel requests: rounds in one sequence, and kinds of them. */
const ROUNDS = 3;
const KINDS = 6;

export const stepsOf = (one: Sequence[number]): readonly Step[] => [one].flat();
/** The beginning of a sequence, this many requests at most. */
const first = (all: Sequence, most: number): Sequence => {
  let left = most;
  return all.filter((one) => {
    left -= stepsOf(one).length;
    return left >= 0;
  });
};

export class Sequences extends fc.Arbitrary<Sequence> {
  /** Smaller ones that were sent already. */
  private readonly tried = new Set<string>();

  /** `shownBy`: the part of a sequence that has shown the finding, to its last step. */
  constructor(
    private readonly space: Space,
    private readonly most: number,
    private readonly shownBy: (sequence: Sequence) => Sequence,
  ) {
    super();
  }

  override generate(generator: fc.Random): Value<Sequence> {
    const random = () => generator.nextDouble();
    this.tried.clear();
    const kind = Math.floor(random() * 2 * KINDS);
    const all = kind < KINDS ? rounds(random, this.space, kind, ROUNDS) : sequence(random, this.space);
    return new fc.Value(first(all, this.most), undefined);
  }

  override canShrinkWithoutContext(value: unknown): value is Sequence {
    return Array.isArray(value);
  }

  override shrink(value: Sequence): fc.Stream<Value<Sequence>> {
    const isNew = (one: Sequence) => {
      const { size } = this.tried;
      return this.tried.add(JSON.stringify(one)).size > size;
    };
    return fc
      .stream(smaller(this.shownBy(value)))
      .filter(isNew)
      .map((one) => new fc.Value(one, undefined));
  }
}

/** Smaller sequences, the smallest first; the last one stays, since the finding is there. */
function* smaller(all: Sequence): Generator<Sequence> {
  const [end, ...before] = [...all].reverse();
  if (end === undefined) return;
  const earlier = before.reverse();
  const without = (from: number, count: number): Sequence => [...earlier.toSpliced(from, count), end];
  if (earlier.length > 0) yield [end];
  // First only those about the same record, key or query.
  const isAbout = (step: Step) =>
    stepsOf(end).some(
      (last) =>
        (["record", "key"] as const).some((name) => step[name] !== undefined && step[name] === last[name]) ||
        (last.record === undefined && step.operation === last.operation),
    );
  const about = earlier.filter((one) => stepsOf(one).some(isAbout));
  if (about.length > 0 && about.length < earlier.length) yield [...about, end];
  for (let count = earlier.length >> 1; count > 0; count >>= 1)
    for (let from = 0; from < earlier.length; from += count) yield without(from, count);
  for (const [at, one] of all.entries()) {
    if ("operation" in one) continue;
    yield all.toSpliced(at, 1, ...one);
    for (const step of one)
      yield all.with(
        at,
        one.filter((other) => other !== step),
      );
  }
  yield* plainer(all);
}

/** Steps without what a plain call does not have: all at once, then each member alone. */
function* plainer(all: Sequence): Generator<Sequence> {
  const each = (change: (step: Step) => Step): Sequence =>
    all.map((one) => ("operation" in one ? change(one) : one.map(change)));
  const text = JSON.stringify(all);
  for (const change of [(step: Step) => PLAINER.reduce((one, next) => next(one), step), ...PLAINER]) {
    const one = each(change);
    if (JSON.stringify(one) !== text) yield one;
  }
}
const PLAINER: readonly ((step: Step) => Step)[] = [
  ({ extras: _, ...step }) => step,
  (step) => ({ ...step, placed: "headers" }),
  (step) => ({ ...step, kept: false }),
  ({ head: _, ...step }) => step,
  ({ limit: _, ...step }) => step,
  ({ linked: _, ...step }) => step,
  ({ conditional: _, ...step }) => step,
  ({ written: _, ...step }) => step,
  ({ key: _, keyWritten: __, ...step }) => step,
  (step) => (step.from === "end" ? { ...step, from: "start" } : step),
];
