import type { Difference, Exchange, Finding } from "../exchange.ts";
import type { Conversation, ConversationOptions } from "../http/conversation.ts";
import { withGateway } from "../http/gateway.ts";
import { endsConnection, requestIn, write } from "../http/write.ts";
import { compare } from "../laws/compare.ts";
import { differs } from "../laws/difference.ts";
import { concernsOf } from "../laws/tags.ts";
import { fieldsOf, type Request } from "../oracle/model-state.ts";
import { mayEndAtParser, type Prediction } from "../oracle/predict.ts";
import { OUTSIDE_PROFILE } from "../run/options.ts";
import { skipReason } from "../run/policy.ts";
import { type Exercised, MissingPrecondition, type Run } from "../run/state.ts";

/**
 * Requests as bytes on one connection: each response is compared with its prediction, however the
 * request was written.
 */

export interface Message {
  /** As a right server reads it, and as it is written unless `bytes` are. */
  readonly request: Request;
  readonly bytes?: Buffer;
  /** The allowed codes of the rejection, for bytes that no prediction knows. */
  readonly codes?: readonly string[];
  /** Codes that are allowed instead of what is predicted. */
  readonly or?: readonly string[];
}

/** A request that is written as it is, or a message. */
export type SocketMessage = Request | Message;

export const messageOf = (socketMessage: SocketMessage): Message =>
  "request" in socketMessage ? socketMessage : { request: socketMessage };

export const withFields = (request: Request, ...fields: Request["fields"]): Request => ({
  ...request,
  fields: [...request.fields, ...fields],
});

export const without = (request: Request, name: string): Request => ({
  ...request,
  fields: request.fields.filter(([one]) => one.toLowerCase() !== name.toLowerCase()),
});

interface Options extends Pick<ConversationOptions, "by"> {
  /** The minimum number of responses; default all. */
  readonly least?: number;
}

/** Characters of a script's name in the ids of its requests, which have at most 64. */
const MOST_NAME = 36;

type Predicted = Exchange & { readonly prediction: Prediction };

/** What a script sends, and what it finds, all for one requirement. */
export class SocketTestContext {
  private readonly prefix: string;
  private conversations = 0;

  /** `id`: of the script. */
  constructor(
    readonly run: Run,
    private readonly requirement: string,
    id: string,
    private readonly say: Exercised,
  ) {
    const name = id.replaceAll(/[^a-z]+/g, "-").slice(0, MOST_NAME);
    this.prefix = `${run.runId}-${name}`;
  }

  /** What the requirement is about was sent, and compared. */
  exercised = (): void => this.say(this.requirement);

  /** Whether this run may send it. */
  allows = (request: Request): boolean =>
    skipReason(this.run, request, this.predict({ request })) === null;

  private predict({ request, codes, or: alternatives = [] }: Message): Prediction {
    const { oracle } = this.run.suite;
    if (!codes) {
      const prediction = oracle.predict(request, this.run.model);
      return alternatives.length > 0
        ? { ...prediction, or: [...(prediction.or ?? []), ...alternatives] }
        : prediction;
    }
    const [code = "", ...or] = codes;
    const status = oracle.contract.problems[code]?.status ?? 0;
    return { by: this.requirement, step: "readHead", status, code, or, operation: null };
  }

  /** Sends it by the client of the run, in the present state of the model. */
  exchange = async (request: Request): Promise<Predicted> => {
    const prediction = this.predict({ request });
    return { ...(await this.run.client.send(request)), prediction };
  };

  /** With the fields of a gateway; `ends`: the last one of its connection. */
  private whole(request: Request, ends: boolean): Request {
    const closing = ends ? withFields(request, ["Connection", "close"]) : request;
    return withGateway(closing, this.run.options.gateway, this.run.suite.oracle.contract.limits);
  }

  bytesOf = (request: Request, ends: boolean): Buffer =>
    write(this.whole(request, ends), this.run.options.target.prefix);

  /** With the fields of a gateway behind the first line, unless they are there. */
  private complete(bytes: Buffer): Buffer {
    const lines = this.run.options.gateway.fields.map(([name, value]) => `${name}: ${value}\r\n`);
    const index = bytes.indexOf("\r\n") + 2;
    if (index < 2 || lines.every((line) => bytes.includes(line, 0, "latin1"))) return bytes;
    return Buffer.concat([
      bytes.subarray(0, index),
      Buffer.from(lines.join(""), "latin1"),
      bytes.subarray(index),
    ]);
  }

  /** Exact bytes on a connection of their own. */
  send = (
    bytes: Buffer,
    options: ConversationOptions,
    pieces?: readonly Buffer[],
  ): Promise<Conversation> => this.run.client.converse(pieces ?? [this.complete(bytes)], options);

  /** Sends bytes that may be no request. */
  private exchangeOf(
    bytes: Buffer,
    { responses, ending, connection }: Conversation,
    index = 0,
  ): Exchange {
    const response = responses[index] ?? null;
    const error = response ? null : ending;
    return { request: requestIn(bytes), response, error, prediction: null, connection, ...now() };
  }

  private found = (exchange: Exchange, difference: Difference): Finding => ({
    ...difference,
    requirement: this.requirement,
    source: "script",
    exchanges: [exchange],
    at: 0,
    case: null,
  });

  differs = (exchange: Exchange, aspect: string, expected: string, actual: string): Finding =>
    this.found(exchange, { aspect, expected, actual });

