import type { Agent } from "node:http";
import { endOf } from "../checks/state.ts";
import type { Api } from "../client/api.ts";
import type { CallCredentials } from "../client/call.ts";
import { wordOf } from "../client/word.ts";
import { type Asking, askingOf } from "../lists/list.ts";
import { uniqueOf } from "../models/model.ts";
import type { Operation } from "../oracle/contract.ts";
import type { Request } from "../oracle/world.ts";
import { EXTRAS } from "./extras.ts";
import { FAULTS } from "./faults.ts";
import type { KeyWritten, Placed, Step, Written } from "./step.ts";

type Data = Readonly<Record<string, unknown>>;

/** A cursor from a page, and the requested length of that page. */
export interface Given {
  readonly operation: string;
  readonly cursor: string;
  /** The target of its `Link`, below the path prefix of the deployment. */
  readonly link: string | null;
  readonly limit: number;
}

const EMAIL = /^[^@\s]+@[^@\s]+$/;
const escaped = (text: string) =>
  [...text].map((c) => c.replace(/^.$/, () => `\\u${c.charCodeAt(0).toString(16).padStart(4, "0")}`)).join("");

const VISIBLE = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)).join("");

const KEYS: Readonly<Record<KeyWritten, (key: string) => string>> = {
  same: (key) => key,
  lower: (key) => key.toLowerCase(),
  upper: (key) => key.toUpperCase(),
  shorter: (key) => key.slice(0, -1),
  "without its first": (key) => key.slice(1),
  longer: (key) => `${key}0`,
  quoted: (key) => `"${key}"`,
};

/** The values for the numbers of a sequence on one target, and the requests of its steps. */
export class Scene {
  private readonly asking: Asking;
  private readonly records = new Map<string, Data>();
  private readonly keys = new Map<number, string>();
  private agent: Agent | undefined;
  private readonly tags = new Map<string, string>();
  readonly cursors: Given[] = [];

  constructor(readonly api: Api) {
    this.asking = askingOf(api);
  }

  get model() {
    return this.api.model;
  }

  /** The connection that all callers share, as behind a proxy, for a step that uses it again. */
  agentOf({ kept }: Step): Agent | undefined {
    if (kept) this.agent ??= this.api.connection();
    return kept ? this.agent : undefined;
  }

  close(): void {
    this.agent?.destroy();
  }

  /** Records a tag. */
  tagged(step: Step, tag: string | undefined): void {
    if (tag !== undefined) this.tags.set(step.operation, tag);
  }

  /** The request of a step; null if it refers to something missing. */
  async requestOf(step: Step): Promise<Request | null> {
    const operation = this.model.oracle.contract.operations[step.operation];
    const credentials = this.credentialsOf(step);
    if (!operation || !credentials) return null;
    const plain = step.linked
      ? this.linkedOf(step, operation, credentials)
      : await this.plainOf(step, operation, credentials);
    if (!plain) return null;
    const tag = this.tags.get(step.operation);
    if (step.conditional && tag === undefined) return null;
    const more = (step.extras ?? []).flatMap((name) => EXTRAS[name] ?? []);
    const key = step.key === undefined ? [] : [["Idempotency-Key", this.keyOf(step.key, step.keyWritten)] as const];
    const condition = step.conditional && tag !== undefined ? [["If-None-Match", tag] as const] : [];
    const named = new Set([...more, ...key, ...condition].map(([name]) => name.toLowerCase()));
    const fields = plain.fields.filter(([name]) => !named.has(name.toLowerCase()));
    const whole = { ...plain, fields: [...fields, ...key, ...condition, ...more] };
    return step.fault ? (FAULTS[step.fault]?.put(whole, { word: wordOf(this.api) }) ?? null) : whole;
  }

  private async plainOf(step: Step, operation: Operation, credentials: CallCredentials): Promise<Request | null> {
    const { asking } = this;
    const options = { credentials, ...(step.head && { method: "HEAD" }) };
    if (step.record !== undefined) {
      const data = this.written(operation, this.recordOf(operation, step.record), step.written ?? "same");
      const body = this.textOf(operation, data, step.written ?? "same");
      return asking.call(operation, { ...options, input: data, body });
    }
    if (!this.model.lists.has(operation.id)) return asking.call(operation, options);
    const { limit, from = "start" } = step;
    const cursor =
      from === "start"
        ? undefined
        : from === "end"
          ? (await endOf(this.api, operation)).near
          : this.given(step)?.cursor;
    if (typeof from === "number" && cursor === undefined) return null;
    const required = this.api.required(operation.id);
    const input = { ...required, limit, cursor };
    const sent = Object.entries(input).filter(([, value]) => value !== undefined);
    return asking.call(operation, { ...options, input: Object.fromEntries(sent) });
  }

