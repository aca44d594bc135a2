/** From an ASCII character to the same in full width (U+FF01 and those after it). */
const FULL_WIDTH = 0xfee0;

/**
 * Raw, percent-encoded (as a component, as a form, every byte, that once more, either letter case), JSON-escaped, base64,
 * base64url, and in full-width letters.
 */
export function spellings(given: string): Set<string> {
  const value = Buffer.from(given).toString(); // a lone surrogate has no encoding on the wire
  const component = encodeURIComponent(value);
  const form = new URLSearchParams({ "": value }).toString().slice(1);
  const encoded = [component, form, encodeURI(value), component.replace(/[!'()*]/g, percent)];
  const every = Buffer.from(value).toString("hex").toUpperCase().replace(/../g, "%$&");
  const wide = value.replace(/[!-~]/g, (letter) =>
    String.fromCharCode(letter.charCodeAt(0) + FULL_WIDTH),
  );
  const twice = every.replaceAll("%", "%25");
  const percents = [...encoded, every, encodeURIComponent(wide)].flatMap((each) => [
    each,
    each.replace(/%../g, (hex) => hex.toLowerCase()),
  ]);
  const others = [JSON.stringify(value).slice(1, -1), wide, twice, twice.toLowerCase()];
  return new Set([value, ...others, ...percents, ...base64(Buffer.from(value))]);
}

/**
 * A value inside a longer base64 text starts at any of three alignments. Characters that also hold bits of its neighbours are
 * left out: the rest is the same in every context.
 */
function base64(value: Buffer): string[] {
  const inner = [0, 1, 2].map((before) => {
    const text = Buffer.concat([Buffer.alloc(before), value])
      .toString("base64")
      .replace(/=+$/, "");
    const shared = (before + value.length) % 3 === 0 ? 0 : 1;
    return text.slice(Math.ceil((before * 8) / 6), text.length - shared);
  });
  const plain = value.toString("base64");
  const all = [plain, plain.replace(/=+$/, ""), ...inner];
  return [...all, ...all.map((each) => each.replaceAll("+", "-").replaceAll("/", "_"))];
}

function percent(character: string): string {
  return `%${character.charCodeAt(0).toString(16).toUpperCase()}`;
}

/** One spelling of a secret. */
export interface Spelled {
  readonly name: string;
  readonly spelling: string;
  /** Characters of the spelling per character of the secret. */
  readonly ratio: number;
  /** Characters of the secret. */
  readonly length: number;
  /** The secret itself, so that a part of it can be identified by its position. */
  readonly raw: boolean;
}

interface Run {
  readonly of: Spelled;
  /** Position in the spelling. */
  readonly at: number;
  /** Position in the text. */
  readonly from: number;
  readonly to: number;
}

/** Case conversions applied to a part; the shell reverses them in the same order. */
const TURNS: readonly (readonly [name: string, turn: (text: string) => string])[] = [
  ["", (text) => text],
  [":upper", (text) => text.replace(/[a-z]/g, (letter) => letter.toUpperCase())],
  [":lower", fold],
  [
    ":swapped",
    (text) =>
      text.replace(/[a-z]/gi, (letter) =>
        letter < "a" ? letter.toLowerCase() : letter.toUpperCase(),
      ),
  ],
];

/** Length of the substrings that are looked up. */
const GRAM = 4;
/** Fewer characters than this reveal nothing. */
const LEAST = 8;

/** At most a third of a key may be visible, with the rest unknown; less of its beginning, by which it is found in a log. */
const least = ({ length, ratio, raw }: Spelled, at: number) =>
  raw && at === 0 ? LEAST : Math.ceil(Math.max(LEAST, Math.floor(length / 3)) * ratio);

/**
 * Replaces long parts of a secret with `$NAME[from-to]`, ignoring case: checks send keys that are almost right, and excerpts end
 * within a key. For other spellings than the raw one the position is unknown: `$NAME[part]`.
 */
export function createPartRedactor(spelled: readonly Spelled[]): (text: string) => string {
  const grams = new Map<string, { of: Spelled; at: number }[]>();
  for (const of of spelled) {
    const folded = fold(of.spelling);
    for (let at = 0; at + GRAM <= folded.length; at += 1) {
      const gram = folded.slice(at, at + GRAM);
      grams.set(gram, [...(grams.get(gram) ?? []), { of, at }]);
    }
  }
  // Every run that is long enough holds a gram that starts at a multiple of this step.
  const step = LEAST - GRAM + 1;
  return (text) => {
    const folded = fold(text);
    let result = "";
    let done = 0;
    for (let at = 0; at + GRAM <= folded.length; ) {
      const found = grams.get(folded.slice(at, at + GRAM)) ?? [];
      const run = longest(
        found.map((place) => extend(folded, { ...place, from: at, to: at + GRAM }, done)),
      );
      if (run) {
        result += text.slice(done, run.from) + placeholder(run, text.slice(run.from, run.to));
        done = run.to;
      }
      at = run ? done : at + step;
    }
    return result + text.slice(done);
  };
}

/** Extends the match of text and spelling as far as possible in both directions. */
function extend(text: string, { of, at, from, to }: Run, start: number): Run {
  const spelling = fold(of.spelling);
  let [left, right] = [0, to - from];
  while (from - left > start && at > left && text[from - left - 1] === spelling[at - left - 1])
    left += 1;
  while (
    from + right < text.length &&
    at + right < spelling.length &&
    text[from + right] === spelling[at + right]
  )
    right += 1;
  return { of, at: at - left, from: from - left, to: from + right };
}

/** The longest run, of those that are long enough. */
function longest(runs: readonly Run[]): Run | undefined {
  const [first] = runs
    .filter(({ of, at, from, to }) => to - from >= least(of, at))
    .sort((a, b) => b.to - b.from - a.to + a.from);
  return first;
}

/** The placeholder for a text that is a part of a secret, ignoring case. */
export function placeholder({ of, at }: Pick<Run, "of" | "at">, text: string): string {
  if (!of.raw) return `$${of.name}[part]`;
  let [result, from] = ["", 0];
  while (from < text.length) {
    const original = of.spelling.slice(at + from, at + text.length);
    const [name, length] = longestTurn(original, text.slice(from));
    result += `$${of.name}[${at + from + 1}-${at + from + length}${name}]`;
    from += length;
  }
  return result;
}

/** The conversion that matches the longest prefix of the text. A letter is unchanged or converted, so it is at least one. */
function longestTurn(original: string, text: string): readonly [name: string, length: number] {
  const fits = TURNS.map(([name, turn]) => {
    const turned = turn(original);
    let length = 0;
    while (length < text.length && turned[length] === text[length]) length += 1;
    return [name, length] as const;
  });
  return fits.reduce((best, one) => (one[1] > best[1] ? one : best));
}

/** Lower-cases ASCII letters: length and positions stay the same. */
function fold(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
