import http from "node:http";
import https from "node:https";
import type { Exchange, Response, Timed } from "../exchange.ts";
import type { Contract } from "../oracle/contract.ts";
import { fieldsOf, type Request } from "../oracle/model-state.ts";
import { type Conversation, type ConversationOptions, converse } from "./conversation.ts";
import { type Gateway, withGateway } from "./gateway.ts";
import { isTooLong, MOST_BODY, MOST_FILE } from "./limits.ts";
import { type RateLimiter, retryAfterMs } from "./rate-limiter.ts";
import {
  createNumbering,
  type Endpoint,
  type Received,
  Sockets,
  timedOut,
  type WireRequest,
} from "./socket.ts";
import { isPlain, Supertest } from "./supertest.ts";
import { isClosing, isIdempotent, requestIn, write } from "./write.ts";

export interface ClientOptions extends Pick<Endpoint, "target" | "timeoutMs" | "signal"> {
  readonly gateway: Gateway;
  readonly rateLimiter: RateLimiter;
  readonly limits: Contract["limits"];
  /** Gets each response that wants a pause, before the pause. */
  readonly onBusy?: (exchange: Exchange) => void;
}

interface SendOptions extends Partial<Pick<WireRequest, "mayTrail">> {
  /** Whether the response may be a file of several MiB. */
  readonly isFile?: boolean;
  readonly on?: Connection | undefined;
  /** Returns a 429 instead of waiting: the caller is there to see it. */
  readonly seeksLimit?: boolean;
}

/** A connection that is kept for the next request on it, whatever its method. */
export type Connection = http.Agent;

/** An overload that does not end is a response like any other. */
const MOST_OVERLOADS = 20;

/**
 * Sends the requests of a run, each in its turn; obeys a 429, and a 503 that says when to come
 * again.
 */
export class Client {
  /**
   * How many requests went by each way: as cases, or several at once on a connection of scripts.
   */
  readonly sent = { supertest: 0, socket: 0, conversation: 0 };
  private readonly endpoint: Endpoint;
  private readonly supertest;
  private readonly sockets;

  constructor(private readonly options: ClientOptions) {
    const { target, timeoutMs, signal, gateway } = options;
    this.endpoint = {
      target,
      timeoutMs,
      signal,
      certificate: gateway.certificate,
      numberOf: createNumbering(),
    };
    this.supertest = new Supertest(this.endpoint);
    this.sockets = new Sockets(this.endpoint);
  }

  /** The last request with a response, and the first without, if the target has gone. */
  get gone() {
    return this.options.rateLimiter.gone;
  }

  /**
   * A connection for requests in sequence: what Node's client does not write unchanged goes by
   * another.
   */
  connect(): Connection {
    const { Agent } = this.options.target.tls ? https : http;
    return new Agent({ keepAlive: true, maxSockets: 1 });
  }

  /**
   * The next so many requests are sent at once, whatever the pace is. Nothing else may be sent
   * meanwhile.
   */
  atOnce(count: number): Promise<void> {
    return this.options.rateLimiter.atOnce(count);
  }

  close(): void {
    this.supertest.close();
    this.sockets.close();
  }

  /**
   * Resolves whatever the target does. Throws `RunAborted` if the run ends, and `SkippedByPolicy`
   * if a gateway is in the way.
   */
  async send(request: Request, options: SendOptions = {}): Promise<Timed> {
    const { rateLimiter, gateway, limits } = this.options;
    const whole = withGateway(request, gateway, limits);
    for (let overloads = 0; ; ) {
      await rateLimiter.turn();
      const [sentAt, began] = [Date.now(), performance.now()];
      const received = await this.through(whole, options);
      const { response, error, connection } = received;
      const { method, target, body } = whole;
      rateLimiter.ended(
        brief(`${method} ${target} ${body}`),
        response !== null || isTooLong(error),
        sentAt,
        this.mayClose(whole, received),
      );
      const times = { sentAt, endedAt: Date.now(), began, ended: performance.now() };
      const exchange = { request: whole, response, error, prediction: null, ...times, connection };
      const wait = response && waitOf(response);
      if (wait) this.options.onBusy?.(exchange);
      if (response?.status === 503) overloads += 1;
      if (response && wait === null) rateLimiter.passed();
      if (wait === null || options.seeksLimit || overloads > MOST_OVERLOADS) return exchange;
      rateLimiter.pause(wait.ms, wait.why);
    }
  }

