import { createHash } from "node:crypto";
import type { Exchange } from "../exchange.ts";
import type { Connection } from "../http/client.ts";
import { ParsedExchange } from "../laws/parsed-exchange.ts";
import { recordsOf } from "../model/known-state.ts";
import { pageOf } from "../model/learn.ts";
import { linksOf } from "../model/links.ts";
import type { Records } from "../model/records.ts";
import { createsRecord, type Operation } from "../oracle/contract.ts";
import { listOf } from "../oracle/lists.ts";
import type { Request } from "../oracle/model-state.ts";
import type { ParsedRequest } from "../oracle/parsed-request.ts";
import { FREE, type Members, memberOf } from "../oracle/records.ts";
import { escapes, inCapitals, ofJson, spaced } from "../requests/body.ts";
import {
  asText,
  type Draft,
  pair,
  plain,
  setField,
  setParameter,
  utf8,
  written,
} from "../requests/draft.ts";
import { plainExchange } from "../run/exchange.ts";
import type { Input } from "../run/options.ts";
import type { Run } from "../run/state.ts";
import { nearValues } from "./filter-values.ts";
import { makeWhole, nearEndOf } from "./lists.ts";
import type { Changed, KeyWritten, Step, Written } from "./steps.ts";

/** A cursor from a page. */
interface Cursor {
  /** The list that it belongs to, by `listOf`. */
  readonly list: string;
  readonly cursor: string;
  /** The query of its `Link`, as written; null without one. */
  readonly link: string | null;
}

const VISIBLE = Array.from({ length: 94 }, (_, at) => String.fromCharCode(33 + at)).join("");

const KEYS: Readonly<Record<KeyWritten, (key: string) => string>> = {
  same: (key) => key,
  lower: (key) => key.toLowerCase(),
  upper: (key) => key.toUpperCase(),
  shorter: (key) => key.slice(0, -1),
  "without its first": (key) => key.slice(1),
  longer: (key) => `${key}0`,
  quoted: (key) => `"${key}"`,
  decoded: (key) =>
    key.replace(/%[\da-f]{2}/gi, (one) => String.fromCharCode(Number.parseInt(one.slice(1), 16))),
  "without -": (key) => key.replaceAll("-", ""),
  "_ for +": (key) => key.replaceAll("+", "_"),
  "up to 7": (key) => sameUpTo(7, key),
  "up to 8": (key) => sameUpTo(8, key),
  "up to 127": (key) => sameUpTo(127, key),
  "up to 128": (key) => sameUpTo(128, key),
};
/** Another key, that begins with as many characters of this one. */
const sameUpTo = (length: number, key: string) =>
  key.slice(0, length) + [...key.slice(length)].map((one) => (one === "a" ? "b" : "a")).join("");

const hashOf = (own: string) => createHash("sha256").update(own).digest("hex");

/** By the form of a key, from what is its own. */
const FORMS: readonly ((ownName: string) => string)[] = [
  (own) => `Key-${own}-a`,
  (own) => `K${own}`.padEnd(254, VISIBLE).concat("a"),
  (ownName) => {
    const hex = hashOf(ownName);
    return hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12}).*$/, "$1-$2-4$3-a$4-$5");
  },
  (own) => `%4Bey+${own}\\n&amp;`,
  // Equal to another without its first digit, where it is read as a number.
  (own) => `0${BigInt(`0x${hashOf(own).slice(0, 12)}`)}`,
];

/**
 * How a unique value is written. Its last character, or that of what is before an `@`, is a digit
 * of its own number: what names the run stays.
 */
const UNIQUE: Partial<Record<Written, (value: string) => string>> = {
  capitals: (value) => value.toUpperCase(),
  "small letters": (value) => value.toLowerCase(),
  longer: (value) => value.replace(/(?=@|$)/, "x"),
  "_ at its end": (value) => value.replace(/.(?=@|$)/u, "_"),
  "% at its end": (value) => value.replace(/.(?=@|$)/u, "%"),
  "a dot before its end": (value) => value.replace(/.(?=@|$)/u, ".$&"),
  "a hyphen before its end": (value) => value.replace(/.(?=@|$)/u, "-$&"),
  "an apostrophe before its end": (value) => value.replace(/.(?=@|$)/u, "'$&"),
  "+x behind": (value) => value.replace(/(?=@|$)/, "+x"),
  // Near the end of a long address: it is equal where only the beginning is compared.
  "another domain": (value) =>
    /[^.@]\.[^.@]+\.[^.@]+$/.test(value)
      ? value.replace(/[^.@](?=\.[^.@]+\.[^.@]+$)/, "x")
      : value.replace("@", "@x."),
};

/** What a tag is of: an operation, by its name, or a file. */
const placeOf = ({ operation, name, path }: ParsedRequest) => (operation ? String(name) : path);

