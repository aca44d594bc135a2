import { hash } from "node:crypto";
import type { Knex } from "knex";
import type { Clock } from "../clock.ts";
import type { Operation } from "../contract.ts";
import { ExpectedError } from "../expected-error.ts";
import { Problem } from "../problem.ts";
import type { Caller } from "../request/credentials.ts";
import {
  HandlerResponse,
  type ResponseParts,
  type ResponseShape,
  responseOf,
  textOf,
} from "../response/response.ts";
import { type Database, type Transaction, withDeadline } from "../storage/database.ts";
import type { Id } from "../storage/driver.ts";
import { StorageUnavailable } from "../storage/errors.ts";
import { withTimeout } from "../with-timeout.ts";

/** D25: visible ASCII; a blank would also separate two keys that were sent. */
const FORM = /^[!-~]{1,255}$/;

/** Other writes get their turn after so many that were deleted. */
const DELETE_BATCH = 500;

/** How often expired keys are deleted, unless keys are kept for less. */
const SWEEP_MS = 600_000;

/** As much as a request may send (D13). */
const MAX_RESPONSE_BYTES = 65_536;

/** The table of the keys. Its column `resource_id` names the record of the command. */
const TABLE = "idempotency_keys";

/** What a command works on. */
export interface CommandRecord<Response> {
  /**
   * The id of the record that it creates, changes or deletes, or finds it in the response: the
   * response is stored for as long as the record is there.
   */
  readonly record: Id | ((response: Response) => Id);
  /**
   * Only for keys that releases before 4.0 have stored, without the response: what a create of
   * theirs has created.
   */
  readonly find?: (tx: Transaction, id: string) => Promise<Response | null>;
}

/**
 * Carries out a command: once for each `Idempotency-Key`, and a call repeated with it gets the
 * first success again (D25). With a key, `tx` is a transaction with the key in it, so that nothing
 * else should be awaited in `work`: on SQLite every other write waits for it. Without a key, `tx`
 * is the database, and each change is one of its own. After the deadline of the handler no change
 * begins. Throws `invalid-idempotency-key` and `idempotency-key-reused`.
 */
export type Once = <Response>(
  command: CommandRecord<Response>,
  work: (tx: Transaction) => Promise<Response>,
) => Promise<Response | Replay>;

/** It was a response of the same operation, so it is one of any type that has these. */
type Replay = HandlerResponse<never>;

/** A call of a command. */
export interface CommandCall {
  readonly operation: Pick<Operation, "id" | "input" | "takesIdempotencyKey" | "answers">;
  readonly input: Readonly<Record<string, unknown>>;
  readonly caller: Caller | null;
  /** As it was sent; two of them, joined by a comma and a blank; empty when there is none. */
  readonly idempotencyKey: string;
  readonly now: () => Date;
  /** When the command must be done, as `performance.now()` counts. */
  readonly deadline: number;
}

/** The columns of a response. A key without one is as none, unless `find` has its record. */
interface StoredResponse {
  readonly status: number | null;
  /** With the media type as `Content-Type`. */
  readonly headers: string | null;
  readonly body: string | null;
}

interface StoredKey extends StoredResponse {
  readonly digest: string;
  readonly record: string;
}

const NO_RESPONSE: StoredResponse = { status: null, headers: null, body: null };

/**
 * A change for the transaction that deletes these records, after that: no stored response is kept
 * longer than its record (D25). A command on one of them that has not ended makes the delete wait,
 * and what it stores is there by then.
 */
export const forgetResponses = (records: readonly Id[]) => (knex: Knex) =>
  knex(TABLE).whereIn("resource_id", records.map(String)).update(NO_RESPONSE);

/** Every method may throw `StorageUnavailable`. */
export type IdempotencyKeys = ReturnType<typeof openIdempotencyKeys>;