  /**
   * Writes exact bytes on a connection of their own, as often as a 429 or 503 in between wants.
   * Resolves whatever the target does; throws `RunAborted` if the run ends.
   */
  async converse(pieces: readonly Buffer[], options: ConversationOptions): Promise<Conversation> {
    const { rateLimiter } = this.options;
    for (let overloads = 0; ; ) {
      for (const _ of options.heads) await rateLimiter.turn();
      const sentAt = Date.now();
      this.sent.conversation += options.heads.length;
      const conversation = await converse(this.endpoint, pieces, options);
      const { responses, connection } = conversation;
      const text = brief(Buffer.concat(pieces).toString("latin1"));
      rateLimiter.ended(text, responses.length > 0, sentAt, connection > 0);
      const [wait] = responses.flatMap((response) => waitOf(response) ?? []);
      this.showBusy(pieces, options, conversation, { sentAt, endedAt: Date.now() });
      if (responses.some(({ status }) => status === 503)) overloads += 1;
      if (responses.length > 0 && !wait) rateLimiter.passed();
      if (!wait || overloads > MOST_OVERLOADS) return conversation;
      rateLimiter.pause(wait.ms, wait.why);
    }
  }

  private showBusy(
    pieces: readonly Buffer[],
    { heads }: ConversationOptions,
    { responses, connection }: Conversation,
    times: Pick<Exchange, "sentAt" | "endedAt">,
  ): void {
    for (const [at, response] of responses.entries()) {
      if (waitOf(response) === null) continue;
      const bytes = pieces.length === heads.length ? pieces[at] : Buffer.concat(pieces);
      const request = {
        ...requestIn(bytes ?? Buffer.alloc(0)),
        ...(heads[at] && { method: "HEAD" }),
      };
      this.options.onBusy?.({
        request,
        response,
        error: null,
        prediction: null,
        ...times,
        connection,
      });
    }
  }

  private through(
    request: Request,
    { isFile = false, mayTrail = false, on }: SendOptions,
  ): Promise<Received> {
    const { target } = this.options;
    const most = isFile ? MOST_FILE : MOST_BODY;
    if (isPlain(request, target)) {
      this.sent.supertest += 1;
      return this.supertest.send(request, most, on);
    }
    this.sent.socket += 1;
    const isHead = request.method === "HEAD";
    const mayReuse = isIdempotent(request) && !isClosing(request);
    const bytes = write(request, target.prefix);
    return this.sockets.send({
      bytes,
      isHead,
      isClosing: isClosing(request),
      mayTrail,
      mayReuse,
      most,
    });
  }

  /** A target that closes the connection on what no client should send has not gone. */
  private mayClose(request: Request, { error, connection }: Received): boolean {
    const { target, timeoutMs } = this.options;
    return !isPlain(request, target) && connection > 0 && error !== timedOut(timeoutMs);
  }
}

/** The beginning of a request, on one line. */
const brief = (request: string): string => request.slice(0, 200).replace(/\s+/g, " ").trim();

/**
 * How long a response wants its client to wait; null if it does not. A 503 may be of a gateway, or
 * to HEAD, and have no code; one with another code than that of an overload is about the request.
 */
function waitOf({
  status,
  fields,
  json,
}: Response): { readonly ms: number; readonly why: string } | null {
  const [retryAfter] = fieldsOf(fields, "Retry-After");
  const { code = "overloaded" } = Object(json);
  const isOverload = status === 503 && retryAfter !== undefined && code === "overloaded";
  if (status !== 429 && !isOverload) return null;
  const why =
    retryAfter === undefined
      ? `${status}`
      : `${status} with Retry-After: ${retryAfter.slice(0, 40)}`;
  return { ms: retryAfterMs(retryAfter, Date.now()), why };
}
