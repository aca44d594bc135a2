/** One spelling of a secret. */
export interface Spelled {
  readonly name: string;
  readonly spelling: string;
  /** Characters of the spelling for one of the secret. */
  readonly ratio: number;
  /** Characters of the secret. */
  readonly length: number;
  /** The secret as it is, so that a part of it can be told by its place. */
  readonly raw: boolean;
}

interface Run {
  readonly of: Spelled;
  /** In the spelling. */
  readonly at: number;
  /** In the text. */
  readonly from: number;
  readonly to: number;
}

/** What was done to the letters of a part; the shell undoes it in the same order. */
const TURNS: readonly (readonly [name: string, turn: (text: string) => string])[] = [
  ["", (text) => text],
  [":upper", (text) => text.replace(/[a-z]/g, (letter) => letter.toUpperCase())],
  [":lower", fold],
  [
    ":swapped",
    (text) => text.replace(/[a-z]/gi, (letter) => (letter < "a" ? letter.toLowerCase() : letter.toUpperCase())),
  ],
];

/** Characters that are looked up at once. */
const GRAM = 4;
/** Fewer characters than these give nothing away. */
const LEAST = 8;

/** A third of a key, with the rest unknown, is the most that may be seen of it. */
const least = ({ length, ratio }: Spelled) => Math.ceil(Math.max(LEAST, Math.floor(length / 3)) * ratio);

/**
 * Puts `$NAME[from-to]` in the place of long parts of a secret, letter case aside: checks send keys that are almost right,
 * and excerpts end in the middle of one. Of other spellings than the raw one the place says nothing: `$NAME[part]`.
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
  // Every run that is long enough holds a gram that starts at one of these steps.
  const step = Math.min(...spelled.map(least)) - GRAM + 1;
  return (text) => {
    const folded = fold(text);
    let result = "";
    let done = 0;
    for (let at = 0; at + GRAM <= folded.length; ) {
      const found = grams.get(folded.slice(at, at + GRAM)) ?? [];
      const run = longest(found.map((place) => extend(folded, { ...place, from: at, to: at + GRAM }, done)));
      if (run) {
        result += text.slice(done, run.from) + placeholder(run, text.slice(run.from, run.to));
        done = run.to;
      }
      at = run ? done : at + step;
    }
    return result + text.slice(done);
  };
}

/** As far as text and spelling go together, in both directions. */
function extend(text: string, { of, at, from, to }: Run, start: number): Run {
  const spelling = fold(of.spelling);
  let [left, right] = [0, to - from];
  while (from - left > start && at > left && text[from - left - 1] === spelling[at - left - 1]) left += 1;
  while (from + right < text.length && at + right < spelling.length && text[from + right] === spelling[at + right])
    right += 1;
  return { of, at: at - left, from: from - left, to: from + right };
}

/** Of those that are long enough. */
function longest(runs: readonly Run[]): Run | undefined {
  const [first] = runs
    .filter(({ of, from, to }) => to - from >= least(of))
    .sort((a, b) => b.to - b.from - a.to + a.from);
  return first;
}

/** What stands in the place of a text that is a part of a secret, letter case aside. */
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

/** The turn that makes most of the text out of the original. A letter is itself or turned, so that is at least one. */
function longestTurn(original: string, text: string): readonly [name: string, length: number] {
  const fits = TURNS.map(([name, turn]) => {
    const turned = turn(original);
    let length = 0;
    while (length < text.length && turned[length] === text[length]) length += 1;
    return [name, length] as const;
  });
  return fits.reduce((best, one) => (one[1] > best[1] ? one : best));
}

/** ASCII letters in lower case: length and places stay. */
function fold(text: string): string {
  return text.replace(/[A-Z]/g, (letter) => letter.toLowerCase());
}
