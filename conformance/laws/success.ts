import { type Check, checkAll } from "../checks/check.ts";
import { fail } from "../client/expect.ts";
import type { Aspect } from "../client/expectation.ts";
import { excerpts, Reply } from "../client/reply.ts";
import { decoded } from "../client/wire/content-coding.ts";
import type { Exchange } from "../client/wire/exchange.ts";
import { objectIn } from "../client/wire/json.ts";
import type { Model } from "../models/model.ts";
import type { Contract, Operation } from "../oracle/contract.ts";
import type { Request, World } from "../oracle/world.ts";

/** A success, 304 included, as laws read it. */
export interface Success {
  readonly request: Request;
  /** Without its content coding; unchanged if it cannot be decoded. */
  readonly reply: Reply;
  /** The JSON object of the body; null if it is none, which `answers/object` and `contract/served` report. */
  readonly json: Readonly<Record<string, unknown>> | null;
  /** The content coding in lower case; `identity` if there is none. */
  readonly coding: string;
  /** Null for resources next to the endpoint. */
  readonly operation: Operation | null;
  /** The name used to call the operation, or the path. */
  readonly place: string;
  readonly contract: Contract;
  /** The existing names, by operation with a templated name. */
  readonly names: World["names"];
}

const known = new WeakMap<Exchange, Success>();

function successOf(exchange: Exchange, predicted: ReturnType<Model["predicted"]>): Success | null {
  const { answer } = exchange;
  if (!answer || !predicted || predicted.prediction.code !== null || predicted.request.method === "OPTIONS")
    return null;
  if (answer.status !== 304 && (answer.status < 200 || answer.status >= 300)) return null;
  const { request, place, contract, names } = predicted;
  const reply = new Reply(exchange, decoded(answer));
  const coding = (reply.header("content-encoding") ?? "identity").trim().toLowerCase();
  const json = /json$/.test(reply.mediaType) ? objectIn(reply.body) : null;
  const success = { request, reply, json, coding, place, contract, names, operation: predicted.prediction.operation };
  known.set(exchange, success);
  return success;
}

export type Memory = Map<string, string>;

/**
 * A law for each success of some kind; for HEAD and 304, which have no body, only with `bodiless`. `once`: only the first time,
 * for a body that is repeated.
 */
export function successLaw(
  id: Parameters<typeof checkAll>[0],
  of: (success: Success) => boolean,
  judge: (success: Success, memory: Memory) => void,
  { bodiless = false, once = false } = {},
): Check {
  return checkAll(id, (exchange, _, { predicted, memory }) => {
    const success = known.get(exchange) ?? successOf(exchange, predicted);
    if (!success || (!bodiless && (success.request.method === "HEAD" || success.reply.status === 304))) return;
    if (!of(success)) return;
    const { place, reply } = success;
    const last = `the last ${reply.mediaType} of ${place}`;
    if (once && memory.get(last) === reply.text) return;
    judge(success, memory);
    if (once) memory.set(last, reply.text);
  });
}

/** Two responses with the same thing must agree: throws for the later one of two that differ. */
export function agree(memory: Memory, thing: string, value: string, aspect: Aspect = "body"): void {
  const before = memory.get(thing) ?? value;
  memory.set(thing, before);
  if (before === value) return;
  const [expected, actual] = excerpts(before, value);
  fail(aspect, `${thing} as in another response, ${expected}`, actual);
}
