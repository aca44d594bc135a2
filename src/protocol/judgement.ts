import type { Config } from "../config.ts";
import type { Reply } from "../http/reply.ts";
import type { FindKey } from "../keys/find-key.ts";
import type { RateLimits } from "../limits/rate-limits.ts";
import type { KeyRecord } from "../storage/keys.ts";
import type { AnswerCheck, OnUndocumented } from "./answer.ts";
import type { Caller, Credentials } from "./credentials.ts";
import type { Found } from "./operation-table.ts";
import type { Problem } from "./problem.ts";
import type { Request } from "./request.ts";

export interface DispatcherOptions<S> {
  readonly services: S;
  readonly findKey: FindKey;
  readonly rateLimits: RateLimits;
  readonly config: Pick<Config, "limits" | "timeouts" | "platforms" | "checkAnswers" | "docsMaxAgeS">;
  readonly onUndocumented: OnUndocumented;
}

/** What the steps work with, the same for every request. */
export interface House extends DispatcherOptions<unknown> {
  readonly find: (name: string) => Found | null;
  readonly checkAnswer: AnswerCheck;
}

/**
 * What is known of a request when all steps are done, or one has rejected. A class, so that an object has room for all members from the
 * start: an object that grows member by member costs V8 three times as much.
 */
export class Known implements Found {
  readonly operation!: Found["operation"];
  readonly validator!: Found["validator"];
  readonly handler!: Found["handler"];
  readonly headers!: Found["headers"];
  readonly parts!: Found["parts"];
  readonly query!: ReadonlyMap<string, string>;
  readonly bytes!: Buffer;
  /** Of a POST; null on GET and HEAD. */
  readonly body!: Record<string, unknown> | null;
  readonly name!: string;
  /** From here to the caller, null on a public operation. */
  readonly credentials!: Credentials | null;
  readonly sent!: { readonly key: string; readonly platform: string } | null;
  readonly record!: KeyRecord | null;
  readonly caller!: Caller | null;
  /** Headers of the limits under which the request was counted. */
  readonly counted!: Readonly<Record<string, string>>;
  readonly mediaType!: string;
  readonly input!: Record<string, unknown>;
  readonly sentHeaders!: Readonly<Record<string, unknown>>;
  readonly reply!: Reply | Problem;

  constructor(readonly request: Request) {}
}
export type Knows<Names extends keyof Known> = Pick<Known, Names>;

/** The result of each step. */
export interface Learned {
  readonly readQuery: Knows<"query">;
  readonly readBody: Knows<"bytes">;
  readonly parseBody: Knows<"body">;
  readonly nameOperation: Knows<"name">;
  readonly findOperation: Found;
  readonly readCredentials: Knows<"credentials">;
  readonly requireCredentials: Knows<"sent">;
  readonly authenticate: Knows<"record">;
  readonly judgePlatform: Knows<"caller">;
  readonly limitRate: Knows<"counted">;
  readonly negotiate: Knows<"mediaType">;
  readonly judgeInput: Knows<"input" | "sentHeaders">;
  readonly handle: Knows<"reply">;
}
