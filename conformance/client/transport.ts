import type { Model } from "../models/model.ts";
import type { Credentials } from "./credentials.ts";
import type { Examples } from "./examples.ts";
import { Expectation, Stopped, Withheld } from "./expectation.ts";
import { type Gateway, withGateway, withGatewayInBytes } from "./gateway.ts";
import { harmOf, WRONG_KEY } from "./harm.ts";
import type { Leeway } from "./leeway.ts";
import { type Pace, retryAfterMs } from "./pace.ts";
import { memberIn, Reply } from "./reply.ts";
import type { Users } from "./users.ts";
import { decoded } from "./wire/content-coding.ts";
import { type Answer, type Exchange, firstBytes } from "./wire/exchange.ts";
import { isTooLong } from "./wire/gathered.ts";
import type { HttpRequest, SendLimits, sendHttp } from "./wire/http.ts";
import { readRequest } from "./wire/raw-request.ts";
import type { Conversation, converse, RawOptions } from "./wire/socket.ts";
import type { Target } from "./wire/target.ts";

/** Carries requests to the target: the HTTP client, or bytes on a socket. */
export interface Carrier {
  readonly http: typeof sendHttp;
  readonly raw: typeof converse;
}

/** The state that all checks of a run share. */
export interface Session extends SendLimits {
  readonly target: Target;
  readonly carrier: Carrier;
  readonly credentials: Credentials;
  readonly runId: string;
  readonly seed: number;
  readonly users: Users;
  readonly pace: Pace;
  readonly leeway: Leeway;
  /** Whether it may send what no client should. */
  readonly mayHarm: boolean;
  /** What a gateway requires of every request and connection. */
  readonly gateway: Gateway;
  /** Whether lists send one request of each kind only. */
  readonly brief: boolean;
  /** Values of inputs that exist on the target. */
  readonly examples: Examples;
  /** What is known of the target; null where nothing is predicted. */
  readonly model: Model | null;
  /** Number of inputs created for commands that change a record. */
  calls: number;
}

/** Of the sending check. */
export interface Traits {
  /** A given requirement must not be checked against decided rules. */
  readonly origin: "given" | "decided";
  /** The check wants to see a 429 itself. */
  readonly rateLimited: boolean;
}

/** The result of raw bytes: the responses as replies, and the connection. */
export interface RawReply extends Omit<Conversation, "answers"> {
  readonly replies: readonly Reply[];
}

/** Maximum waits for an overload in one check; after that it is treated like any other response. */
const MOST_OVERLOADS = 20;

/** Maximum bytes of recorded bodies per check. */
const MOST_KEPT = 8 * 1024 * 1024;

/** Sends the requests of one check at the pace of the run, records them, counts users, and obeys a 429 and a 503 `overloaded`. */
export class Transport {
  /** In order of completion. */
  readonly exchanges: Exchange[] = [];
  /** Requests that are in flight or wait for their turn, and whether there are, or were, several at once. */
  private underWay = 0;
  private several = false;
  private turn = Promise.resolve();
  private overloads = 0;
  private kept = 0;
  /** The exchange whose response was read last. */
  read: Exchange | null = null;

  constructor(
    private readonly session: Session,
    private readonly traits: Traits,
  ) {}

  /** Through the HTTP client; throws an `Expectation` if there is no response. */
  async send(wanted: HttpRequest): Promise<Reply> {
    const { pace, users, target, gateway, carrier } = this.session;
    const body = wanted.body ?? Buffer.alloc(0);
    this.judgeHarm({ ...wanted, target: wanted.path, body, raw: null });
    const request = { ...wanted, headers: withGateway(wanted.headers, gateway) };
    return this.inTurn(async () => {
      const emails = users.sending(Buffer.concat([Buffer.from(request.path), body]));
      const exchange = await carrier.http(target.origin, request, this.session);
      const { answer } = exchange;
      const kept = this.keep(exchange);
      this.settle(emails, request.method, answer ? [answer] : [], exchange.error);
      const tooLong = isTooLong(exchange.error);
      pace.ended(answer !== null || tooLong);
      if (!answer)
        throw new Expectation("connection", tooLong ? "a shorter response" : "an answer", exchange.error ?? "none");
      return this.obeys(answer) ? null : this.reply(kept, answer);
    });
  }

  /** On a separate connection, byte for byte. */
  async raw(written: readonly Buffer[], options: RawOptions): Promise<RawReply> {
    const { pace, users, target, gateway, carrier } = this.session;
    const pieces = withGatewayInBytes(written, gateway);
    const sent = Buffer.concat(pieces);
    const read = readRequest(sent);
    this.judgeHarm({ ...read, raw: sent });
    return this.inTurn(async () => {
      const emails = users.sending(sent);
      const startedAt = performance.now();
      const { answers, ...end } = await carrier.raw(target, pieces, options, this.session);
      this.settle(emails, read.method, answers, end.error);
      // Raw bytes may rightly get no response.
      if (answers.length > 0) pace.ended(true);
      const replies = this.record(sent, answers, end, performance.now() - startedAt);
      return answers.some((answer) => this.obeys(answer)) ? null : { ...end, replies };
    });
  }

