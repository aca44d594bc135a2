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
  /** Write each in a TCP segment of its own. */
  readonly apart?: boolean;
  /** The minimum number of responses; default all. */
  readonly least?: number;
}

/** A hand-written request, sent through the HTTP client. */
export interface LiteralRequest {
  readonly method: string;
  /** Path and query relative to the base address, sent unchanged: `/api/?@=sysinfo`. */
  readonly target: string;
  readonly headers?: readonly (readonly [name: string, value: string])[];
  readonly body?: string | Buffer;
  /** Whether the response may be a file of several MiB. */
  readonly large?: boolean;
  /** Keeps the connection for further requests. */
  readonly agent?: Agent | undefined;
}

/** A check may send several at once and await them in turn: a rejection before its turn must not end the process. */
function awaitable<T>(sending: Promise<T>): Promise<T> {
  sending.catch(() => {});
  return sending;
}

/** Whether every call requires this member. */
const needed = ({ parts, input }: Operation, name: string) => parts.includes(name) || input[name]?.required === true;

const EMAIL = /^[^@\s]+@[^@\s]+$/;

/** A check's view of its target. Created for each check; records all of its exchanges. */
export class Api {
  private readonly transport: Transport;

  constructor(
    private readonly session: Session,
    private readonly traits: Traits,
  ) {
    this.transport = new Transport(session, traits);
  }

  /** Every request of this check and its response, in order of completion. */
  get exchanges(): readonly Exchange[] {
    return this.transport.exchanges;
  }

  /** The exchange that a result is about: the one whose response was read last. */
  get decisive(): Exchange | null {
    return this.transport.read;
  }

  get key(): string {
    return this.session.credentials.full.key;
  }

  get platform(): string {
    return this.session.credentials.full.platform;
  }

  /** All credentials of the run, with the special ones that the check lists in `needs`. */
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

  /** Whether the target is on this machine, or appears to be: a tunnel ends here as well. */
  get loopback(): boolean {
    return this.session.target.loopback;
  }

  /** What is known of the target, and which responses are right. */
  get model(): Model {
    const { model } = this.session;
    if (!model) throw new Error("this session has no oracle");
    return model;
  }

  /** Where the landing page is. */
  get landing(): string {
    return this.session.leeway.landing;
  }

  /** The hint about a flag that may help, appended to a failure if there is one. */
  advice(text: string): string {
    return this.session.leeway.open ? `; ${text}` : "";
  }

  /** The value of the header field `Host`. */
  get host(): string {
    return this.session.target.host;
  }

  /** A path of the target as written in a request line: the prefix of the base address comes first. */
  path(path: string): string {
    return this.session.target.prefix + path;
  }

  /** A link in a response, as a target below the path prefix; null if it links to another site. */
  below(link: string, from: string): string | null {
    const url = new URL(link, from);
    return url.href.startsWith(`${this.url}/`) ? url.href.slice(this.url.length) : null;
  }

  /**
   * Calls an operation by its id (`docs.get`, parts in `input`) or by any name, known or not. Throws an `Expectation` if there is
   * no response.
   */
  call(nameOrId: string, options: CallOptions = {}): Promise<Reply> {
    const { credentials, target } = this.session;
    const input = options.input ?? this.required(nameOrId);
    // Few operations are given as public: for a given requirement all others get the credentials too.
    const open = this.traits.origin === "given" && !isPublic(nameOrId) ? { credentials: "good" as const } : {};
    const call = buildCall(nameOrId, { ...open, ...options, input }, credentials, target.prefix);
    return awaitable(this.transport.send(call));
  }

  /** The minimal input of a GET: its required members, from the example. A POST without input gets none, and creates nothing. */
  required(id: string): Record<string, unknown> {
    const operation = queries.find((one) => one.id === id);
    // An operation without required members needs no example: none is looked up.
    if (!operation || !Object.keys(operation.example).some((name) => needed(operation, name))) return {};
    const example = Object.entries(this.example(operation.id));
    return Object.fromEntries(example.filter(([name]) => needed(operation, name)));
  }

  /** Sends a request unchanged. Throws an `Expectation` if there is no response. */
  request({ method, target, headers = [], body, large = false, agent }: LiteralRequest): Promise<Reply> {
    const bytes = body === undefined ? null : Buffer.from(body);
    return awaitable(this.transport.send({ method, path: this.path(target), headers, body: bytes, large, agent }));
  }

