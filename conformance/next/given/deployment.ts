import type { Operation } from "../../oracle/contract.ts";
import type { Request } from "../../oracle/world.ts";
import type { Difference, Exchange } from "../exchange.ts";
import type { Connection } from "../http/client.ts";
import { differs } from "../laws/difference.ts";
import { View } from "../laws/view.ts";
import { type Draft, plain, setField, written } from "../requests/draft.ts";
import { Lacking } from "../run/script.ts";
import type { Run } from "../run/state.ts";

/** A response, read by the given document alone; without one it is a rejection. */
export class Reply {
  readonly text: string;
  readonly shown: string;
  readonly json: unknown;
  readonly isAccepted: boolean;
  readonly isJson: boolean;
  readonly isText: boolean;

  constructor(
    run: Run,
    readonly exchange: Exchange,
  ) {
    const { response, error } = exchange;
    const view = response && new View(run.suite.oracle.contract, exchange, response);
    const type = view?.mediaType ?? "";
    this.text = view?.text ?? "";
    this.shown = view?.shown ?? error ?? "no response";
    this.json = view?.json;
    this.isAccepted = this.status >= 200 && this.status < 300;
    this.isJson = /^(?:application|text)\/json$|\+json$/.test(type) && this.json !== undefined;
    this.isText = type.startsWith("text/") && !type.endsWith("/json");
  }

  get status(): number {
    return this.exchange.response?.status ?? 0;
  }
}

/** A given requirement is not kept. */
export class NotKept extends Error {
  readonly difference: Difference;

  constructor(
    readonly reply: Reply,
    aspect: string,
    expected: string,
    actual = reply.shown,
  ) {
    super(expected);
    this.difference = differs(aspect, expected, actual);
  }
}

/** The values of a document by their places. Digits are ignored: they may be counts or times. */
function valuesOf({ json, text }: Reply): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const walk = (value: unknown, place: string): void => {
    const members = Object.entries(typeof value === "object" && value !== null ? value : {});
    if (members.length === 0) values.set(place, (JSON.stringify(value) ?? text).replace(/\d+/g, "0"));
    for (const [name, member] of members) walk(member, `${place}/${name}`);
  };
  walk(json, "");
  return values;
}

/** Whether a response is the one received twice, but for values that vary: a time, the id of a request. */
export function isSame(first: Reply, again: Reply, other: Reply): boolean {
  const [one, two, three] = [valuesOf(first), valuesOf(again), valuesOf(other)];
  return [...new Set([...one.keys(), ...three.keys()])].every((place) => {
    if (one.get(place) === two.get(place)) return one.get(place) === three.get(place);
    return three.has(place) || !one.has(place) || !two.has(place);
  });
}

/** A document of at most so many characters cannot be told from others: `true`, `"OK"`, `{}`. */
const EMPTY = 8;
export function isEmpty(first: Reply, again: Reply): boolean {
  const other = valuesOf(again);
  const stable = [...valuesOf(first)].filter(([place, value]) => other.get(place) === value);
  return stable.map(([, value]) => value).join("").length <= EMPTY;
}

/** What tells rejections from other documents where both are 2xx: the members, their types, and flags. */
function formOf({ json, isJson }: Reply): string {
  if (!isJson) return "no JSON";
  if (typeof json !== "object" || json === null || Array.isArray(json)) return JSON.stringify(json);
  const members = Object.entries(json).map(([name, value]) => [name, typeof value === "boolean" ? value : kind(value)]);
  return JSON.stringify(members.sort());
}
const kind = (value: unknown) => (value === null ? "null" : typeof value);

/** Addresses that an implementation may take, the usual one first. */
const ADDRESSES = ["conformance+{id}@example.com", "conformance-{id}@example.org", "conformance.{id}@example.net"];

/** A user that no other request has named. */
export interface Person {
  readonly name: string;
  readonly email: string;
}

/** The deployment as far as the checks of one run know it. */
export class Deployment {
  /** What an operation that nobody has is answered: all other rejections look alike. */
  private rejected: Promise<readonly [Reply, Reply]> | null = null;
  private address = 0;
  private people = 0;

  constructor(readonly run: Run) {}

  operation(id: string): Operation {
    const operation = this.run.suite.oracle.contract.operations[id];
    if (!operation) throw new Lacking(`the contract has no operation ${id}`);
    return operation;
  }

  private get credentials() {
    const { key, platform } = this.run.source.caller;
    return [["X-API-KEY", key] as const, ["X-PLATFORM", platform] as const];
  }

  async send(request: Request, on?: Connection): Promise<Reply> {
    return new Reply(this.run, await this.run.client.send(request, { on }));
  }

