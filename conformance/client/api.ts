import { Agent } from "node:http";
import { Agent as HttpsAgent } from "node:https";
import { contract } from "../contract.ts";
import type { Model } from "../models/model.ts";
import { type Operation, successOf } from "../oracle/contract.ts";
import { Points } from "../oracle/points.ts";
import { bodyFaults } from "../oracle/schema.ts";
import { buildCall, type CallOptions } from "./call.ts";
import type { Credentials } from "./credentials.ts";
import { Missing } from "./examples.ts";
import { expectAccepted, expectSuccess } from "./expect.ts";
import { Expectation, Stopped } from "./expectation.ts";
import { withGateway } from "./gateway.ts";
import { aimsOf, commands, isGiven, isPublic, operationById, queries, simplest } from "./operation.ts";
import type { Reply } from "./reply.ts";
import { type RawReply, type Session, type Traits, Transport } from "./transport.ts";
import type { Exchange } from "./wire/exchange.ts";
import { type RawRequest, writeRequest } from "./wire/raw-request.ts";
import type { RawOptions } from "./wire/socket.ts";

interface RawRequests extends RawOptions {
  /** Write each in a segment of its own. */
  readonly apart?: boolean;
  /** So many have to be answered; default all. */
  readonly least?: number;
}

/** A request written by hand and sent through the HTTP client. */
export interface LiteralRequest {
  readonly method: string;
  /** Path and query relative to the base address, sent as they stand: `/api/?@=sysinfo`. */
  readonly target: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: string | Buffer;
  /** Whether it may be answered with a file of several MiB. */
  readonly large?: boolean;
  /** Keeps the connection for further requests. */
  readonly agent?: Agent | undefined;
}

/** A check may send several at once and await them in turn: one that fails before its turn must not end the process. */
function awaitable<T>(sending: Promise<T>): Promise<T> {
  sending.catch(() => {});
  return sending;
}

/** Whether there is no call without this member. */
const needed = ({ parts, input }: Operation, name: string) => parts.includes(name) || input[name]?.required === true;

const EMAIL = /^[^@\s]+@[^@\s]+$/;

/** What a check sees of its target. Made for each check; records every exchange of it. */
export class Api {
  private readonly transport: Transport;

  constructor(
    private readonly session: Session,
    private readonly traits: Traits,
  ) {
    this.transport = new Transport(session, traits);
  }

  /** Every request of this check and what came back, in the order of completion. */
  get exchanges(): readonly Exchange[] {
    return this.transport.exchanges;
  }

  /** The exchange that a judgement is about: the one whose answer was looked at last. */
  get decisive(): Exchange | null {
    return this.transport.read;
  }

  get key(): string {
    return this.session.credentials.full.key;
  }

  get platform(): string {
    return this.session.credentials.full.platform;
  }

  /** All credentials of the run; the special ones that the check named in `needs` are there. */
  get credentials(): Credentials {
    return this.session.credentials;
  }

  get runId(): string {
    return this.session.runId;
  }

  get seed(): number {
    return this.session.seed;
  }

  /** The base address, without a trailing slash. */
  get url(): string {
    return this.session.target.url;
  }

  /** Whether it is on this machine, or seems to be: a tunnel ends here as well. */
  get loopback(): boolean {
    return this.session.target.loopback;
  }

  /** Where each long list was last read, by its operation: all checks of a run share it. */
  get places(): Session["places"] {
    return this.session.places;
  }

  /** What is known of the target, and what is right. */
  get model(): Model {
    const { model } = this.session;
    if (!model) throw new Error("this session has no oracle");
    return model;
  }

  /** Where the landing page is. */
  get landing(): string {
    return this.session.leeway.landing;
  }

  /** What a failure says of a flag that may help, where there is one. */
  advice(text: string): string {
    return this.session.leeway.open ? `; ${text}` : "";
  }

