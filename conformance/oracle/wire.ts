/** A request as it is on the wire, whatever its generator meant by it. */
export interface Wire {
  readonly method: string;
  /** As in the request line, below the path prefix of the deployment. */
  readonly target: string;
  /** In their order, `Host` among them. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** A character a byte. */
  readonly body: string;
  readonly version?: "1.0" | "1.1";
}

/** A key of the deployment, as far as the run knows it. */
export interface Key {
  readonly scopes: readonly string[];
  readonly platforms: readonly string[];
  readonly valid: boolean;
}

/** What a command under an idempotency key has created. */
export interface Created {
  readonly data: string;
  readonly body: unknown;
}

/** What the deployment holds, as far as it is known: the model's state. */
export interface World {
  readonly keys: ReadonlyMap<string, Key>;
  readonly platforms: readonly string[];
  /** Paths that are served, next to `/`, `/api` and `/api/`. */
  readonly files: ReadonlySet<string>;
  /** By operation with a template name, the names that exist; an operation that is not listed here: any name may. */
  readonly names: ReadonlyMap<string, ReadonlySet<string>>;
  /** By operation, the cursors that were given out. */
  readonly cursors: ReadonlyMap<string, ReadonlySet<string>>;
  /** Entity tags that were given out, by `tagPlace`. */
  readonly tags: ReadonlyMap<string, ReadonlySet<string>>;
  /** By `idempotencyId`, what was created. */
  readonly created: ReadonlyMap<string, Created>;
  /** Values that are taken, by the code of the conflict. */
  readonly taken: ReadonlyMap<string, ReadonlySet<string>>;
}

/** An idempotency key belongs to one operation and one API key (D25). */
export const idempotencyId = (operation: string, apiKey: string, key: string): string =>
  JSON.stringify([operation, apiKey, key]);

/** What a tag belongs to: a path, or the name of an operation; its media type; its content coding, `identity` without one. */
export const tagPlace = (place: string, mediaType: string, coding: string): string =>
  `${place} ${mediaType.toLowerCase()} ${coding.toLowerCase() || "identity"}`;

/** The values of a header field, without the blanks around them, in their order. */
export const fieldsOf = (headers: Wire["headers"], name: string): readonly string[] =>
  headers
    .filter(([field]) => field.toLowerCase() === name.toLowerCase())
    .map(([, value]) => value.replace(/^[ \t]+|[ \t]+$/g, ""));