  /** The request of a call with the least input. */
  request(id: string, change: (draft: Draft) => void = () => {}, data: object = {}): Request {
    const operation = this.operation(id);
    const needed = Object.entries(operation.example).filter(([name]) => operation.parts.includes(name));
    const draft = plain(operation, { ...Object.fromEntries(needed), ...data }, this.run.source.caller);
    // One that is public by our contract may need a key elsewhere.
    for (const [name, value] of this.credentials) setField(draft, name, [value]);
    change(draft);
    return written(draft);
  }

  call = (id: string, change?: (draft: Draft) => void, data?: object): Promise<Reply> =>
    this.send(this.request(id, change, data));

  /** A GET with the credentials of the run. */
  get = (target: string, fields: Request["fields"] = [], body = ""): Promise<Reply> => {
    const own = [["Host", this.run.source.caller.host] as const, ...this.credentials];
    return this.send({ method: "GET", target, fields: [...own, ...fields], body });
  };

  /** A call of `user.create` whose body is this text. */
  body = (text: string, type = "application/json", query: readonly string[] = []): Promise<Reply> =>
    this.call("user.create", (draft) => {
      draft.query.push(...query);
      setField(draft, "Content-Type", [type]);
      draft.bytes.push(() => Buffer.from(text).toString("latin1"));
    });

  private rejection(): Promise<readonly [Reply, Reply]> {
    const ask = async () => {
      const target = `/api/?@=no-such-${this.run.runId}`;
      return [await this.get(target), await this.get(target)] as const;
    };
    this.rejected ??= ask();
    return this.rejected;
  }

  /** Whether errors may answer 2xx. */
  isVague = async (): Promise<boolean> => (await this.rejection())[0].isAccepted;

  /** Rejected: not 2xx, or, where errors answer 2xx, a body of their form. */
  async isRejected(reply: Reply): Promise<boolean> {
    if (!reply.isAccepted) return true;
    const [first, again] = await this.rejection();
    return first.isAccepted && (isSame(first, again, reply) || formOf(first) === formOf(reply));
  }

  /** Checks that the response of an operation is JSON, or for `docs.get` JSON or text. */
  async expectServed(id: string, reply: Reply): Promise<void> {
    if (await this.isRejected(reply)) throw new NotKept(reply, "status", "an acceptance (2xx)");
    const mayBeText = this.operation(id).answers.some(({ mediaTypes }) =>
      mediaTypes.some((one) => /^text\//.test(one)),
    );
    if (reply.isJson || (mayBeText && reply.isText)) return;
    throw new NotKept(reply, "header:content-type", mayBeText ? "a JSON or text document" : "a JSON document");
  }

  /** The response of a query, for a check of something else. */
  async served(id: string): Promise<Reply> {
    const reply = await this.call(id);
    if (await this.isRejected(reply)) throw new Lacking(`${id} is rejected: ${reply.status}`);
    return reply;
  }

  /** Checks a rejection of what is otherwise answered by `first` and `again`. */
  async expectRejected(reply: Reply, first: Reply, again: Reply, what: string): Promise<void> {
    if (await this.isRejected(reply)) return;
    if ((await this.isVague()) && !isSame(first, again, reply)) throw new Lacking("an error may be answered 2xx here");
    throw new NotKept(reply, "status", `a rejection of ${what}`);
  }

  person(): Person {
    this.people += 1;
    const id = `${this.run.runId}-${this.people}`;
    const email = (ADDRESSES[this.address] ?? "").replace("{id}", id);
    // Unique like the address, and no part of it.
    return { name: `Ada of ${id} by name`, email };
  }

  /** Creates a user, with the first address that is taken. `send`: how; throws `Lacking` if each is rejected. */
  async create(send = (person: Person) => this.call("user.create", undefined, person)) {
    for (;;) {
      const person = this.person();
      this.run.created.add(person.email);
      const reply = await send(person);
      const isRejected = await this.isRejected(reply);
      if (!isRejected) return { person, reply };
      this.run.created.delete(person.email);
      const [unknown] = await this.rejection();
      const isFault = reply.status >= 500 && reply.status !== unknown.status;
      if (isFault || reply.status === 0) throw new NotKept(reply, "status", "an acceptance (2xx), or a rejection");
      if (this.address === ADDRESSES.length - 1) throw new Lacking(`a creation is rejected: ${reply.status}`);
      this.address += 1;
    }
  }

  /** Checks that nothing was made of these values, which were not sent as input: no response and no list has them. */
  async expectNotTaken(reply: Reply, values: readonly string[]): Promise<void> {
    if (await this.isRejected(reply)) return;
    const { text } = await this.call("user.list");
    // An error may repeat what it is about.
    const texts = (await this.isVague()) ? [text] : [reply.text, text];
    const taken = values.find((value) => texts.some((said) => said.includes(value)));
    if (taken !== undefined) throw new NotKept(reply, "status", `a rejection (not 2xx), or nothing made of ${taken}`);
  }
}