/** Keys that count for `ttlMs`. */
export const openIdempotencyKeys = (
  database: Database,
  ttlMs: number,
  formerRecordColumn = "resource_id",
) => ({
  /** `Once` for a call. */
  async once<Response>(
    { operation, input, caller, idempotencyKey, now, deadline }: CommandCall,
    { record, find }: CommandRecord<Response>,
    work: (tx: Transaction) => Promise<Response>,
  ): Promise<Response | Replay> {
    if (idempotencyKey === "" || !operation.takesIdempotencyKey)
      return work(withDeadline(database, deadline));
    if (!FORM.test(idempotencyKey)) throw new Problem("invalid-idempotency-key");
    const id = digest([caller?.keyId, operation.id, idempotencyKey]);
    const { dataDigest, formerDigest } = digestsOf(Object.keys(operation.input), input);
    const createdAt = now();
    const since = new Date(createdAt.getTime() - ttlMs).toISOString();
    const named = (resource: string) => ({
      resource_id: resource,
      // A release before this one has to find what a create of its own has created.
      ...(find && { [formerRecordColumn]: resource }),
    });
    const row = {
      id,
      data_digest: dataDigest,
      created_at: createdAt.toISOString(),
      ...named(typeof record === "function" ? "" : String(record)),
      ...NO_RESPONSE,
    };
    return database.transaction(async (tx) => {
      // First of all: PostgreSQL lets a second call with the key wait here until this transaction
      // ends; SQLite has one writer.
      const taken: unknown[] = await tx.write((knex) => {
        const insert = knex(TABLE).insert(row).onConflict("id").merge(row);
        return insert.where(`${TABLE}.created_at`, "<", since).returning("id");
      });
      if (taken.length === 0) {
        const [first]: StoredKey[] = await tx.read((knex) =>
          knex(TABLE)
            .where({ id })
            .select({ digest: "data_digest", record: formerRecordColumn })
            .select("status", "headers", "body"),
        );
        if (first && first.digest !== dataDigest && first.digest !== formerDigest)
          throw new Problem("idempotency-key-reused");
        const replay = first && replayOf(first);
        if (replay) return replay;
        const found = (first && (await find?.(tx, first.record))) ?? null;
        if (found !== null) return replayed(responseOf(found, operation));
        // Its record is gone, and its response with it.
        await tx.write((knex) => knex(TABLE).where({ id }).update(row));
      }
      // A timer of Node may be a millisecond early.
      const remainingMs = Math.ceil(deadline - performance.now()) + 1;
      const result = await withTimeout(remainingMs, work(tx), tooLate);
      const response = responseOf(result, operation);
      // A rejection that was returned rather than thrown leaves the key free too.
      if ("status" in response && response.status >= 300) {
        await tx.write((knex) => knex(TABLE).where({ id }).delete());
        return result;
      }
      const resource = typeof record === "function" ? named(String(record(result))) : {};
      const stored = { ...storedResponse(response, operation.id), ...resource };
      const rows = await tx.write((knex) => knex(TABLE).where({ id }).update(stored));
      if (rows === 0) throw new ExpectedError(`${operation.id} has deleted its row of ${TABLE}`);
      return result;
    }, deadline);
  },

  /** Deletes keys of before then, in portions, and returns how many those were. */
  forget: (before: Date): Promise<number> =>
    database.write((knex) => {
      const old = knex(TABLE)
        .where("created_at", "<", before.toISOString())
        .select("id")
        .limit(DELETE_BATCH);
      return knex(TABLE).whereIn("id", old).delete();
    }),
});

const tooLate = () => new StorageUnavailable(new ExpectedError("the command took too long"));

function storedResponse(response: ResponseParts<ResponseShape>, operation: string): StoredResponse {
  if ("asset" in response) throw new ExpectedError(`${operation} cannot repeat an asset`);
  const { status, mediaType, headers } = response;
  const stored = {
    status,
    headers: JSON.stringify({ ...headers, "Content-Type": mediaType }),
    body: textOf(response),
  };
  const bytes = Buffer.byteLength(stored.headers + stored.body);
  if (bytes > MAX_RESPONSE_BYTES)
    throw new ExpectedError(
      `${operation} has a response of ${bytes} bytes, and at most ${MAX_RESPONSE_BYTES} are ` +
        "stored for an Idempotency-Key",
    );
  return stored;
}

function replayOf({ status, headers, body }: StoredResponse): Replay | null {
  if (status === null || headers === null || body === null) return null;
  const { "Content-Type": mediaType, ...others } = JSON.parse(headers);
  const parts = { status, mediaType, headers: others };
  return replayed(mediaType === "application/json" ? { ...parts, json: body } : { ...parts, body });
}

/** A response as one of an earlier call. */
function replayed(response: ResponseParts<ResponseShape>): Replay {
  if ("asset" in response) throw new ExpectedError("an asset is never stored");
  const headers = { ...response.headers, "Idempotent-Replayed": "true" };
  return new HandlerResponse<ResponseShape>({ ...response, headers }) as Replay; // see `Replay`
}

/**
 * Of an input with a value for each member that is declared, and no other members, the digest that
 * release 3.1 stored, so that its keys still count. That one was the same for an absent member and
 * for null, and left out others, so any other input has a digest of all of it.
 */
function digestsOf(declared: readonly string[], input: CommandCall["input"]) {
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