  /** For requests that share a connection, one after another; the caller destroys it. */
  connection(): Agent {
    const options = { keepAlive: true, maxSockets: 1 };
    return this.url.startsWith("https:") ? new HttpsAgent(options) : new Agent(options);
  }

  /** The bytes of one request with `Host` and `Connection: close`, for `raw`. */
  rawRequest(request: RawRequest): Buffer {
    return writeRequest({ ...request, headers: withGateway(request.headers ?? [], this.session.gateway) }, this.host);
  }

  /**
   * Writes exact bytes (strings as latin1) on a new connection, each piece in a TCP segment of its own, and reads the responses.
   * Never throws because of the target: no response is a valid result here.
   */
  raw(bytes: string | Buffer | readonly (string | Buffer)[], options: RawOptions = {}): Promise<RawReply> {
    const pieces = typeof bytes === "string" || Buffer.isBuffer(bytes) ? [bytes] : bytes;
    const buffers = pieces.map((piece) => (typeof piece === "string" ? Buffer.from(piece, "latin1") : piece));
    return awaitable(this.transport.raw(buffers, options));
  }

  /**
   * The same for several requests on one connection. A target may close it after any response, and announce that: the remaining
   * requests are sent on a new connection (RFC 9112, 9.3 and 9.6). After a close without notice they have no response.
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

  /**
   * A new call of the simplest query must get the right response. The engine calls this after every hostile check; call it
   * between cases.
   */
  async alive(): Promise<void> {
    const { read } = this.transport;
    try {
      const reply = await this.call(simplest.id);
      // This check has used up the rate limit of this address.
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

  /** Whether only a few requests may be sent. */
  get brief(): boolean {
    return this.session.brief;
  }

  /** Whether this run may send requests that no client sends by itself: malformed, oversized. */
  get mayHarm(): boolean {
    return this.session.mayHarm;
  }

  /** Whether this run may send requests that create or change records, rejected or not. */
  get mayWrite(): boolean {
    return this.session.examples.mayWrite;
  }

  /** How many more users this run may create: 0 if it may not write. To create one more is a fault of the check. */
  get usersLeft(): number {
    return this.mayWrite ? this.session.users.left : 0;
  }

  /**
   * A new e-mail address that carries the run's id. Users created with it are counted and listed. `shape` builds another address
   * around its local part.
   */
  email(shape?: (local: string) => string): string {
    return this.session.users.email(shape);
  }

  /** A word that this run has not used before. */
  mark(): string {
    return this.session.users.mark();
  }

  /** Creates a record with a new e-mail address; `overrides` are members of `data`. */
  createUser(overrides: Readonly<Record<string, unknown>> = {}): Promise<Reply> {
    const create = commands.find((one) => successOf(one) === 201);
    if (!create) throw new Error("the contract has no command that creates");
    return this.call(create.id, { input: { ...this.example(create.id), ...overrides } });
  }

  /**
   * A valid input of an operation: the contract's example with new e-mail addresses, and with values that exist on this target.
   * Throws `Stopped` if the target lacks a required value, `Unasked` (for the engine) if no value was looked up yet.
   */
  example(id: string): Record<string, unknown> {
    const found = this.session.examples.of(id);
    const operation = operationById(id);
    const { example, method } = operation;
    // Whether names are unique is not a given requirement.
    const unique = this.traits.origin === "given" && method === "POST" && isGiven(operation);
    const fresh = (value: unknown) => {
      if (typeof value !== "string") return value;
      if (EMAIL.test(value)) return this.email();
      // As a prefix, so that no name contains another.
      return unique ? `${this.session.users.mark()} ${value}` : value;
    };
    const given = Object.entries(example).map(([name, value]) => [name, fresh(value)]);
    const input = Object.entries<unknown>({ ...Object.fromEntries(given), ...found });
    for (const [name, value] of input) {
      if (value instanceof Missing && needed(operation, name)) throw new Stopped(value.reason);
    }
    return this.renewed(operation, Object.fromEntries(input.filter(([, value]) => !(value instanceof Missing))));
  }

  /**
   * A command that changes a record sends a new value each time, where its schema allows: otherwise its effect would not be
   * visible.
   */
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
