import type { Difference, Exchange, Response } from "../exchange.ts";
import type { Connection } from "../http/client.ts";
import { View } from "../laws/view.ts";
import type { Contract } from "../oracle/contract.ts";
import type { Request } from "../oracle/world.ts";
import { type Change, plain, setField, written } from "../requests/draft.ts";
import { differing } from "../run/pair.ts";
import { Lacking, type Run } from "../run/state.ts";

const NONE: Response = {
  ...{
    status: 0,
    reason: "",
    version: "",
    fields: [],
    body: Buffer.alloc(0),
    omitted: 0,
    json: undefined,
  },
};

/** A response, read by the given document alone; without one it is a rejection. */
export class Reply extends View {
  constructor(contract: Contract, exchange: Exchange) {
    super(contract, exchange, exchange.response ?? NONE);
  }

  override get shown(): string {
    return this.response === NONE ? (this.exchange.error ?? "no response") : super.shown;
  }

  get isAccepted(): boolean {
    return this.status >= 200 && this.status < 300;
  }

  /** What it is a document of; null: neither JSON nor text. */
  get kind(): "json" | "text" | null {
    if (/^(?:application|text)\/json$|\+json$/.test(this.mediaType))
      return this.json === undefined ? null : "json";
    return this.mediaType.startsWith("text/") ? "text" : null;
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
    this.difference = { aspect, expected, actual };
  }
}

/** The values of a document by their places, without these names. Digits are ignored: they may be counts or times. */
function valuesOf(
  { json, text }: Reply,
  names: readonly string[] = [],
): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const nameless = (one: string) =>
    names.reduce(
      (all, name) => all.replace(new RegExp(name.replace(/\W/g, "\\$&"), "gi"), ""),
      one,
    );
  const walk = (value: unknown, place: string): void => {
    const members = Object.entries(typeof value === "object" && value !== null ? value : {});
    const written = nameless(JSON.stringify(value) ?? text);
    if (members.length === 0) values.set(place, written.replace(/\d+/g, "0"));
    for (const [name, member] of members) walk(member, `${place}/${nameless(name)}`);
  };
  walk(json, "");
  return values;
}

/** Whether a response is the one received twice, but for values that vary (a time, the id of a request) and for these names. */
export function isSame(
  first: Reply,
  again: Reply,
  other: Reply,
  names: readonly string[] = [],
): boolean {
  const of = (reply: Reply) => valuesOf(reply, names);
  return differing(of(first), of(again), of(other), []).size === 0;
}

/** A document whose values have at most so many letters is like any other: `true`, `"OK"`, `{}`, with a time. */
const EMPTY = 8;
export function isEmpty(first: Reply, again: Reply): boolean {
  const other = valuesOf(again);
  const stable = [...valuesOf(first)].filter(([place, value]) => other.get(place) === value);
  return stable.map(([, value]) => value.replace(/\P{L}/gu, "")).join("").length <= EMPTY;
}

/** How rejections differ from other documents where both are 2xx: the members, their types, and flags. */
export function formOf({ object, json }: Reply): string {
  if (!object) return JSON.stringify([json]);
  const kindOf = (value: unknown) =>
    typeof value === "boolean" ? value : value === null ? "null" : typeof value;
  const members = Object.entries(object).map(([name, value]) => [name, kindOf(value)]);
  return JSON.stringify(members.sort());
}

/** Addresses that an implementation may take, the usual one first. */
const ADDRESSES = [
  "conformance+{id}@example.com",
  "conformance-{id}@example.org",
  "conformance.{id}@example.net",
];

/** A user that no other request has named. */
export type Person = Readonly<Record<"name" | "email", string>>;
export type Check = (deployment: Deployment) => Promise<void>;

/** The deployment as far as the checks of one run know it. */
export class Deployment {
  private rejection: Promise<readonly [Reply, Reply]> | null = null;
  private acceptance: Promise<Reply> | null = null;
  private address = 0;
  private people = 0;
  readonly contract;

  constructor(readonly run: Run) {
    this.contract = run.suite.oracle.contract;
  }

  /** Ids of the queries that the document gives. */
  get queries(): readonly string[] {
    const given = new Set(this.contract.requirements.map(({ operation }) => operation));
    const all = Object.values(this.contract.operations).filter(
      ({ id, method }) => method === "GET" && given.has(id),
    );
    return all.map(({ id }) => id);
  }

  send = async (request: Request, on?: Connection): Promise<Reply> =>
    new Reply(this.contract, await this.run.client.send(request, { on }));

  operation(id: string) {
    const operation = this.contract.operations[id];
    if (!operation) throw new Lacking(`the contract has no operation ${id}`);
    return operation;
  }

  /** The request of a call with the least input. What is public by our contract may need a key elsewhere. */
  request(id: string, change: Change = () => {}, data: object = {}): Request {
    const operation = this.operation(id);
    const needed = Object.entries(operation.example).filter(([name]) =>
      operation.parts.includes(name),
    );
    const input = { ...Object.fromEntries(needed), ...data };
    const draft = plain({ ...operation, auth: true }, input, this.run.source.caller);
    change(draft);
    return written(draft);
  }

  call = (id: string, change?: Change, data?: object): Promise<Reply> =>
    this.send(this.request(id, change, data));

  get = (target: string, fields: Request["fields"] = [], body = ""): Promise<Reply> => {
    const { host, key, platform } = this.run.source.caller;
    const own = Object.entries({ Host: host, "X-API-KEY": key, "X-PLATFORM": platform });
    return this.send({ method: "GET", target, fields: [...own, ...fields], body });
  };

  /** A call of `user.create` whose body is this text. */
  body = (text: string, query: readonly string[] = [], type = "application/json"): Promise<Reply> =>
    this.call("user.create", (draft) => {
      draft.query.push(...query);
      setField(draft, "Content-Type", [type]);
      draft.bytes.push(() => Buffer.from(text).toString("latin1"));
    });

