import type { Connection } from "../http/client.ts";
import type { Request } from "../oracle/model-state.ts";
import { type Change, plain, setField, written } from "../requests/draft.ts";
import { MissingPrecondition, type Run } from "../run/state.ts";
import { formOf, isSame, Reply, RequirementFailed } from "./reply.ts";

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
    if (!operation) throw new MissingPrecondition(`the contract has no operation ${id}`);
    return operation;
  }

  /**
   * The request of a call with the least input. What is public by our contract may need a key
   * elsewhere.
   */
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
    const callerFields = Object.entries({ Host: host, "X-API-KEY": key, "X-PLATFORM": platform });
    return this.send({ method: "GET", target, fields: [...callerFields, ...fields], body });
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

  /**
   * Rejected: not 2xx, or, where errors answer 2xx, a body of their form; null: it cannot be found
   * out.
   */
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
    const isLike = (reference: Reply) =>
      marks.some(([name]) => valueIn(reference, name) === valueIn(reply, name));
    const isOfBoth = isLike(known) === isLike(first);
    return isOfBoth ? null : isLike(known) ? "accepted" : "rejected";
  }

  isRejected = async (reply: Reply): Promise<boolean> =>
    (await this.verdictOn(reply)) === "rejected";

  /**
   * Checks that a call is accepted. Throws `MissingPrecondition` where that cannot be found out.
   */
  async expectAccepted(reply: Reply): Promise<void> {
    const verdict = await this.verdictOn(reply);
    if (verdict === "rejected") throw new RequirementFailed(reply, "status", "an acceptance (2xx)");
    if (verdict === null)
      throw new MissingPrecondition(
        "errors answer 2xx here, and nothing tells them from an acceptance",
      );
  }

  /** Checks that the response of an operation is JSON, or for `docs.get` JSON or text. */
  async expectServed(id: string, reply: Reply): Promise<void> {
    await this.expectAccepted(reply);
    const mediaTypes = this.operation(id).answers.flatMap((answer) => answer.mediaTypes);
    const mayBeText = mediaTypes.some((one) => /^text\//.test(one));
    if (reply.kind === null || (reply.kind === "text" && !mayBeText))
      throw new RequirementFailed(
        reply,
        "header:content-type",
        mayBeText ? "a JSON or text document" : "a JSON document",
      );
  }

  /** The response of a query, twice, for a check of something else. */
  async served(id: string): Promise<readonly [Reply, Reply]> {
    const replies = [await this.call(id), await this.call(id)] as const;
    if (await this.isRejected(replies[0]))
      throw new MissingPrecondition(`${id} is rejected: ${replies[0].status}`);
    return replies;
  }

  /** `what`: a call that is otherwise answered by `served`. */
  async expectRejected(reply: Reply, served: readonly [Reply, Reply], what: string): Promise<void> {
    if (await this.isRejected(reply)) return;
    if ((await this.isVague()) && !isSame(...served, reply))
      throw new MissingPrecondition("an error may be answered 2xx here");
    throw new RequirementFailed(reply, "status", `a rejection of ${what}`);
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

  /**
   * Creates a user, with the first address that is accepted. Throws `MissingPrecondition` if each
   * is rejected.
   */
  async create(): Promise<{ readonly person: Person; readonly reply: Reply }> {
    for (; ; this.address += 1) {
      const person = this.newPerson();
      const reply = await this.call("user.create", undefined, person);
      if ((await this.verdictOn(reply)) === "accepted") return { person, reply };
      if (reply.status >= 300) this.run.created.delete(person.email);
      const isFault =
        reply.status === 0 ||
        (reply.status >= 500 && reply.status !== (await this.rejected())[0].status);
      if (isFault)
        throw new RequirementFailed(reply, "status", "an acceptance (2xx), or a rejection");
      if (this.address === ADDRESSES.length - 1)
        throw new MissingPrecondition(`no user could be created: ${reply.status}`);
    }
  }

  /**
   * Checks that nothing is created of someone who is not sent as input: no response and no list has
   * these members.
   */
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
      throw new RequirementFailed(
        reply,
        "status",
        `a rejection (not 2xx), or nothing made of ${taken}`,
      );
  };
}
