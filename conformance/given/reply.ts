import type { Difference, Exchange } from "../exchange.ts";
import { View } from "../laws/view.ts";
import type { Run } from "../run/state.ts";

/** A response, read by the given document alone; without one it is a rejection. */
export class Reply {
  readonly status: number;
  readonly text: string;
  readonly shown: string;
  readonly json: unknown;
  readonly isAccepted: boolean;
  /** What it is a document of; null: neither JSON nor text. */
  readonly kind: "json" | "text" | null;

  constructor(
    { suite }: Run,
    readonly exchange: Exchange,
  ) {
    const { response, error } = exchange;
    const view = response && new View(suite.oracle.contract, exchange, response);
    const { mediaType = "", text = "", shown = error ?? "no response", json } = view ?? {};
    [this.status, this.text, this.shown, this.json] = [response?.status ?? 0, text, shown, json];
    this.isAccepted = this.status >= 200 && this.status < 300;
    const isJson = /^(?:application|text)\/json$|\+json$/.test(mediaType);
    this.kind = isJson && json !== undefined ? "json" : !isJson && mediaType.startsWith("text/") ? "text" : null;
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
export function isSame(first: Reply, again: Reply, other: Reply): boolean {
  const [one, two, three] = [valuesOf(first), valuesOf(again), valuesOf(other)];
  return [...new Set([...one.keys(), ...three.keys()])].every((place) => {
    if (one.get(place) === two.get(place)) return one.get(place) === three.get(place);
    return three.has(place) || !one.has(place) || !two.has(place);
  });
}

/** A document of at most so many characters is like any other: `true`, `"OK"`, `{}`. */
const EMPTY = 8;
export function isEmpty(first: Reply, again: Reply): boolean {
  const other = valuesOf(again);
  const stable = [...valuesOf(first)].filter(([place, value]) => other.get(place) === value);
  return stable.map(([, value]) => value).join("").length <= EMPTY;
}

/** How rejections differ from other documents where both are 2xx: the members, their types, and flags. */
export function formOf({ json, kind }: Reply): string {
  if (kind !== "json" || typeof json !== "object" || json === null || Array.isArray(json))
    return JSON.stringify([json]);
  const kindOf = (value: unknown) => (typeof value === "boolean" ? value : value === null ? "null" : typeof value);
  return JSON.stringify(
    Object.entries(json)
      .map(([name, value]) => [name, kindOf(value)])
      .sort(),
  );
}