  /** What the header field `Host` has to say. */
  get host(): string {
    return this.session.target.host;
  }

  /** A path of the target as it stands in a request line: the prefix of the base address before it. */
  path(path: string): string {
    return this.session.target.prefix + path;
  }

  /** A link in a response, as a target below the path prefix; null where it links to another site. */
  below(link: string, from: string): string | null {
    const url = new URL(link, from);
    return url.href.startsWith(`${this.url}/`) ? url.href.slice(this.url.length) : null;
  }

  /**
   * Calls an operation by its id (`docs.get`, parts in `input`) or by any name, known or not.
   * Throws an `Expectation` when no answer comes.
   */
  call(nameOrId: string, options: CallOptions = {}): Promise<Reply> {
    const { credentials, target } = this.session;
    const input = options.input ?? this.required(nameOrId);
    // Whose key a public operation may want is given of few: of the others it goes along.
    const open = this.traits.origin === "given" && !isPublic(nameOrId) ? { credentials: "good" as const } : {};
    const call = buildCall(nameOrId, { ...open, ...options, input }, credentials, target.prefix);
    return awaitable(this.transport.send(call));
  }

  /** The least input that a GET needs: what it requires, by the example. A POST without input stays without, and creates nothing. */
  required(id: string): Record<string, unknown> {
    const operation = queries.find((one) => one.id === id);
    // What needs nothing needs no example either: nobody is asked for one.
    if (!operation || !Object.keys(operation.example).some((name) => needed(operation, name))) return {};
    const example = Object.entries(this.example(operation.id));
    return Object.fromEntries(example.filter(([name]) => needed(operation, name)));
  }

  /** Sends a request as it is written. Throws an `Expectation` when no answer comes. */
  request({ method, target, headers = [], body, large = false, agent }: LiteralRequest): Promise<Reply> {
    const bytes = body === undefined ? null : Buffer.from(body);
    return awaitable(this.transport.send({ method, path: this.path(target), headers, body: bytes, large, agent }));
  }

  /** For requests that share a connection, one after another; whoever takes it destroys it. */
  connection(): Agent {
    const options = { keepAlive: true, maxSockets: 1 };
    return this.url.startsWith("https:") ? new HttpsAgent(options) : new Agent(options);
  }

  /** The bytes of one request with `Host` and `Connection: close`, for `raw`. */
  rawRequest(request: RawRequest): Buffer {
    return writeRequest({ ...request, headers: withGateway(request.headers ?? [], this.session.gateway) }, this.host);
  }

  /**
   * Writes exact bytes (strings as latin1) on a fresh connection, each piece in a segment of its own, and reads what
   * comes. Never throws for what the target does: no answer is an answer here.
   */
  raw(bytes: string | Buffer | readonly (string | Buffer)[], options: RawOptions = {}): Promise<RawReply> {
    const pieces = typeof bytes === "string" || Buffer.isBuffer(bytes) ? [bytes] : bytes;
    const buffers = pieces.map((piece) => (typeof piece === "string" ? Buffer.from(piece, "latin1") : piece));
    return awaitable(this.transport.raw(buffers, options));
  }

  /**
   * The same of several requests on one connection. A target may end it after any answer, and says so: those that are left are sent
   * again on a further one (RFC 9112, 9.3 and 9.6). What it ends without a word stays unanswered.
   */
  async rawRequests(
    requests: readonly Buffer[],
    { apart = false, least = requests.length, heads = [], ...options }: RawRequests = {},
  ): Promise<RawReply> {
    const replies: Reply[] = [];
    for (;;) {
      const rest = requests.slice(replies.length);
      const raw = await this.raw(apart ? rest : Buffer.concat(rest), {
        answers: rest.length,
        ...options,
        heads: heads.slice(replies.length),
      });
      replies.push(...raw.replies);
      const saidSo = raw.closed && raw.replies.at(-1)?.closes === true;
      if (replies.length >= least || !saidSo) return { ...raw, replies };
    }
  }

