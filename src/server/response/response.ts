import type { Operation, OperationValidators } from "../contract.ts";
import { ExpectedError } from "../expected-error.ts";
import type { Config } from "../settings/config.ts";
import { type Asset, assetReply } from "./assets.ts";
import type { OnUndocumented } from "./problem-contents.ts";
import { type Reply, textReply } from "./send.ts";

/** The shape of a response in the generated `Types`. */
export interface ResponseShape {
  readonly status: number;
  readonly mediaType: string;
  readonly body: unknown;
}

/**
 * A response with its status, its media type and, if needed, headers; `json` is a body that is JSON
 * text already.
 */
type Parts<T extends ResponseShape> = T extends ResponseShape
  ? {
      readonly status: T["status"];
      readonly mediaType: T["mediaType"];
      readonly headers?: Readonly<Record<string, string>>;
    } & ({ readonly body: T["body"] } | { readonly json: string })
  : never;

/** An asset has bytes and headers that do not change, and is sent with 200, or 304. */
export type ResponseParts<T extends ResponseShape> = Parts<T> | { readonly asset: Asset };

/** What a handler returns when a body alone is not enough. */
export class HandlerResponse<T extends ResponseShape> {
  /** Only a type: without it, TypeScript takes a response of any operation for one of another. */
  declare readonly shape?: T;

  constructor(readonly parts: ResponseParts<T>) {}
}

type IsUnion<T, U = T> = T extends unknown ? ([U] extends [T] ? false : true) : never;

/** The body alone when the operation has one response; when it has several, a `HandlerResponse`. */
export type Result<T extends ResponseShape> =
  | HandlerResponse<T>
  | (IsUnion<T> extends true ? never : T["body"]);

/** What a handler returned; a body alone is the first response of the operation. */
export function responseOf(
  result: unknown,
  { answers }: Pick<Operation, "answers">,
): ResponseParts<ResponseShape> {
  if (result instanceof HandlerResponse) return result.parts;
  const [first] = answers;
  if (!first) throw new ExpectedError("an operation without a response");
  return {
    status: first.status,
    mediaType: first.mediaTypes[0] ?? "application/json",
    body: result,
  };
}

/** What is sent; an asset may be cached for `maxAgeS` seconds. */
export function replyOf(
  response: ResponseParts<ResponseShape>,
  requestHeaders: Parameters<typeof assetReply>[1],
  maxAgeS: number,
): Reply {
  if ("asset" in response) return assetReply(response.asset, requestHeaders, maxAgeS, true);
  const { status, mediaType, headers } = response;
  return textReply(mediaType, textOf(response), status, headers);
}

/** The body as it is sent. */
export function textOf(response: Parts<ResponseShape>): string {
  if ("json" in response) return response.json;
  const { mediaType, body } = response;
  return mediaType === "application/json" ? JSON.stringify(body) : String(body);
}

/** Validating a page of users costs half as much as producing it. */
const ONE_IN = 100;

/**
 * Validates our own responses against the contract: in tests every one, and throws; in production
 * the first of each status of an operation and then one in a hundred, and only reports, since
 * callers still get the response. Documents were validated at start.
 */
export function responseCheck(mode: Config["checkResponses"], onUndocumented: OnUndocumented) {
  const counts = new Map<string, number>();
  const isSampled = (kind: string) => {
    const count = counts.get(kind) ?? 0;
    counts.set(kind, (count + 1) % ONE_IN);
    return count === 0;
  };
  return (
    operation: string,
    validators: OperationValidators,
    response: ResponseParts<ResponseShape>,
    requestId: string,
  ): void => {
    if ("asset" in response) return;
    if (mode === "log" && !isSampled(`${operation} ${response.status}`)) return;
    const faults = responseFaults(
      validators,
      response,
      "json" in response ? JSON.parse(response.json) : response.body,
    );
    if (faults.length === 0) return;
    if (mode === "throw")
      throw new ExpectedError(
        `${operation} sent a response that the contract does not have: ${faults.join(", ")}`,
      );
    onUndocumented(operation, faults, requestId);
  };
}

/**
 * Where a response does not match the contract, and why, without any of its values; empty when it
 * matches.
 */
export function responseFaults(
  { answers }: OperationValidators,
  { status, mediaType }: { readonly status: number; readonly mediaType: string },
  content: unknown,
): readonly string[] {
  const validate = answers[`${status} ${mediaType}`];
  if (!validate) return [`${status} ${mediaType} is not documented`];
  if (validate(content)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `#${instancePath} ${message}`);
}