  private judgeHarm(sent: Parameters<typeof harmOf>[0]): void {
    const harm = this.session.mayHarm ? null : harmOf(sent, this.session.credentials);
    // Given requirements are checked everywhere: with few keys, too few to get the sender blocked.
    if (harm !== null && !(harm === WRONG_KEY && this.traits.origin === "given")) throw new Withheld(harm);
  }

  /**
   * Sends when it is this check's turn, and repeats while `send` resolves with null. A request sent while another is in flight is
   * sent at once, whatever the pace: delayed, it would not test what the check intends.
   */
  private async inTurn<T>(send: () => Promise<T | null>): Promise<T> {
    const { pace } = this.session;
    for (;;) {
      this.underWay += 1;
      this.several = this.underWay > 1 || this.several;
      try {
        if (this.underWay === 1) this.turn = pace.turn();
        else pace.owe();
        await this.turn;
        const sent = await send();
        if (sent !== null) return sent;
        // Sent again, they would be sequential, and a race that never happened would look passed.
        if (this.several) throw new Stopped("the target forbids (429, or 503) what has to be sent at once");
      } finally {
        this.underWay -= 1;
        if (this.underWay === 0) this.several = false;
      }
    }
  }

  /** Records the exchange; once the check has received a great deal, only the beginning. */
  private keep(exchange: Exchange): Exchange {
    const { answer } = exchange;
    const room = Math.max(0, MOST_KEPT - this.kept);
    const kept = answer ? { ...exchange, answer: { ...answer, body: firstBytes(answer.body, room) } } : exchange;
    this.kept += kept.answer?.body.length ?? 0;
    this.exchanges.push(kept);
    // All of it: a long list is read to its end, and its last cursors are used again.
    this.session.model?.see(kept, answer && readable(answer));
    return kept;
  }

  private reply(exchange: Exchange, answer: Answer): Reply {
    const { origin } = this.traits;
    // The content coding of a response is not given.
    const read = origin === "given" ? decoded(answer) : answer;
    const onRead = (one: Exchange) => {
      this.read = one;
    };
    return new Reply(exchange, read, onRead, this.session.leeway.saysNo);
  }

  private settle(emails: readonly string[], method: string, answers: readonly Answer[], error: string | null): void {
    // Without a response a user may or may not exist, unless there was no connection.
    if (emails.length === 0 || (answers.length === 0 && !error?.includes("ECONNREFUSED"))) return;
    const { saysNo } = this.session.leeway;
    const good = answers.filter((one) => one.status >= 200 && one.status < 300 && !saysNo(decoded(one).body));
    // A command whose method is accepted, whatever its response is; for anything else, such as a GET with a body, the response
    // decides.
    const taken = method === "POST" && answers[0] !== undefined && good.includes(answers[0]);
    const told = good.map(({ body }) => body.toString().toLowerCase()).join("\n");
    for (const email of emails)
      this.session.users.settled([email], taken || told.includes(email.toLowerCase()) ? "created" : "refused");
  }

  /** Whether to wait and send again; then no request is sent until the target's wait is over. */
  private obeys(answer: Answer): boolean {
    if (this.traits.rateLimited) return false;
    const retryAfter = answer.headers.find(([name]) => name.toLowerCase() === "retry-after")?.[1];
    const overloaded = answer.status === 503 && retryAfter && memberIn(decoded(answer).body, "code") === "overloaded";
    if (overloaded) this.overloads += 1;
    if (answer.status !== 429 && !(overloaded && this.overloads <= MOST_OVERLOADS)) return false;
    this.session.pace.pause(retryAfterMs(retryAfter, Date.now()));
    return true;
  }

  private record(
    sent: Buffer,
    answers: readonly Answer[],
    end: Omit<Conversation, "answers">,
    durationMs: number,
  ): Reply[] {
    const { method, target, headers, body } = readRequest(sent);
    const { origin } = this.session.target;
    // Where the connection goes, whatever the absolute form names; text that is no path must not be appended to the port.
    const url = origin + target.replace(/^https?:\/\/[^/?#]*/i, "").replace(/^(?!\/)/, "/");
    const request = { method, url, headers, body, raw: sent };
    const replies = answers.map((answer) =>
      this.reply(this.keep({ request, answer, error: null, durationMs }), answer),
    );
    if (answers.length > 0) return replies;
    const why = end.error ?? (end.timedOut ? "no answer in time" : "connection closed without an answer");
    this.keep({ request, answer: null, error: why, durationMs });
    return [];
  }
}

/** Without its content coding; unchanged if decoding fails or yields too many bytes. */
function readable(answer: Answer): Answer {
  try {
    return decoded(answer);
  } catch (error) {
    if (error instanceof Expectation) return answer;
    throw error;
  }
}
