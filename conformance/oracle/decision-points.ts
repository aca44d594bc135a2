/**
 * The points at which the oracle decides. Each kind of decision defines how a server gets it wrong:
 * a mutant is one point, decided in one of these ways, for all or for some requests.
 */

type Ways<First, Second, Result> = Readonly<
  Record<string, (first: First, second: Second) => Result>
>;

const decoded = (text: string) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};
const folded = (text: string) => text.toLowerCase();
const without = (pattern: RegExp, flag: "^" | "$"): RegExp =>
  new RegExp(
    flag === "^" ? pattern.source.replace(/^\^/, "") : pattern.source.replace(/\$$/, ""),
    pattern.flags,
  );

/** Two values, compared whole. */
const same: Ways<string, string, boolean> = {
  trimmed: (a, b) => a.trim() === b.trim(),
  "without case": (a, b) => folded(a) === folded(b),
  "by its beginning": (a, b) => a !== "" && b.startsWith(a),
  "by what it begins with": (a, b) => b !== "" && a.startsWith(b),
  "by what it ends with": (a, b) => b !== "" && a.endsWith(b),
  "by half of it": (a, b) => a.slice(0, b.length / 2) === b.slice(0, b.length / 2),
  "by all but its end": (a, b) => a.slice(0, -1) === b.slice(0, -1) && a.length === b.length,
  "by its length": (a, b) => a.length === b.length,
  "by the first of a list": (a, b) => a.split(/[,;\s]/)[0] === b,
  "by the last of a list": (a, b) => a.split(/[,;\s]/).at(-1) === b,
  "in quotes": (a, b) => a.replace(/^["']|["']$/g, "") === b,
  "behind a scheme": (a, b) => a.replace(/^(bearer|apikey|token) /i, "") === b,
  "decoded twice": (a, b) => decoded(a) === b,
  "up to a NUL": (a, b) => a.split(/\0|%00/)[0] === b,
  "wherever it occurs": (a, b) => b !== "" && a.includes(b),
  "by a pattern": (a, b) => a === b || (/[%*]$/.test(a) && b.startsWith(a.slice(0, -1))),
  "in base64": (a, b) => a === b || Buffer.from(a, "base64").toString() === b,
  "without blanks": (a, b) => a.replace(/\s/g, "") === b,
  "as a user's name": (a, b) => a.split(/[:.|]/)[0] === b,
  "up to a slash": (a, b) => a.split("/")[0] === b,
  "without its parameters": (a, b) => a.split(";")[0] === b,
  "as JSON": (a, b) => a === b || a.startsWith("{"),
  "as a member of an object": (a, b) => a === b || a in {},
  "in SQL": (a, b) => a === b || /'.*(--|;)/.test(a),
  "or a word for nothing": (a, b) => a === b || /^(null|undefined)$/.test(a),
  "or not ASCII": (a, b) => a === b || /[^\x20-\x7e]/.test(a),
  "or with a control character": (a, b) => a === b || /\p{Cc}/u.test(a),
  "or too long": (a, b) => a === b || a.length > 4096,
  normalized: (a, b) => a.normalize("NFKC") === b,
  never: () => false,
  always: () => true,
};

/** The name of a header field, in any case. */
const field: Ways<string, string, boolean> = {
  "with its case": (a, b) => a === b,
  "in lower case or capitals": (a, b) =>
    folded(a) === folded(b) && (a === folded(a) || a === a.toUpperCase()),
  "with _ for -": (a, b) => folded(a).replaceAll("_", "-") === folded(b),
  never: () => false,
};

/** The name of a parameter: exact. */
const parameter: Ways<string, string, boolean> = {
  "without case": (a, b) => folded(a) === folded(b),
  "with _ for -": (a, b) => a.replaceAll("_", "-") === b,
  "without dashes": (a, b) => a.replaceAll("-", "") === b.replaceAll("-", ""),
  trimmed: (a, b) => a.trim() === b,
  "as a list": (a, b) => a.replace(/\[\d?\]$/, "") === b,
  "up to a NUL": (a, b) => a.split("\0")[0] === b,
  "by a shorter name": (a, b) =>
    a === b ||
    (a.length > 2 && folded(b.replace(/^X-(?:API-)?/, "")) === folded(a.replace(/^api_?/, ""))),
  never: () => false,
};

/** At most this many. */
const most: Ways<number, number, boolean> = {
  "one more passes": (a, b) => a <= b + 1,
  "one less passes": (a, b) => a < b,
  "half of it passes": (a, b) => a <= b / 2,
  "without limit": () => true,
};

/** At least this many. */
const least: Ways<number, number, boolean> = {
  "one less passes": (a, b) => a >= b - 1,
  "one more passes": (a, b) => a > b,
  any: () => true,
};

/** A text that matches a pattern. */
const form: Ways<string, RegExp, boolean> = {
  trimmed: (a, b) => b.test(a.trim()),
  "without its end": (a, b) => without(b, "$").test(a),
  "without its beginning": (a, b) => without(b, "^").test(a),
  "without case": (a, b) => new RegExp(b.source, `${b.flags.replace("i", "")}i`).test(a),
  "line by line": (a, b) => a.split("\n").some((line) => b.test(line)),
  normalized: (a, b) => b.test(a.normalize("NFKC")),
  "if it is empty": (a, b) => a === "" || b.test(a),
  any: () => true,
  none: () => false,
};

/** A number, as written. */
const digits: Ways<string, RegExp, boolean> = {
  ...form,
  "without a sign": (a, b) => b.test(a.replace(/^[-+]/, "")),
  "with leading zeros": (a, b) => b.test(a.replace(/^0+(?=\d)/, "")),
  "as a number": (a, b) => b.test(a) || (a.trim() !== "" && b.test(String(Number(a)))),
  "as it begins": (a, b) => b.test(a) || b.test(String(Number.parseInt(a, 10))),
};

/** A condition. */
const holds: Ways<boolean, undefined, boolean> = { always: () => true, never: () => false };

/** A number of things. */
const count: Ways<number, undefined, number> = {
  "one more": (n) => n + 1,
  "one less": (n) => Math.max(0, n - 1),
  half: (n) => Math.ceil(n / 2),
  none: () => 0,
};

/** The subset of a list that is shown. */
const list: Ways<readonly unknown[], readonly unknown[], readonly unknown[]> = {
  "the first is lost": (some) => some.slice(1),
  "the last is lost": (some) => some.slice(0, -1),
  "one occurs twice": (some) => some.flatMap((one, at) => (at === 0 ? [one, one] : [one])),
  backwards: (some) => [...some].reverse(),
  "always the first": (some, all) => all.slice(0, some.length),
};

export const ways = {
  same,
  field,
  parameter,
  most,
  least,
  form,
  digits,
  holds,
  count,
  list,
} as const;
export type Kind = keyof typeof ways;

/** One point, decided in one way, for the requests of one scope. */
export interface PointMutant {
  readonly point: string;
  readonly how: string;
  readonly only: string;
}

/**
 * Facts about a point, collected while requests are predicted: its kind, whether its decision could
 * differ, and when it is decided.
 */
export interface PointFacts {
  readonly kind: Kind;
  readonly values: Set<unknown>;
  /** The steps of the order of checks at which it is decided. */
  readonly steps: Set<string>;
  /** The ways that decide otherwise here: by all others, the response is the same. */
  readonly ways: Set<string>;
}

/**
 * The ways that decide two values otherwise than rightly, by the kind of the decision: many
 * requests have the same values.
 */
export type WrongWays = Map<object, Map<unknown, Map<unknown, readonly string[]>>>;

function entryOf<Key, Value>(map: Map<Key, Value>, key: Key, create: () => Value): Value {
  const value = map.get(key) ?? create();
  map.set(key, value);
  return value;
}

const isSame = (left: unknown, right: unknown): boolean =>
  Array.isArray(left) && Array.isArray(right)
    ? left.length === right.length && left.every((item, at) => item === right[at])
    : left === right;

/**
 * The decisions of the oracle; with a mutation, one of them is wrong. `seen` collects the points
 * that a request passes.
 */
export class DecisionPoints {
  readonly seen = new Map<string, PointFacts>();
  /** The current step of the order of checks. */
  step = "";

  constructor(
    readonly mutation: PointMutant | null = null,
    /** Where it learns which points a request passes. */
    private readonly differing: WrongWays | null = null,
  ) {}

  /** No decision is wrong, and none is collected. */
  get isRight(): boolean {
    return this.mutation === null && this.differing === null;
  }

  private resolve<First, Second, Result>(
    kind: Kind,
    point: string,
    table: Ways<First, Second, Result>,
    right: (first: First, second: Second) => Result,
    first: First,
    second: Second,
  ): Result {
    if (this.differing) {
      const ofKind = entryOf(
        entryOf(this.differing, table, () => new Map()),
        first,
        () => new Map(),
      );
      const isWrong = (how: string) => !isSame(table[how]?.(first, second), right(first, second));
      this.learn(
        kind,
        point,
        first,
        entryOf(ofKind, second, () => Object.keys(table).filter(isWrong)),
      );
    }
    const how = this.mutation?.point === point ? table[this.mutation.how] : undefined;
    return (how ?? right)(first, second);
  }

  private learn(kind: Kind, point: string, value: unknown, differing: readonly string[]): void {
    const seen = entryOf(this.seen, point, () => ({
      kind,
      values: new Set(),
      steps: new Set(),
      ways: new Set(),
    }));
    if (kind === "holds") seen.values.add(value);
    seen.steps.add(this.step);
    for (const how of differing) seen.ways.add(how);
  }

  /** Whether one of them is the same: looked up, where nothing is decided wrongly. */
  sameAsOne = (point: string, a: string, all: ReadonlySet<string>): boolean =>
    this.isRight ? all.has(a) : [...all].some((one) => this.same(point, a, one));
  same = (point: string, a: string, b: string): boolean =>
    this.resolve("same", point, same, (x, y) => x === y, a, b);
  field = (point: string, a: string, b: string): boolean =>
    this.resolve("field", point, field, (x, y) => folded(x) === folded(y), a, b);
  parameter = (point: string, a: string, b: string): boolean =>
    this.resolve("parameter", point, parameter, (x, y) => x === y, a, b);
  most = (point: string, n: number, limit: number): boolean =>
    this.resolve("most", point, most, (x, y) => x <= y, n, limit);
  least = (point: string, n: number, limit: number): boolean =>
    this.resolve("least", point, least, (x, y) => x >= y, n, limit);
  form = (point: string, text: string, pattern: RegExp): boolean =>
    this.resolve("form", point, form, (x, y) => y.test(x), text, pattern);
  digits = (point: string, text: string, pattern: RegExp): boolean =>
    this.resolve("digits", point, digits, (x, y) => y.test(x), text, pattern);
  holds = (point: string, value: boolean): boolean =>
    this.resolve("holds", point, holds, (x) => x, value, undefined);
  count = (point: string, n: number): number =>
    this.resolve("count", point, count, (x) => x, n, undefined);
  list = <Item>(point: string, some: readonly Item[], all: readonly Item[]): readonly Item[] =>
    // Each way returns some of its items.
    this.resolve("list", point, list, (x) => x, some, all) as readonly Item[];
}