/** The values for the numbers of a scenario on one target, and the requests of its steps. */
export class ScenarioContext {
  private readonly records = new Map<string, Input>();
  private readonly keys = new Map<number, string>();
  private readonly tags = new Map<string, string>();
  /** The values of changes, by operation, member and number. */
  private readonly values = new Map<string, unknown>();
  /** By their number, the records that were created, as they were. */
  private readonly made = new Map<number, { readonly records: Records; readonly shown: Members }>();
  private readonly cursors: Cursor[] = [];
  /** The numbers of the idempotency keys that were sent. */
  readonly sentKeys = new Set<number>();
  private kept: Connection | undefined;

  /** `mark`: what the idempotency keys of this scenario begin with, besides the run's id. */
  constructor(
    private readonly run: Run,
    private readonly mark: string,
  ) {}

  /** The connection that all callers share, as behind a proxy, for a step that uses it again. */
  connectionOf({ isKept }: Step): Connection | undefined {
    if (isKept) this.kept ??= this.run.client.connect();
    return isKept ? this.kept : undefined;
  }

  close(): void {
    this.kept?.destroy();
  }

  /** The request of a step; null if it refers to something missing. */
  async requestOf(step: Step): Promise<Request | null> {
    const { suite, source, options, model } = this.run;
    const { operation, rows, key, limit, isLinked, isConditional } = step;
    const credential = { full: options.credentials.full, ...options.credentials.special }[
      step.caller
    ];
    const input = this.withNames(step, await this.inputOf(step));
    if (!credential || !input) return null;
    const draft = plain(operation, input, { ...source.caller, ...credential });
    if (model.lists.has(operation.id)) {
      makeWhole(draft);
      const chosen = this.parametersOf(step);
      if (chosen === null) return null;
      for (const [name, value] of chosen) setParameter(draft, name, value);
      setParameter(draft, "cursor", null);
      setParameter(draft, "limit", limit === undefined ? null : `${limit}`);
      const from = await this.fromOf(step, listOf(suite.oracle.read(written(draft), model)));
      if (from === null) return null;
      draft.query = isLinked ? [...from] : [...draft.query, ...from];
    }
    write(draft, step.written ?? "same");
    if (key !== undefined) setField(draft, "Idempotency-Key", [this.keyOf(key, step.keyWritten)]);
    // What is wrong with a key is wrong with the one of the step.
    for (const { apply } of rows) apply(draft);
    const request = written(draft);
    if (!isConditional) return request;
    const tag = this.tags.get(placeOf(suite.oracle.read(request, model)));
    if (tag === undefined) return null;
    return {
      ...request,
      fields: [...request.fields, ["If-None-Match", step.copies?.(tag) ?? tag]],
    };
  }

  /**
   * Where a page begins, as parameters, those of a link all that it has; null for a cursor that
   * there is not.
   */
  private async fromOf(step: Step, list: string): Promise<readonly string[] | null> {
    const { operation, from = "start", isLinked } = step;
    if (from === "start") return [];
    if (from === "end") {
      const near = await nearEndOf(this.run, operation);
      return near === undefined ? [] : [pair("cursor", near)];
    }
    const ownCursors = this.cursors.filter((one) => one.list === list);
    const given =
      from < 0 ? ownCursors.at(from) : ownCursors[from % Math.max(1, ownCursors.length)];
    if (!given) return null;
    if (!isLinked) return [pair("cursor", given.cursor)];
    return given.link === null ? null : given.link.split("&");
  }

  /** The input with the records that it names, and what it changes; undefined without one. */
  private withNames(step: Step, input: Input | undefined): Input | undefined {
    const { operation, names = {}, changes } = step;
    if (!input) return undefined;
    const values = Object.entries(changes ?? {}).map(([member, changed]) => [
      member,
      this.changedValue(operation, member, changed),
    ]);
    const ids = Object.entries(names).map(([member, number]) => [member, this.idOf(number)]);
    if ([...values, ...ids].some(([, value]) => value === undefined)) return undefined;
    // An update leaves out what it does not change.
    const given = Object.entries(input).filter(
      ([member]) =>
        operation.effect?.kind !== "updates" ||
        operation.input[member]?.required ||
        operation.parts.includes(member),
    );
    return Object.fromEntries([...given, ...values, ...ids]);
  }

  private changedValue(operation: Operation, member: string, changed: Changed): unknown {
    const { inputs } = this.run;
    if (typeof changed === "number") {
      const name = `${operation.id} ${member} ${changed}`;
      const value = this.values.get(name) ?? inputs.nextValue(operation, member);
      this.values.set(name, value);
      return value;
    }
    if (changed === null) return inputs.isRight(operation, member, null) ? null : undefined;
    const value = this.memberOf(changed.of, member);
    if (typeof value !== "string" || !changed.written) return value;
    return changed.written === "swapped" ? value.toUpperCase() : ` ${value}`;
  }

  /** The key of a record of this scenario. */
  private idOf(number: number): unknown {
    const made = this.made.get(number);
    return made && memberOf(made.shown, made.records.options.key);
  }

  /** What a member of a record is, or was when it was shown last. */
  private memberOf(number: number, member: string): unknown {
    const made = this.made.get(number);
    if (!made) return undefined;
    const [state] = made.records.statesOf(made.records.idOf(made.shown)) ?? [];
    const value = memberOf(state ?? made.shown, member);
    return value === FREE ? undefined : value;
  }