  /**
   * What is wrong with a conversation about these bytes, and with its response `at`; by default how
   * the connection ended.
   */
  unlike(
    expected: string,
    bytes: Buffer,
    conversation: Conversation,
    { aspect = "connection", actual = conversation.ending, at = 0, written = bytes } = {},
  ): Finding {
    const finding = this.differs(
      this.exchangeOf(bytes, conversation, at),
      aspect,
      expected,
      actual,
    );
    return { ...finding, written: this.complete(written).toString("latin1") };
  }

  /**
   * Writes the messages on one connection, which ends with the last, and compares the responses:
   * one for each, in order, and nothing behind them. A server may close a connection after any
   * response, if it announces that: the rest is then not compared.
   */
  async *together(said: readonly SocketMessage[], options: Options = {}): AsyncGenerator<Finding> {
    if (said.length === 0) throw nothing();
    const count = yield* this.conversed(said, options);
    // Where the first response ends the connection, what comes behind it is not seen.
    if (count >= Math.min(2, said.length)) this.exercised();
  }

  /** Returns how many responses there were. */
  private async *conversed(
    said: readonly SocketMessage[],
    { least = said.length, ...how }: Options = {},
  ): AsyncGenerator<Finding, number> {
    this.conversations += 1;
    const messages = said.map((socketMessage, index) => {
      const { request, bytes, ...allowed } = messageOf(socketMessage);
      // Its response has the same id, which names the script in the log of the deployment.
      const named = withFields(request, [
        "X-Request-Id",
        `${this.prefix}-${this.conversations}-${index}`,
      ]);
      const sent = bytes ? named : this.whole(named, index === said.length - 1);
      const prediction = this.predict({ request: sent, ...allowed });
      const written = bytes ? this.complete(bytes) : write(sent, this.run.options.target.prefix);
      return { request: sent, prediction, bytes: written };
    });
    const pieces = messages.map(({ bytes }) => bytes);
    const all = Buffer.concat(pieces);
    const heads = messages.map(({ request }) => request.method === "HEAD");
    const conversation = await this.send(all, { heads, ...how }, pieces);
    const { responses, rest, closed, isBodyOfLast, connection } = conversation;
    const last = messages[responses.length - 1];
    const mayHaveBody = last?.request.method === "HEAD" && mayEndAtParser(last.prediction);
    const isWhole = rest.length === 0 || (mayHaveBody && isBodyOfLast);
    const isAnnounced =
      responses.length < said.length && endsConnection(responses.at(-1)?.fields ?? []);
    const isRight = isAnnounced
      ? closed !== null
      : responses.length >= least && responses.length <= said.length && closed === "in order";
    const [expected, aspect] = isRight
      ? ["as many bytes as announced", "body"]
      : [
          `${least === 1 ? "one response" : `${least} responses`}, then the end of the connection`,
          "connection",
        ];
    if (!isRight || !isWhole) {
      const at = Math.max(0, responses.length - 1);
      yield this.unlike(expected, messages[at]?.bytes ?? all, conversation, {
        aspect,
        at,
        written: all,
      });
    }
    for (const [index, response] of responses.entries()) {
      const { request, prediction } = messages[index] ?? {};
      if (!request || !prediction) break;
      const exchange = { request, response, error: null, prediction, connection, ...now() };
      const isRaw = "bytes" in (said[index] ?? {});
      for (const finding of this.compared(exchange, said.length > 1))
        yield said.length === 1 && !isRaw
          ? finding
          : { ...finding, written: all.toString("latin1") };
    }
    return responses.length;
  }

  /** Each on a connection of its own. */
  async *each(said: readonly SocketMessage[]): AsyncGenerator<Finding> {
    if (said.length === 0) throw nothing();
    for (const socketMessage of said) yield* this.together([socketMessage]);
  }

  /** Sends requests that the requirement is not about: a server must serve them. */
  async *served(requests: readonly Request[]): AsyncGenerator<Finding> {
    for (const request of requests) yield* this.conversed([request]);
  }

  /** Not where another may answer in place of the service, or beside it. */
  private get promisesId(): boolean {
    return this.run.left.get("http/request-id") !== OUTSIDE_PROFILE;
  }

  /**
   * What is wrong with a response, by its prediction and the laws. `hasOwnId`: it must have the id
   * of its request.
   */
  *compared(exchange: Predicted, hasOwnId: boolean): Generator<Finding> {
    const { suite, memory, results } = this.run;
    const { response, prediction } = exchange;
    const difference =
      compare(exchange, suite.oracle.contract) ??
      (hasOwnId && this.promisesId ? ofOther(exchange) : null);
    const concerns = concernsOf(suite.laws, exchange);
    if (difference) yield { ...this.found(exchange, difference), concerns };
    if (!response) return;
    for (const law of suite.laws) {
      // A rejection that no prediction knows is of no operation and of no known part of the
      // request.
      if (prediction.by === this.requirement && prediction.step === "readHead") break;
      if (!law.applies(exchange)) continue;
      results.applied(law.id);
      const broken = law.check(exchange, memory);
      if (broken) yield { ...this.found(exchange, broken), requirement: law.id, source: "law" };
    }
  }
}

const nothing = () => new MissingPrecondition("this run has no request for it");
const now = () => ({ sentAt: Date.now(), endedAt: Date.now() });

/** Whether it is the response to another request on the same connection. */
function ofOther({ request, response, prediction }: Predicted): Difference | null {
  // A response with an `ETag` may be stored by shared caches, and has an id of the service (D12).
  if (!response || fieldsOf(response.fields, "ETag").length > 0 || prediction.step === "readHead")
    return null;
  const [id] = fieldsOf(response.fields, "X-Request-Id");
  const [sentId] = fieldsOf(request.fields, "X-Request-Id");
  return id === sentId
    ? null
    : differs("header:x-request-id", `the response to ${sentId}`, `that to ${id ?? "none"}`);
}