  /** The cursor that a step refers to. */
  given({ operation, from }: Step): Given | undefined {
    if (typeof from !== "number") return undefined;
    const own = this.cursors.filter((one) => one.operation === operation);
    return from < 0 ? own.at(from) : own[from % Math.max(1, own.length)];
  }

  private linkedOf(step: Step, operation: Operation, credentials: CallCredentials): Request | null {
    const link = this.given(step)?.link;
    if (!link) return null;
    const { fields: headers } = this.asking.call(operation, { credentials, input: {} });
    return { method: step.head ? "HEAD" : "GET", target: link, fields: headers, body: "" };
  }

  private credentialsOf({ caller, placed }: Step): CallCredentials | null {
    const { full, special } = this.api.credentials;
    const one = Object.entries({ full, ...special }).find(([name]) => name === caller)?.[1];
    if (!one) return null;
    const put = (name: Placed) => ({
      ...(placed !== "query" && placed !== name && { header: name === "key in the query" ? one.key : one.platform }),
      ...((placed === "query" || placed === name || placed === "both") && {
        query: name === "key in the query" ? one.key : one.platform,
      }),
    });
    return { key: put("key in the query"), platform: put("platform in the query") };
  }

  private keyOf(number: number, written: KeyWritten = "same"): string {
    const own = `${this.api.runId}-${this.api.mark()}`;
    // Every second has the maximum length, and differs from others at both ends alone.
    const key = this.keys.get(number) ?? (number % 2 ? `Key-${own}-a` : `K${own}`.padEnd(254, VISIBLE).concat("a"));
    this.keys.set(number, key);
    return KEYS[written](key);
  }

  /** The data of a record: the example, with its own values for members that must be unique. */
  private recordOf(operation: Operation, number: number): Data {
    const name = `${operation.id} ${number}`;
    const known = this.records.get(name);
    if (known) return known;
    const values = Object.entries(this.asking.input(operation)).map(([member, value]) => [
      member,
      typeof value === "string" && EMAIL.test(value) ? this.api.email() : value,
    ]);
    const data: Data = Object.fromEntries(values);
    this.records.set(name, data);
    return data;
  }

  private isUnique(operation: Operation, data: Data, member: string): boolean {
    const before = uniqueOf(this.model.oracle, operation.id, data).join();
    return uniqueOf(this.model.oracle, operation.id, { ...data, [member]: `x${data[member]}` }).join() !== before;
  }

  private written(operation: Operation, data: Data, how: Written): Data {
    if (how !== "capitals" && how !== "small letters" && how !== "other") return data;
    const change = (member: string, value: string): string => {
      if (member in operation.exampleFrom) return value;
      if (how === "other") return this.isUnique(operation, data, member) ? value : `${value} II`;
      if (!this.isUnique(operation, data, member)) return value;
      return how === "capitals" ? value.toUpperCase() : value.toLowerCase();
    };
    const values = Object.entries(data).map(([member, value]) => [
      member,
      typeof value === "string" ? change(member, value) : value,
    ]);
    return Object.fromEntries(values);
  }

  /** The body of a command: equivalent JSON in another spelling. */
  private textOf({ name }: Operation, data: Data, how: Written): string {
    if (how === "reordered")
      return JSON.stringify({ data: Object.fromEntries(Object.entries(data).reverse()), "@": name }, null, 2);
    const [first = ["", ""]] = Object.entries(data);
    const text = JSON.stringify({ "@": name, data });
    if (how !== "escaped" || typeof first[1] !== "string") return text;
    // The last of a repeated member counts, and escapes are equivalent.
    const members = Object.entries(data).map(([member, value]) =>
      typeof value === "string"
        ? `"${member}":"somebody","${member}":"${escaped(value)}"`
        : `"${member}":${JSON.stringify(value)}`,
    );
    return `{"@":"${name}","data":{${members.join()}}}`;
  }
}