  /** The parameters of a list, written; null where one of its values is missing. */
  private parametersOf(step: Step): readonly (readonly [string, string])[] | null {
    const { operation, filters = [], names = {} } = step;
    const near = filters.map(({ parameter, record, other, form }) => {
      const { member = "", match = "opaque" } = operation.filters?.[parameter] ?? {};
      const otherValue = this.memberOf(other, member);
      const values = nearValues(match, this.memberOf(record, member) ?? otherValue, otherValue);
      return [parameter, values[form]] as const;
    });
    const ids = Object.entries(names).map(([name, number]) => [name, this.idOf(number)] as const);
    const all = [...near, ...ids];
    const isRight = ([name, value]: readonly [string, unknown]) =>
      value !== undefined && this.run.inputs.isRight(operation, name, value);
    return all.every(isRight) ? all.map(([name, value]) => [name, asText(value)]) : null;
  }

  private keyOf(number: number, spelling: KeyWritten = "same"): string {
    const mark = `${this.run.runId}-${this.mark}-${number}`;
    const key = this.keys.get(number) ?? FORMS[number % FORMS.length]?.(mark) ?? mark;
    this.keys.set(number, key);
    return KEYS[spelling](key);
  }

  /**
   * What is sent: of a record, the example with its own values where they must be unique.
   * Undefined: there is none.
   */
  private async inputOf(step: Step): Promise<Input | undefined> {
    const { operation, record, written: spelling = "same" } = step;
    const { inputs } = this.run;
    if (record === undefined)
      return operation.method === "POST" ? inputs.fresh(operation) : inputs.all.get(operation.id);
    const name = `${operation.id} ${record}`;
    const create = (one: Operation, plain: Input) => plainExchange(this.run, one, plain);
    const input =
      this.records.get(name) ??
      (await inputs.withNewRecords(operation, inputs.forRecord(operation), create));
    this.records.set(name, input);
    const unique = inputs.uniqueOf(operation, input);
    const changed = Object.entries(input).map(([member, value]) => {
      if (typeof value !== "string" || Object.hasOwn(operation.exampleFrom, member))
        return [member, value];
      if (unique.has(member)) return [member, UNIQUE[spelling]?.(value) ?? value];
      const longer = `${value} II`;
      // Where there is no room for that, the example is another value.
      const otherValue = inputs.isRight(operation, member, longer)
        ? longer
        : operation.example[member];
      const wide = "\u00e9\u20ac\u{1f600}".repeat(20);
      if (spelling === "wide")
        return [member, inputs.isRight(operation, member, wide) ? wide : value];
      return [member, spelling === "other" ? otherValue : value];
    });
    return Object.fromEntries(changed);
  }

  /**
   * Whether the rule that a step tests shows in its response: of a key, where that was sent before.
   */
  shows({ of, key }: Step): boolean {
    return of === undefined || key === undefined || this.sentKeys.has(key);
  }

  /** Records what a response shows: a new record, a cursor, a tag. */
  note(exchange: Exchange, { record }: Step): void {
    const { request, response, prediction } = exchange;
    const { operation, code } = prediction ?? {};
    const { model, suite } = this.run;
    if (record !== undefined && operation && createsRecord(operation)) {
      const records = recordsOf(model, operation);
      const shown =
        response && new ParsedExchange(suite.oracle.contract, exchange, response).object;
      if (records && shown && response.status < 300) this.made.set(record, { records, shown });
    }
    if (response?.status !== 200 || code !== null) return;
    const parsed = new ParsedExchange(suite.oracle.contract, exchange, response);
    const tag = parsed.header("etag");
    if (tag !== undefined) this.tags.set(placeOf(parsed.reading), tag);
    if (!operation) return;
    const page = request.method === "GET" ? pageOf(model, request, operation, parsed.json) : null;
    if (page?.nextCursor === undefined) return;
    const [link] = linksOf(response.fields);
    const query = link?.includes("?") ? link.slice(link.indexOf("?") + 1) : null;
    this.cursors.push({ list: listOf(parsed.reading), cursor: page.nextCursor, link: query });
  }
}

/** The body of a command: equivalent JSON in another spelling. */
function write(draft: Draft, how: Written): void {
  const { data } = draft;
  if (!data) return;
  if (how === "reordered") {
    draft.data = [...data].reverse();
    draft.bytes.push(
      ofJson((text) =>
        utf8(JSON.stringify(JSON.parse(Buffer.from(text, "latin1").toString()), null, 2)),
      ),
    );
  }
  if (how === "spaced") draft.bytes.push(spaced);
  if (how === "escaped in capitals") draft.bytes.push(ofJson((text) => escapes(text, inCapitals)));
  // The last of a repeated member counts, and escapes are equivalent.
  if (how === "escaped")
    draft.data = data.flatMap(([member, value]): typeof data => {
      if (typeof JSON.parse(value) !== "string") return [[member, value]];
      return ['"somebody"', escapes(utf8(value))].map((written) => [member, written]);
    });
}
