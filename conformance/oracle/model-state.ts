import type { KnownRecords } from "./records.ts";

/** A request as on the wire, independent of its generator's intent. */
export interface Request {
  readonly method: string;
  /** As in the request line, below the path prefix of the deployment. */
  readonly target: string;
  /** In order, with `Host`. */
  readonly fields: readonly (readonly [name: string, value: string])[];
  /** One character per byte. */
  readonly body: string;
  readonly version?: "1.0" | "1.1";
  /** Sends the body in chunks (RFC 9112, 7.1), which says the same as a body with its length. */
  readonly framing?: Framing;
}

export interface Framing {
  /** Bytes of the chunks, in turn. */
  readonly chunks: readonly number[];
  /** Extensions of a chunk, written after each size: `;name=value`. */
  readonly extensions?: string;
  /**
   * The digits of a size are in lower case and as few as possible, unless it is written otherwise.
   */
  readonly digits?: "in capitals" | "with leading zeros";
  /** Fields behind the last chunk: they are not header fields (RFC 9110, 6.5.1). */
  readonly trailers?: Request["fields"];
}

/** A key of the deployment, as far as the run knows it. */
export interface Key {
  readonly scopes: readonly string[];
  readonly platforms: readonly string[];
  readonly valid: boolean;
}

/** The record that a command with an idempotency key has created. */
export interface Created {
  readonly data: string;
  readonly body: unknown;
}

/** The known content of the deployment: the model's state. */
export interface ModelState {
  readonly keys: ReadonlyMap<string, Key>;
  readonly platforms: readonly string[];
  /** Paths that are served, next to `/`, `/api` and `/api/`. */
  readonly files: ReadonlySet<string>;
  /**
   * The existing names, by operation with a templated name; if an operation is not listed here, any
   * name may exist.
   */
  readonly names: ReadonlyMap<string, ReadonlySet<string>>;
  /** By resource, what is known of its records. */
  readonly records: ReadonlyMap<string, KnownRecords>;
  /** In small letters, unique values of records that may have been created. */
  readonly doubtful?: ReadonlySet<string>;
  /** What the values of this run have in them; undefined: nobody else has any. */
  readonly runId?: string | undefined;
  /** Known cursors, by `listOf`. */
  readonly cursors: ReadonlyMap<string, ReadonlySet<string>>;
  /** Known entity tags, by `tagPlace`. */
  readonly tags: ReadonlyMap<string, ReadonlySet<string>>;
  /** Created records, by `idempotencyId`. */
  readonly created: ReadonlyMap<string, Created>;
  /** Values in use, by the code of the conflict. */
  readonly taken: ReadonlyMap<string, ReadonlySet<string>>;
}

/** An idempotency key belongs to one operation and one API key (D25). */
export const idempotencyId = (operation: string, apiKey: string, key: string): string =>
  JSON.stringify([operation, apiKey, key]);

/**
 * The representation of a tag: a path, or the name of an operation; its media type; its content
 * coding, `identity` without one.
 */
export const tagPlace = (place: string, mediaType: string, coding: string): string =>
  `${place} ${mediaType.toLowerCase()} ${coding.toLowerCase() || "identity"}`;

/** The values of a header field, without the blanks around them, in their order. */
export const fieldsOf = (headers: Request["fields"], name: string): readonly string[] =>
  headers
    .filter(([field]) => field.toLowerCase() === name.toLowerCase())
    .map(([, value]) => value.replace(/^[ \t]+|[ \t]+$/g, ""));
