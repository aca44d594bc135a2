import { hash } from "node:crypto";
import type { Clock } from "../clock.ts";
import type { Operation } from "../contract.ts";
import { Problem } from "../problem.ts";
import type { Caller } from "../request/credentials.ts";
import { HandlerResponse } from "../response/response.ts";
import { type Creation, type IdempotencyKeys, portion } from "./idempotency-keys.ts";

/** D25: visible ASCII; a blank would also separate two keys that were sent. */
const FORM = /^[!-~]{1,255}$/;

/** An operation that takes idempotency keys rejects with it. */
const INVALID = "invalid-idempotency-key";

/** A call of a command that creates. */
export interface Call {
  readonly operation: Pick<Operation, "id" | "input" | "problems">;
  readonly input: Readonly<Record<string, unknown>>;
  readonly caller: Caller | null;
  /** As it was sent; two of them, joined by a comma and a blank; empty when there is none. */
  readonly idempotencyKey: string;
}

/**
 * Creates a resource: once for each `Idempotency-Key`, and a call repeated with it gets the first one again (D25). Throws
 * `invalid-idempotency-key` and `idempotency-key-reused`.
 */
export type CreateOnce = <Resource>(creation: Creation<Resource>) => Promise<Resource | Replay<Resource>>;

type Replay<Resource> = HandlerResponse<{ status: 201; mediaType: "application/json"; body: Resource }>;

/** Such calls, with keys that count for `ttlMs`. */
export function onceByKey({ createOnce }: IdempotencyKeys, ttlMs: number) {
  return async <Resource>(call: Call, creation: Creation<Resource>): Promise<Resource | Replay<Resource>> => {
    const { operation, input, caller, idempotencyKey } = call;
    if (idempotencyKey === "" || !operation.problems.includes(INVALID)) return creation.insert();
    if (!FORM.test(idempotencyKey)) throw new Problem(INVALID);
    const once = {
      id: digest([caller?.keyId, operation.id, idempotencyKey]),
      dataDigest: digest(Object.keys(operation.input).map((name) => input[name])),
      since: new Date(Date.parse(creation.createdAt) - ttlMs),
    };
    const created = await createOnce(once, creation);
    if (created === "reused") throw new Problem("idempotency-key-reused");
    if (!created.replayed) return created.resource;
    const headers = { "Idempotent-Replayed": "true" };
    return new HandlerResponse({ status: 201, mediaType: "application/json", body: created.resource, headers });
  };
}

/** Equal for equal values: the members of an object have no order. */
const digest = (parts: readonly unknown[]): string => hash("sha256", JSON.stringify(parts, sorted));

const sorted = (_: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

/** How often expired keys are deleted, unless keys are kept for less. */
const SWEEP_MS = 600_000;

interface SweepOptions {
  readonly idempotencyKeys: Pick<IdempotencyKeys, "forget">;
  readonly clock: Clock;
  /** How long a key is kept. */
  readonly ttlMs: number;
  /** A failure is reported, and the sweep is tried again the next time. */
  readonly onFault: (error: unknown) => void;
}

/** Regularly deletes expired idempotency keys in portions (D25): no request waits for it. `sweep` does so now. */
export function sweepIdempotencyKeys({ idempotencyKeys, clock, ttlMs, onFault }: SweepOptions) {
  let closed = false;
  let swept = Promise.resolve();

  async function forgetAll(): Promise<void> {
    const before = new Date(clock.now().getTime() - ttlMs);
    while (!closed && (await idempotencyKeys.forget(before)) === portion);
  }
  const sweep = (): Promise<void> => {
    swept = swept.then(forgetAll).catch(onFault);
    return swept;
  };
  const timer = setInterval(sweep, Math.min(SWEEP_MS, ttlMs)).unref();
  return {
    sweep,
    close() {
      closed = true;
      clearInterval(timer);
      return swept;
    },
  };
}
