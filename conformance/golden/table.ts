import type { Request } from "../oracle/model-state.ts";
import type { Prediction } from "../oracle/predict.ts";

/**
 * Golden exchanges: hand-written requests and responses, from the clauses of the contract alone.
 * They detect a misreading that the oracle and a service share. A response has what a prediction
 * has, and is compared as one; what holds of every response is for the laws.
 */
export interface Golden {
  readonly requirement: string;
  readonly title: string;
  /** Sent one after the other. */
  readonly exchanges: readonly (readonly [request: GoldenRequest, response: GoldenResponse])[];
}

/**
 * A text is the target of a GET. Texts have values of the run: `{mark}`, 33 characters, begins what
 * must be unique; `{origin}`, `{key}` and `{platform}` are those of the target; `{cursor}` and
 * `{etag}` (without `W/`) are those of the response before.
 */
export type GoldenRequest = string | GoldenParts;

interface GoldenParts extends Partial<Pick<Request, "method" | "target" | "version" | "fields">> {
  /** The kind of the key that is sent, with the platform of the run: `full`, `expired`. */
  readonly key?: string;
  readonly platform?: string;
  /** Text, or bytes that are no text; with it, the method is POST by default. */
  readonly body?: string | Buffer;
  /** A field is added so that all, with what is between them, have so many bytes. */
  readonly headBytes?: number;
}

export interface GoldenResponse
  extends Pick<
    Prediction,
    "status" | "code" | "or" | "allow" | "location" | "orLocation" | "mediaType" | "places"
  > {
  /** The operation that `X-Operation` names; null: the field is not sent. */
  readonly operation: string | null;
  /** The body of the response before is sent again. */
  readonly isReplayed?: true;
}

/** Requests with this response, by the title of each. */
export const golden = (
  requirement: string,
  response: GoldenResponse,
  requests: Readonly<Record<string, GoldenRequest>>,
): readonly Golden[] =>
  Object.entries(requests).map(([title, request]) => ({
    requirement,
    title,
    exchanges: [[request, response]],
  }));

/** Requests that depend on each other. */
export const scenario = (
  requirement: string,
  title: string,
  ...exchanges: Golden["exchanges"]
): readonly Golden[] => [{ requirement, title, exchanges }];

type More = Partial<GoldenResponse>;

/** A rejection with this problem; `{ operation }` if it is one of an operation. */
export const rejected = (status: number, code: string, partial: More = {}): GoldenResponse => ({
  status,
  code,
  operation: null,
  ...partial,
});

/** The rejection of an input, with the places of its faults. */
export const invalid = (operation: string, ...places: readonly string[]): GoldenResponse =>
  rejected(422, "invalid-input", { operation, places });

/** A success of an operation, in JSON. */
export const success = (operation: string, partial: More = {}): GoldenResponse => ({
  status: 200,
  code: null,
  operation,
  mediaType: "application/json",
  ...partial,
});

/** A success of no operation. */
export const served = (status: number, partial: More = {}): GoldenResponse => ({
  status,
  code: null,
  operation: null,
  ...partial,
});
