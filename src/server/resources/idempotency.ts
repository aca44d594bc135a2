import { hash } from "node:crypto";
import type { Clock } from "../clock.ts";
import type { Operation } from "../contract.ts";
import { Problem } from "../problem.ts";
import type { Caller } from "../request/credentials.ts";
import { HandlerResponse } from "../response/response.ts";
import type { Database, Transaction } from "../storage/database.ts";

/** D25: visible ASCII; a blank would also separate two keys that were sent. */
const FORM = /^[!-~]{1,255}$/;

/** Other writes get their turn after so many that were deleted. */
const DELETE_BATCH = 500;

/** How often expired keys are deleted, unless keys are kept for less. */
const SWEEP_MS = 600_000;

/** A create that may be sent again (D25). */
export interface Once {
  /** The API key, the operation and the idempotency key, as one unique text. */
  readonly id: string;
  /** Hash of the parsed input. */
  readonly dataDigest: string;
  /** What release 3.1 stored of it, where that cannot be the digest of other input now. */
  readonly formerDigest?: string;
  /** Entries created before then have expired. */
  readonly since: Date;
}

/** What is created: a store makes it, and nothing has happened yet. */
export interface Creation<Resource> {
  readonly id: string;
  readonly createdAt: string;
  /** When the command must have begun, as `performance.now()` counts. */
  readonly deadline?: number | undefined;
  /** In a transaction, or on its own. Throws a `Problem` when something else is in its way. */
  insert(tx?: Transaction): Promise<Resource>;
  find(tx: Transaction, id: string): Promise<Resource | null>;
}

/** A call of a command that creates. */
interface Call {
  readonly operation: Pick<Operation, "id" | "input" | "takesIdempotencyKey">;
  readonly input: Readonly<Record<string, unknown>>;
  readonly caller: Caller | null;
  /** As it was sent; two of them, joined by a comma and a blank; empty when there is none. */
  readonly idempotencyKey: string;
}

/**
 * Creates a resource: once for each `Idempotency-Key`, and a call repeated with it gets the first
 * one again (D25). Throws `invalid-idempotency-key` and `idempotency-key-reused`.
 */
export type CreateOnce = <Resource>(
  creation: Creation<Resource>,
) => Promise<Resource | Replay<Resource>>;

type Replay<Resource> = HandlerResponse<{
  status: 201;
  mediaType: "application/json";
  body: Resource;
}>;

/** Where the keys are stored: the table, and its column with the id of what was created. */
export interface IdempotencyTable {
  readonly table: string;
  readonly column: string;
}

/** Every method may throw `StorageUnavailable`. */
export type IdempotencyKeys = ReturnType<typeof openIdempotencyKeys>;

export const openIdempotencyKeys = (
  { transaction, write }: Database,
  { table, column }: IdempotencyTable,
) => ({
  /**
   * Creates the resource and stores the key with it, both or neither; or finds what the key
   * created. A call with the same key in progress is waited for. Throws `idempotency-key-reused`
   * when the key belongs to other data.
   */
  createOnce: <Resource>(
    { id, dataDigest, formerDigest, since }: Once,
    creation: Creation<Resource>,
  ) =>
    transaction(async (tx) => {
      const row = {
        id,
        data_digest: dataDigest,
        [column]: creation.id,
        created_at: creation.createdAt,
      };
      // First of all: PostgreSQL lets a second call with the key wait here until this transaction
      // ends; SQLite has one writer.
      const taken: unknown[] = await tx.write((knex) => {
        const insert = knex(table).insert(row).onConflict("id").merge(row);
        return insert.where(`${table}.created_at`, "<", since.toISOString()).returning("id");
      }, creation.deadline);
      if (taken.length === 0) {
        const [first]: { digest: string; resource: string }[] = await tx.read((knex) =>
          knex(table).where({ id }).select({ digest: "data_digest", resource: column }),
        );
        if (first && first.digest !== dataDigest && first.digest !== formerDigest)
          throw new Problem("idempotency-key-reused");
        const resource = first ? await creation.find(tx, first.resource) : null;
        if (resource) return { resource, replayed: true };
        // What it created is gone, and no reference took the key along.
        await tx.write((knex) => knex(table).where({ id }).update(row), creation.deadline);
      }
      return { resource: await creation.insert(tx), replayed: false };
    }, creation.deadline),

  /** Deletes keys of before then, in portions, and returns how many those were. */
  forget: (before: Date): Promise<number> =>
    write((knex) => {
      const old = knex(table)
        .where("created_at", "<", before.toISOString())
        .select("id")
        .limit(DELETE_BATCH);
      return knex(table).whereIn("id", old).delete();
    }),
});

/** `CreateOnce` for a call, with keys that count for `ttlMs`. */
export function onceByKey({ createOnce }: IdempotencyKeys, ttlMs: number) {
  return async <Resource>(
    call: Call,
    creation: Creation<Resource>,
  ): Promise<Resource | Replay<Resource>> => {
    const { operation, input, caller, idempotencyKey } = call;
    if (idempotencyKey === "" || !operation.takesIdempotencyKey) return creation.insert();
    if (!FORM.test(idempotencyKey)) throw new Problem("invalid-idempotency-key");
    const once = {
      id: digest([caller?.keyId, operation.id, idempotencyKey]),
      ...digestsOf(Object.keys(operation.input), input),
      since: new Date(Date.parse(creation.createdAt) - ttlMs),
    };
    const { resource, replayed } = await createOnce(once, creation);
    if (!replayed) return resource;
    const headers = { "Idempotent-Replayed": "true" };
    return new HandlerResponse({
      status: 201,
      mediaType: "application/json",
      body: resource,
      headers,
    });
  };
}

/**
 * Of an input with a value for each member that is declared, and no other members, the digest that
 * release 3.1 stored, so that its keys still count. That one was the same for an absent member and
 * for null, and left out others, so any other input has a digest of all of it.
 */
function digestsOf(declared: readonly string[], input: Call["input"]) {
  const values = declared.map((name) => input[name]);
  const formerDigest = digest(values);
  const hasGaps = values.some((value) => value === undefined || value === null);
  if (hasGaps) return { dataDigest: digest(input), formerDigest };
  const hasOthers = Object.keys(input).length > declared.length;
  return { dataDigest: hasOthers ? digest(input) : formerDigest };
}

/** Equal for equal values: the members of an object have no order. */
const digest = (value: unknown): string => hash("sha256", JSON.stringify(value, sorted));

const sorted = (_: string, value: unknown): unknown =>
  typeof value === "object" && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([a], [b]) => (a < b ? -1 : 1)))
    : value;

interface SweepOptions {
  readonly idempotencyKeys: Pick<IdempotencyKeys, "forget">;
  readonly clock: Clock;
  /** How long a key is kept. */
  readonly ttlMs: number;
  /** A failure is reported, and the sweep is tried again the next time. */
  readonly onFault: (error: unknown) => void;
}

/**
 * Regularly deletes expired idempotency keys in portions (D25): no request waits for it. `sweep`
 * does so now.
 */
export function sweepIdempotencyKeys({ idempotencyKeys, clock, ttlMs, onFault }: SweepOptions) {
  let closed = false;
  let swept = Promise.resolve();
  async function forgetAll(): Promise<void> {
    const before = new Date(clock.now().getTime() - ttlMs);
    while (!closed && (await idempotencyKeys.forget(before)) === DELETE_BATCH);
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
