import type { OperationValidators } from "../../generated/validators.ts";
import type { Config } from "../config.ts";
import type { Reply } from "../http/reply.ts";
import type { FindKey } from "../keys/find-key.ts";
import type { KeyRecord } from "../storage/keys.ts";
import type { Caller, Credentials } from "./credentials.ts";
import type { Found, OperationFacts } from "./operation-table.ts";
import type { Problem } from "./problem.ts";
import type { Request, RequestFacts } from "./request.ts";

/** A contract as it was generated, and the handlers that carry it out. */
export interface Contract<S> {
  readonly operations: Readonly<Record<string, OperationFacts>>;
  readonly validators: Readonly<Record<string, OperationValidators>>;
  // Each handler takes the input of its own operation; the validators prove it, so the table need not know.
  readonly handlers: Readonly<Record<string, (input: never, context: S & RequestFacts) => unknown>>;
}

export interface DispatcherOptions<S> {
  readonly services: S;
  readonly findKey: FindKey;
  readonly config: Pick<Config, "limits" | "platforms" | "checkAnswers" | "docsMaxAgeS">;
  /** Told of an answer that does not fit the contract, when `checkAnswers` is `log`. */
  readonly onUndocumented: (operation: string, faults: readonly string[], requestId: string) => void;
}

/** What the steps work with, the same for every request. `never`: what a handler takes is proven where the contract is put together. */
export interface House extends DispatcherOptions<unknown> {
  readonly find: (name: string) => Found | null;
  readonly validators: Contract<never>["validators"];
  readonly handlers: Contract<never>["handlers"];
}

/** What is known of a request when all steps are done, or one has refused. */
export interface Known extends Found {
  readonly request: Request;
  readonly query: ReadonlyMap<string, string>;
  readonly bytes: Buffer;
  /** Of a POST; null on GET and HEAD. */
  readonly body: Record<string, unknown> | null;
  readonly name: string;
  readonly validator: OperationValidators;
  /** From here to the caller, null on a public operation. */
  readonly credentials: Credentials | null;
  readonly sent: { readonly key: string; readonly platform: string } | null;
  readonly record: KeyRecord | null;
  readonly caller: Caller | null;
  readonly mediaType: string;
  readonly input: Record<string, unknown>;
  readonly reply: Reply | Problem;
}
export type Knows<Names extends keyof Known> = Pick<Known, Names>;

/** What each step finds out. */
export interface Learned {
  readonly readQuery: Knows<"query">;
  readonly readBody: Knows<"bytes">;
  readonly parseBody: Knows<"body">;
  readonly nameOperation: Knows<"name">;
  readonly findOperation: Knows<"operation" | "parts" | "validator">;
  readonly readCredentials: Knows<"credentials">;
  readonly requireCredentials: Knows<"sent">;
  readonly authenticate: Knows<"record">;
  readonly judgePlatform: Knows<"caller">;
  readonly negotiate: Knows<"mediaType">;
  readonly judgeInput: Knows<"input">;
  readonly handle: Knows<"reply">;
}