  /** The response of a call that is accepted. */
  private accepted(): Promise<Reply> {
    this.acceptance ??= this.call("sysinfo");
    return this.acceptance;
  }

  /** The responses to an operation that does not exist, twice: all other rejections look alike. */
  private rejected(): Promise<readonly [Reply, Reply]> {
    const ask = () => this.get(`/api/?@=no-such-${this.run.runId}`);
    this.rejection ??= ask().then(async (first) => [first, await ask()]);
    return this.rejection;
  }

  /** Whether errors may answer 2xx. */
  private isVague = async (): Promise<boolean> => (await this.rejected())[0].isAccepted;

  /** Rejected: not 2xx, or, where errors answer 2xx, a body of their form; null: it cannot be found out. */
  private async verdictOn(reply: Reply): Promise<"accepted" | "rejected" | null> {
    if (!reply.isAccepted) return "rejected";
    const [first, again] = await this.rejected();
    if (!first.isAccepted) return "accepted";
    if (isSame(first, again, reply)) return "rejected";
    if (formOf(first) !== formOf(reply)) return "accepted";
    const known = await this.accepted();
    if (formOf(known) !== formOf(first)) return "rejected";
    // Both have one envelope: a member such as its status is the difference.
    const valueIn = (one: Reply, name: string) => one.object?.[name];
    const isMark = ([name, value]: readonly [string, unknown]) =>
      typeof value !== "object" && value === valueIn(again, name) && value !== valueIn(known, name);
    const marks = Object.entries(first.object ?? {}).filter(isMark);
    const isLike = (one: Reply) =>
      marks.some(([name]) => valueIn(one, name) === valueIn(reply, name));
    const isOfBoth = isLike(known) === isLike(first);
    return isOfBoth ? null : isLike(known) ? "accepted" : "rejected";
  }

  isRejected = async (reply: Reply): Promise<boolean> =>
    (await this.verdictOn(reply)) === "rejected";

  /** Checks that a call is accepted. Throws `Lacking` where that cannot be found out. */
  async expectAccepted(reply: Reply): Promise<void> {
    const verdict = await this.verdictOn(reply);
    if (verdict === "rejected") throw new NotKept(reply, "status", "an acceptance (2xx)");
    if (verdict === null)
      throw new Lacking("errors answer 2xx here, and nothing tells them from an acceptance");
  }

  /** Checks that the response of an operation is JSON, or for `docs.get` JSON or text. */
  async expectServed(id: string, reply: Reply): Promise<void> {
    await this.expectAccepted(reply);
    const mediaTypes = this.operation(id).answers.flatMap((answer) => answer.mediaTypes);
    const mayBeText = mediaTypes.some((one) => /^text\//.test(one));
    if (reply.kind === null || (reply.kind === "text" && !mayBeText))
      throw new NotKept(
        reply,
        "header:content-type",
        mayBeText ? "a JSON or text document" : "a JSON document",
      );
  }

  /** The response of a query, twice, for a check of something else. */
  async served(id: string): Promise<readonly [Reply, Reply]> {
    const replies = [await this.call(id), await this.call(id)] as const;
    if (await this.isRejected(replies[0]))
      throw new Lacking(`${id} is rejected: ${replies[0].status}`);
    return replies;
  }

  /** `what`: a call that is otherwise answered by `served`. */
  async expectRejected(reply: Reply, served: readonly [Reply, Reply], what: string): Promise<void> {
    if (await this.isRejected(reply)) return;
    if ((await this.isVague()) && !isSame(...served, reply))
      throw new Lacking("an error may be answered 2xx here");
    throw new NotKept(reply, "status", `a rejection of ${what}`);
  }

  /** Name and address are unique, and neither is part of the other. */
  private person(): Person {
    this.people += 1;
    const id = `${this.run.runId}-${this.people}`;
    return {
      name: `Ada of ${id} by name`,
      email: (ADDRESSES[this.address] ?? "").replace("{id}", id),
    };
  }

  /** Someone who may be created. */
  newPerson(): Person {
    const person = this.person();
    this.run.created.add(person.email);
    return person;
  }

  /** Creates a user, with the first address that is taken; throws `Lacking` if each is rejected. */
  async create(): Promise<{ readonly person: Person; readonly reply: Reply }> {
    for (; ; this.address += 1) {
      const person = this.newPerson();
      const reply = await this.call("user.create", undefined, person);
      if ((await this.verdictOn(reply)) === "accepted") return { person, reply };
      if (reply.status >= 300) this.run.created.delete(person.email);
      const isFault =
        reply.status === 0 ||
        (reply.status >= 500 && reply.status !== (await this.rejected())[0].status);
      if (isFault) throw new NotKept(reply, "status", "an acceptance (2xx), or a rejection");
      if (this.address === ADDRESSES.length - 1)
        throw new Lacking(`no user could be created: ${reply.status}`);
    }
  }

  /** Checks that nothing is created of someone who is not sent as input: no response and no list has these members. */
  notTaken = async (
    send: (person: Person) => Promise<Reply>,
    members: readonly (keyof Person)[] = ["name", "email"],
  ): Promise<void> => {
    const person = this.person();
    const reply = await send(person);
    if (await this.isRejected(reply)) return;
    const { text } = await this.call("user.list");
    // An error may repeat what it is about.
    const texts = (await this.isVague()) ? [text] : [reply.text, text];
    const taken = members
      .map((name) => person[name])
      .find((value) => texts.some((one) => one.includes(value)));
    if (taken !== undefined)
      throw new NotKept(reply, "status", `a rejection (not 2xx), or nothing made of ${taken}`);
  };
}
