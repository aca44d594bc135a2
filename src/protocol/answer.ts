import type { OperationValidators } from "../../generated/validators.ts";
import type { Config } from "../config.ts";
import type { Asset } from "../http/assets.ts";
import { SafeError } from "../log/safe-error.ts";
import type { OperationFacts } from "./operation-table.ts";

/** The shape of an answer in the generated `Types`. */
export interface AnswerShape {
  readonly status: number;
  readonly mediaType: string;
  readonly body: unknown;
}

/**
 * An answer with its status, its media type and, where needed, headers. `json` is a body that is JSON text already; an asset has
 * bytes and headers that do not change, and is sent with 200, or 304.
 */
export type AnswerParts<T extends AnswerShape> = T extends AnswerShape
  ? { readonly status: T["status"]; readonly mediaType: T["mediaType"] } & (
      | { readonly asset: Asset; readonly headers?: never }
      | (({ readonly body: T["body"] } | { readonly json: string }) & {
          readonly headers?: Readonly<Record<string, string>>;
        })
    )
  : never;

/** What a handler returns where the body alone does not say it all. */
export class Answer<T extends AnswerShape> {
  constructor(readonly parts: AnswerParts<T>) {}
}

type IsUnion<T, U = T> = T extends unknown ? ([U] extends [T] ? false : true) : never;

/** The body alone where the operation has one answer; where it has several, an `Answer`. */
export type Result<T extends AnswerShape> = Answer<T> | (IsUnion<T> extends true ? never : T["body"]);

/** A body alone, as the answer that the operation has first. */
export function bareAnswer(body: unknown, { answers }: OperationFacts): AnswerParts<AnswerShape> {
  const [answer] = answers;
  if (!answer) throw new SafeError("an operation without an answer");
  return { status: answer.status, mediaType: answer.mediaTypes[0] ?? "application/json", body };
}

/** With `CHECK_ANSWERS=log`, of the answers of an operation with one status: to judge a page of users costs half of what else it does. */
const ONE_IN = 100;

/** Told of an answer that does not fit the contract, where `checkAnswers` is `log`. */
export type OnUndocumented = (operation: string, faults: readonly string[], requestId: string) => void;

export type AnswerCheck = (
  operation: string,
  validators: OperationValidators,
  answer: AnswerParts<AnswerShape>,
  requestId: string,
) => void;

/**
 * Holds our own answers against the contract: in tests every one, and throws; in production the first of each status of an operation
 * and then one in a hundred, and tells, since an answer is never broken there. Documents were checked at start.
 */
export function answerCheck(mode: Config["checkAnswers"], onUndocumented: OnUndocumented): AnswerCheck {
  const counts = new Map<string, number>();
  const isSampled = (answered: string) => {
    const count = counts.get(answered) ?? 0;
    counts.set(answered, (count + 1) % ONE_IN);
    return count === 0;
  };
  return (operation, validators, answer, requestId) => {
    if (mode === "off" || "asset" in answer) return;
    if (mode === "log" && !isSampled(`${operation} ${answer.status}`)) return;
    const faults = answerFaults(validators, answer, "json" in answer ? JSON.parse(answer.json) : answer.body);
    if (faults.length === 0) return;
    if (mode === "throw")
      throw new SafeError(`${operation} answered what the contract does not have: ${faults.join(", ")}`);
    onUndocumented(operation, faults, requestId);
  };
}

/** Where an answer does not fit the contract, and why, without any of its values; empty when it fits. */
export function answerFaults(
  { answers }: OperationValidators,
  { status, mediaType }: { readonly status: number; readonly mediaType: string },
  content: unknown,
): readonly string[] {
  const validate = answers[`${status} ${mediaType}`];
  if (!validate) return [`${status} ${mediaType} is not documented`];
  if (validate(content)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `#${instancePath} ${message}`);
}
