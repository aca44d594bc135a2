import type { Difference, Exchange, Response } from "../exchange.ts";
import { View } from "../laws/view.ts";
import { differing } from "../model/observed.ts";
import type { Contract } from "../oracle/contract.ts";

const NONE: Response = {
  ...{ status: 0, reason: "", version: "", fields: [], body: Buffer.alloc(0), omitted: 0, json: undefined },
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
    if (/^(?:application|text)\/json$|\+json$/.test(this.mediaType)) return this.json === undefined ? null : "json";
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
export const isSame = (first: Reply, again: Reply, other: Reply): boolean =>
  differing(valuesOf(first), valuesOf(again), valuesOf(other), []).size === 0;

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
  const kindOf = (value: unknown) => (typeof value === "boolean" ? value : value === null ? "null" : typeof value);
  const members = Object.entries(object).map(([name, value]) => [name, kindOf(value)]);
  return JSON.stringify(members.sort());
}
