import type { Credentials } from "./credentials.ts";
import type { Examples } from "./examples.ts";
import { Expectation } from "./expectation.ts";
import { type Pace, retryAfterMs } from "./pace.ts";
import { Reply } from "./reply.ts";
import type { Users } from "./users.ts";
import type { Answer, Exchange } from "./wire/exchange.ts";
import { type HttpRequest, type SendLimits, sendHttp } from "./wire/http.ts";
import { readRequest } from "./wire/raw-request.ts";
import { type Conversation, converse, type RawOptions } from "./wire/socket.ts";
import type { Target } from "./wire/target.ts";

/** What all checks of a run share. */
export interface Session extends SendLimits {
  readonly target: Target;
  readonly credentials: Credentials;
  readonly runId: string;
  readonly seed: number;
  readonly users: Users;
  readonly pace: Pace;
  /** Values of inputs that exist on the target. */
  readonly examples: Examples;
  /** How many inputs were made for commands that change a record. */
  calls: number;
}

/** What became of raw bytes: the answers as replies, and the connection. */
export interface RawReply extends Omit<Conversation, "answers"> {
  readonly replies: readonly Reply[];
}

/** Sends the requests of one check in the pace of the run, records them, counts users, and obeys a 429. */
export class Transport {
  /** In the order of completion. */
  readonly exchanges: Exchange[] = [];

  constructor(
    private readonly session: Session,
    /** The check wants to see a 429 itself. */
    private readonly rateLimited: boolean,
  ) {}

  /** Through the HTTP client; throws an `Expectation` when no answer comes. */
  async send(request: HttpRequest): Promise<Reply> {
    const { pace, users, target } = this.session;
    for (;;) {
      await pace.turn();
      const emails = users.sending(Buffer.concat([Buffer.from(request.path), request.body ?? Buffer.alloc(0)]));
      const exchange = await sendHttp(target.origin, request, this.session);
      this.exchanges.push(exchange);
      const { answer } = exchange;
      this.settle(emails, answer ? [answer] : [], exchange.error);
      pace.ended(answer !== null);
      if (!answer) throw new Expectation("connection", "an answer", exchange.error ?? "none");
      if (!this.obeys(answer)) return new Reply(exchange, answer);
    }
  }

  /** On a connection of its own, byte for byte. */
  async raw(pieces: readonly Buffer[], options: RawOptions): Promise<RawReply> {
    const { pace, users, target } = this.session;
    const sent = Buffer.concat(pieces);
    for (;;) {
      await pace.turn();
      const emails = users.sending(sent);
      const startedAt = performance.now();
      const { answers, ...end } = await converse(target, pieces, options, this.session);
      this.settle(emails, answers, end.error);
      // Raw bytes may deserve none.
      if (answers.length > 0) pace.ended(true);
      const replies = this.record(sent, answers, end, performance.now() - startedAt);
      if (!answers.some((answer) => this.obeys(answer))) return { ...end, replies };
    }
  }

  private settle(emails: readonly string[], answers: readonly Answer[], error: string | null): void {
    // Without an answer a user may be there or not, unless nobody was there to read.
    if (answers.length === 0 && !error?.includes("ECONNREFUSED")) return;
    const created = answers.some(({ status }) => status >= 200 && status < 300);
    this.session.users.settled(emails, created ? "created" : "refused");
  }

  /** Whether to wait and send again; then nobody sends anything for as long as the target said. */
  private obeys({ status, headers }: Answer): boolean {
    if (status !== 429 || this.rateLimited) return false;
    const retryAfter = headers.find(([name]) => name.toLowerCase() === "retry-after")?.[1];
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
    // Only the absolute form is an address (a query may hold one as well), and what is no path must not run into the port.
    const url = /^https?:\/\//i.test(target) ? target : origin + target.replace(/^(?!\/)/, "/");
    const request = { method, url, headers, body, raw: sent };
    const replies = answers.map((answer) => new Reply({ request, answer, error: null, durationMs }, answer));
    this.exchanges.push(...replies.map(({ exchange }) => exchange));
    if (answers.length > 0) return replies;
    const why = end.error ?? (end.timedOut ? "no answer in time" : "connection closed without an answer");
    this.exchanges.push({ request, answer: null, error: why, durationMs });
    return [];
  }
}
