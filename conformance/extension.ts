/**
 * What an extension of the suite is written with. `index.ts` exports all of it; the extension of
 * this service imports nothing else.
 */
import type { Exchange, Finding } from "./exchange.ts";
import type { Golden } from "./golden/table.ts";
import type { Law } from "./laws/law.ts";
import type { Contract } from "./oracle/contract.ts";
import type { OperationExtension } from "./oracle/operation-extension.ts";
import type { RequestExtension } from "./requests/generate.ts";
import type { Input } from "./run/options.ts";
import type { Exercised, ScriptDescription } from "./run/state.ts";

export type { Difference, Exchange, Finding, Memory } from "./exchange.ts";
export * from "./golden/table.ts";
export { bodyDifference } from "./laws/compare.ts";
export { differs, excerpt, firstDifference, firstOf } from "./laws/difference.ts";
export { lists } from "./laws/headers.ts";
export {
  agree,
  hasContent,
  hasObject,
  isOf,
  isSuccess,
  type Law,
  law,
  once,
} from "./laws/law.ts";
export type { ParsedExchange } from "./laws/parsed-exchange.ts";
export { codedLaw, stronglyTaggedLaw, taggedLaw, takes } from "./laws/representations.ts";
export { tag } from "./laws/tags.ts";
export type { Contract, Operation } from "./oracle/contract.ts";
export type { OperationExtension } from "./oracle/operation-extension.ts";
export type { ParsedRequest } from "./oracle/parsed-request.ts";
export type { Rule } from "./oracle/rules.ts";
export { isObject } from "./oracle/schema.ts";
export { stringOf } from "./oracle/values.ts";
export { type Draft, type Mutation, mutation } from "./requests/draft.ts";
export { MissingPrecondition } from "./run/state.ts";

/** What a script of an extension has of its run. */
export interface ScriptContext {
  readonly contract: Contract;
  /** Values that the run sends have it in them. */
  readonly runId: string;
  /**
   * Calls an operation with the key of the run, and compares the response with the predicted one:
   * the script yields the findings. `input`: by default its example, with values of its own where
   * they must be unique. Throws `MissingPrecondition` where the contract has no such operation, or
   * this run may not call it.
   */
  readonly call: (
    operation: string,
    input?: Input,
  ) => Promise<{ readonly exchange: Exchange; readonly findings: readonly Finding[] }>;
}

/** A check of several requests. */
export interface ExtensionScript extends ScriptDescription {
  /**
   * Calls `exercised` at the step that exercises a requirement: one of which it says nothing does
   * not pass by it. Throws `MissingPrecondition` where this deployment has nothing to try it on.
   */
  readonly run: (context: ScriptContext, exercised: Exercised) => AsyncIterable<Finding>;
}

/**
 * What one service knows and its contract cannot say. What is about an operation or a requirement
 * of other contracts is left out.
 */
export interface Extension extends RequestExtension {
  /** Its name in messages. */
  readonly id: string;
  /** Rules of single operations, values that must be unique, names that a list shows. */
  readonly rules?: readonly OperationExtension[];
  /** What holds of every response, each by the id of its requirement. */
  readonly laws?: readonly Law[];
  /** Hand-written exchanges. */
  readonly golden?: readonly Golden[];
  /** Checks that are more than a request and its response. */
  readonly scripts?: readonly ExtensionScript[];
}
