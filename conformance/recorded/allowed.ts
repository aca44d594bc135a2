import type { Response } from "../exchange.ts";
import { type Known, uniqueOf } from "../model/learn.ts";
import { mayBeCurrent, type Prediction } from "../oracle/predict.ts";
import { KEY, PLATFORM, type Reading } from "../oracle/reading.ts";
import { idempotencyKeyOf, replayedBy } from "../oracle/rules.ts";
import type { Request } from "../oracle/world.ts";

/** A right response, as far as is known; `why`: what it takes for granted, null if nothing. */
export interface Allowed {
  readonly prediction: Prediction;
  readonly why: string | null;
}

/** The rejection with this code, where a success is possible. */
function rejection({ oracle }: Known, { operation }: Prediction, code: string, r: Reading): Prediction {
  const { by, step = "handle" } = oracle.rules.find((one) => one.code === code) ?? {};
  const { status = 0 } = oracle.contract.problems[code] ?? {};
  return { by: (typeof by === "function" ? by(r) : by) ?? "dispatch/order", step, status, code, operation };
}

/** The world in which a key or a platform that is unknown is right for everything, and what is right otherwise. */
function granted(world: Known, r: Reading) {
  const { keys, platforms, oracle } = world;
  const [key, platform] = [r.credential(KEY).value, r.credential(PLATFORM).value];
  const known = keys.get(key);
  // The entry of a key for another platform says that it is not for those of the others.
  const isDecided =
    known?.platforms.includes(platform) || (known?.platforms.length === 0 && platforms.includes(platform));
  if (known && isDecided) return null;
  const { scopes, valid } = known ?? { scopes: oracle.contract.scopes, valid: true };
  const all = { scopes, platforms: [...(known?.platforms ?? []), platform], valid };
  const others = known ? [] : ["credentials-invalid", "scope-missing"];
  return {
    wide: { ...world, keys: new Map([...keys, [key, all]]), platforms: [...platforms, platform] },
    ...{ why: known ? "platform unknown" : "key unknown", codes: [...others, "platform-not-allowed"] },
  };
}

/** Every response that is right with what is known before a request; the first one where nothing is missing. */
export function allowed(world: Known, request: Request, response: Response): readonly [Allowed, ...Allowed[]] {
  const { oracle } = world;
  const first = oracle.predict(request, world);
  const r = oracle.read(request, world);
  const steps = oracle.contract.steps.map(({ step }) => step);
  const isLate = first.step === "handled" || steps.indexOf(first.step) >= steps.indexOf("authenticate");
  const { wide, why, codes } = (isLate && first.operation?.auth && granted(world, r)) || {
    ...{ wide: world, why: null, codes: [] },
  };
  const prediction = wide === world ? first : oracle.predict(request, wide);
  const rejections = codes.map((code) => ({ prediction: rejection(world, prediction, code, r), why }));
  const earlier = earlierOf(wide, request, prediction, response);
  return [
    { prediction, why },
    ...rejections,
    ...earlier.map((one) => ({ prediction: one, why: "from before the recording" })),
  ];
}

/** What else is right if the deployment already held something before the recording. */
function earlierOf(world: Known, request: Request, first: Prediction, response: Response): readonly Prediction[] {
  const { oracle } = world;
  const r = oracle.read(request, world);
  const { by, step, operation, code, status } = first;
  if (code === "invalid-cursor" && operation) {
    const sent = r.own.filter(([name]) => name === "cursor").map(([, value]) => value);
    const cursors = new Map([...world.cursors, [operation.id, new Set(sent)]]);
    return [oracle.predict(request, { ...world, cursors })];
  }
  if (code === "path-not-found" && !/^\/api(?:\/|$)/.test(r.path) && !request.target.includes("#"))
    return [oracle.predict(request, { ...world, files: new Set([...world.files, r.path]) })];
  if (code !== null) return [];
  const copies = r.fields("If-None-Match").flatMap((value) => value.match(/"[^"]*"|\*/g) ?? []);
  const isKnown = (tag: string) => [...world.tags.values()].some((some) => some.has(tag));
  const mayMatch = status === 200 && mayBeCurrent(r) && copies.some((tag) => !isKnown(tag));
  if (mayMatch) return [{ by, step, operation, code, status: 304 }];
  if (!operation || step !== "handled" || !r.isPost) return [];
  const taken = uniqueOf(oracle, operation.id, r.data).filter(([one, value]) => !world.taken.get(one)?.has(value));
  const conflicts = taken.map(([one]) => rejection(world, first, one, r));
  if (idempotencyKeyOf(r) === "" || replayedBy(r)) return conflicts;
  const replayed = { ...first, replayed: { data: "", body: response.json } };
  return [...conflicts, replayed, rejection(world, first, "idempotency-key-reused", r)];
}

/** All that is allowed as one prediction: that of the first, or one of the others. */
export function oneOf(all: readonly [Allowed, ...Allowed[]]): Prediction {
  const [{ prediction: first }] = all;
  const codes = new Set(all.map(({ prediction }) => prediction.code).filter((code) => code !== first.code));
  return codes.size === 0 ? first : { ...first, or: [...(first.or ?? []), ...codes] };
}
