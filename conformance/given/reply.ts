import type { Difference, Exchange, Response } from "../exchange.ts";
import { ParsedExchange } from "../laws/parsed-exchange.ts";
import type { Contract } from "../oracle/contract.ts";
import { pairDifferences } from "../run/pair.ts";

const NONE: Response = {
  status: 0,
  reason: "",
  version: "",
  fields: [],
  body: Buffer.alloc(0),
  omitted: 0,
  json: undefined,
};

/** A response, read by the given document alone; without one it is a rejection. */
export class Reply extends ParsedExchange {
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
export class RequirementFailed extends Error {
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

/**
 * The values of a document by their places, without these names. Digits are ignored: they may be
 * counts or times.
 */
function valuesOf(
  { json, text }: Reply,
  names: readonly string[] = [],
): ReadonlyMap<string, string> {
  const values = new Map<string, string>();
  const nameless = (content: string) =>
    names.reduce(
      (all, name) => all.replace(new RegExp(name.replace(/\W/g, "\\$&"), "gi"), ""),
      content,
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

/**
 * Whether a response is the one received twice, but for values that vary (a time, the id of a
 * request) and for these names.
 */
export function isSame(
  first: Reply,
  again: Reply,
  otherReply: Reply,
  names: readonly string[] = [],
): boolean {
  const of = (reply: Reply) => valuesOf(reply, names);
  return pairDifferences(of(first), of(again), of(otherReply), []).size === 0;
}

/**
 * A document whose values have at most so many letters is like any other: `true`, `"OK"`, `{}`,
 * with a time.
 */
const EMPTY = 8;
export function isEmpty(first: Reply, again: Reply): boolean {
  const valuesAgain = valuesOf(again);
  const stable = [...valuesOf(first)].filter(([place, value]) => valuesAgain.get(place) === value);
  return stable.map(([, value]) => value.replace(/\P{L}/gu, "")).join("").length <= EMPTY;
}

/**
 * How rejections differ from other documents where both are 2xx: the members, their types, and
 * flags.
 */
export function formOf({ object, json }: Reply): string {
  if (!object) return JSON.stringify([json]);
  const kindOf = (value: unknown) =>
    typeof value === "boolean" ? value : value === null ? "null" : typeof value;
  const members = Object.entries(object).map(([name, value]) => [name, kindOf(value)]);
  return JSON.stringify(members.sort());
}