  /** A fresh call of the simplest query must be answered, and rightly. The engine asks this after every hostile check; ask it between cases. */
  async alive(): Promise<void> {
    const { read } = this.transport;
    try {
      const reply = await this.call(simplest.id);
      // A check that uses up the calls of this address has made it say so.
      if (this.traits.rateLimited && reply.status === 429) return;
      if (this.traits.origin === "given") expectAccepted(reply);
      else expectSuccess(reply, simplest.id);
      this.transport.read = read;
    } catch (error) {
      if (!(error instanceof Expectation)) throw error;
      const { aspect, expected, actual, exchange } = error;
      throw new Expectation(aspect, `the target still to be there and right: ${expected}`, actual, null, exchange);
    }
  }

  /** Whether a few requests have to be enough. */
  get brief(): boolean {
    return this.session.brief;
  }

  /** Whether this run may send what no client sends by itself: malformed, oversized. */
  get mayHarm(): boolean {
    return this.session.mayHarm;
  }

  /** Whether this run may send what creates or changes records, rejected or not. */
  get mayWrite(): boolean {
    return this.session.examples.mayWrite;
  }

  /** How many more users this run may create, none where it may not write; one more is a fault of the check. */
  get usersLeft(): number {
    return this.mayWrite ? this.session.users.left : 0;
  }

  /** A fresh e-mail address that carries the run's id. What is created with it is counted and listed. `shape` builds another one around its local part. */
  email(shape?: (local: string) => string): string {
    return this.session.users.email(shape);
  }

  /** A word that this run has said nowhere else. */
  mark(): string {
    return this.session.users.mark();
  }

  /** Creates a record with a fresh e-mail address; `overrides` are members of `data`. */
  createUser(overrides: Readonly<Record<string, unknown>> = {}): Promise<Reply> {
    const create = commands.find((one) => successOf(one) === 201);
    if (!create) throw new Error("the contract has no command that creates");
    return this.call(create.id, { input: { ...this.example(create.id), ...overrides } });
  }

  /**
   * A valid input of an operation: the contract's example with fresh e-mail addresses, and with values that exist on this target.
   * Throws `Stopped` when the target has no value of a member that it needs, `Unasked` (for the engine) when nobody knows yet.
   */
  example(id: string): Record<string, unknown> {
    const found = this.session.examples.of(id);
    const operation = operationById(id);
    const { example, method } = operation;
    // Whether two users may have one name is not given.
    const unique = this.traits.origin === "given" && method === "POST" && isGiven(operation);
    const fresh = (value: unknown) => {
      if (typeof value !== "string") return value;
      if (EMAIL.test(value)) return this.email();
      // In front, so that no name stands in another.
      return unique ? `${this.session.users.mark()} ${value}` : value;
    };
    const given = Object.entries(example).map(([name, value]) => [name, fresh(value)]);
    const input = Object.entries<unknown>({ ...Object.fromEntries(given), ...found });
    for (const [name, value] of input) {
      if (value instanceof Missing && needed(operation, name)) throw new Stopped(value.reason);
    }
    return this.renewed(operation, Object.fromEntries(input.filter(([, value]) => !(value instanceof Missing))));
  }

  /** A command that changes a record says something new each time, where its schema has room: or nobody would see that it was carried out. */
  private renewed(operation: Operation, input: Record<string, unknown>): Record<string, unknown> {
    const aims = aimsOf(operation);
    if (aims.length === 0) return input;
    const texts = Object.entries(input).filter(([name, value]) => typeof value === "string" && !aims.includes(name));
    this.session.calls += 1;
    for (const [name, value] of texts) {
      const data = { ...input, [name]: `${value} ${this.session.calls}` };
      if (bodyFaults({ contract, operation, at: new Points() }, { data }).length === 0) Object.assign(input, data);
    }
    return input;
  }
}
