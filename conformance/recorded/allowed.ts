import type { Response } from "../exchange.ts";
import { type Known, uniqueOf } from "../model/learn.ts";
import type { Operation } from "../oracle/contract.ts";
import type { Prediction } from "../oracle/predict.ts";
import { KEY, PLATFORM, type Reading } from "../oracle/reading.ts";
import { idempotencyKeyOf, replayedBy } from "../oracle/rules.ts";
import type { Request } from "../oracle/world.ts";

/** A right response, as far as is known; `why`: what it takes for granted, null if nothing. */
export interface Allowed {
  readonly prediction: Prediction;
  readonly why: string | null;
}

const UNKNOWN_KEY = "key unknown";
const UNKNOWN_PLATFORM = "platform unknown";
const EARLIER = "from before the recording";

/** The rejection with this code, where a success is possible. */
function rejection({ oracle }: Known, { operation }: Prediction, code: string, r: Reading): Prediction {
  const rule = oracle.rules.find((one) => one.code === code);
  const by = typeof rule?.by === "function" ? rule.by(r) : rule?.by;
  const { status = 0 } = oracle.contract.problems[code] ?? {};
  return { by: by ?? "dispatch/order", step: rule?.step ?? "handle", status, code, operation };
}

/** The world in which a key or a platform that is unknown is right for everything; null if all is known. */
function granted(world: Known, operation: Operation | null, r: Reading): readonly [Known, string, string[]] | null {
  if (!operation?.auth) return null;
  const [key, platform] = [r.credential(KEY).value, r.credential(PLATFORM).value];
  const { keys, platforms } = world;
  const known = keys.get(key);
  // The entry of a key for another platform says that it is not for those of the others.
  const isDecided =
    known?.platforms.includes(platform) || (known?.platforms.length === 0 && platforms.includes(platform));
  if (known && isDecided) return null;
  const scopes = known?.scopes ?? world.oracle.contract.scopes;
  const all = { scopes, platforms: [...(known?.platforms ?? []), platform], valid: known?.valid ?? true };
  const wide = { ...world, keys: new Map([...keys, [key, all]]), platforms: [...platforms, platform] };
  return known
    ? [wide, UNKNOWN_PLATFORM, ["platform-not-allowed"]]
    : [wide, UNKNOWN_KEY, ["credentials-invalid", "scope-missing", "platform-not-allowed"]];
}

/** Every response that is right with what is known before a request; the first one where nothing is missing. */
export function allowed(world: Known, request: Request, response: Response): readonly Allowed[] {
  const { oracle } = world;
  const first = oracle.predict(request, world);
  const steps = oracle.contract.steps.map(({ step }) => step);
  const isLate = first.step === "handled" || steps.indexOf(first.step) >= steps.indexOf("authenticate");
  const r = oracle.read(request, world);
  const wider = isLate ? granted(world, first.operation, r) : null;
  if (!wider) return [{ prediction: first, why: null }, ...earlier(world, request, first, response)];
  const [wide, why, codes] = wider;
  const prediction = oracle.predict(request, wide);
  return [
    { prediction, why },
    ...codes.map((code) => ({ prediction: rejection(world, prediction, code, r), why })),
    ...earlier(wide, request, prediction, response),
  ];
}

/** What else is right if the deployment already held something before the recording. */
function earlier(world: Known, request: Request, first: Prediction, response: Response): readonly Allowed[] {
  const { oracle } = world;
  const r = oracle.read(request, world);
  const of = (prediction: Prediction): Allowed => ({ prediction, why: EARLIER });
  const { operation, code, status } = first;
  if (code === "invalid-cursor" && operation) {
    const sent = r.own.filter(([name]) => name === "cursor").map(([, value]) => value);
    const cursors = new Map([...world.cursors, [operation.id, new Set(sent)]]);
    return [of(oracle.predict(request, { ...world, cursors }))];
  }
  if (code === "path-not-found" && !/^\/api(?:\/|$)/.test(r.path) && !request.target.includes("#")) {
    const files = new Set([...world.files, r.path]);
    return [of(oracle.predict(request, { ...world, files }))];
  }
  if (code !== null) return [];
  const copies = r.fields("If-None-Match").flatMap((value) => value.match(/"[^"]*"|\*/g) ?? []);
  const isKnown = (tag: string) => [...world.tags.values()].some((some) => some.has(tag));
  const mayBeCurrent = status === 200 && !r.isPost && copies.some((tag) => !isKnown(tag));
  const { by, step } = first;
  const current = mayBeCurrent ? [of({ by, step, operation, code, status: 304 })] : [];
  if (!operation || first.step !== "handled" || !r.isPost) return current;
  const taken = uniqueOf(oracle, operation.id, r.data).filter(([one, value]) => !world.taken.get(one)?.has(value));
  const conflicts = taken.map(([one]) => of(rejection(world, first, one, r)));
  if (idempotencyKeyOf(r) === "" || replayedBy(r)) return conflicts;
  const replayed = of({ ...first, replayed: { data: "", body: response.json } });
  return [...conflicts, replayed, of(rejection(world, first, "idempotency-key-reused", r))];
}

/** All that is allowed as one prediction: that of the first, or one of the others. */
export function oneOf(first: Prediction, all: readonly Allowed[]): Prediction {
  const codes = new Set(all.map(({ prediction }) => prediction.code).filter((code) => code !== first.code));
  return codes.size === 0 ? first : { ...first, or: [...(first.or ?? []), ...codes] };
}
