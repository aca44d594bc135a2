import type { Difference } from "../exchange.ts";

/** The words of a finding. */

const MOST = 200;
/** Characters of an excerpt before the place that it shows. */
const BEFORE = 60;
/** What a key may hold, in any spelling. */
const INNER = /[^\s"'<>(){}[\],;:&?=]/;

/**
 * Part of a text that shows the place `at`. A cut goes through no word: a report replaces keys, and
 * would not recognise half of one.
 */
export function excerpt(text: string, index = 0): string {
  const isInner = (place: number) =>
    INNER.test(text.charAt(place - 1)) && INNER.test(text.charAt(place));
  let from = index < MOST - BEFORE ? 0 : index - BEFORE;
  let to = Math.min(text.length, from + MOST);
  while (from < to && isInner(from)) from += 1;
  while (from < to && isInner(to)) to -= 1;
  if (from === to && text !== "") return `${text.length} characters`;
  const [before, after] = [from > 0 ? "…" : "", to < text.length ? "…" : ""];
  return before + JSON.stringify(text.slice(from, to)) + after;
}

/** `aspect`: `status`, `header:location`, `body`, `body:/items/0/id`. */
export const differs = (aspect: string, expected: string, actual: string): Difference => ({
  aspect,
  expected,
  actual,
});

/** Where two texts differ. */
export function firstDifference(
  aspect: string,
  text: string,
  otherText: string,
  what = "",
): Difference {
  let index = 0;
  while (index < text.length && text[index] === otherText[index]) index += 1;
  const [expected, actual] = [excerpt(text, index), excerpt(otherText, index)];
  // Nothing of a long word is shown.
  if (expected === actual)
    return differs(aspect, what + expected, `others from character ${index + 1} on: ${actual}`);
  return differs(aspect, what + expected, actual);
}

/** The first difference of a list, where nothing may be wrong with any of its items. */
export function firstOf<Item>(
  items: Iterable<Item>,
  check: (item: Item) => Difference | null,
): Difference | null {
  for (const item of items) {
    const difference = check(item);
    if (difference) return difference;
  }
  return null;
}

/** A part of a response as text, with the aspect of a finding about it. */
export type Part = readonly [aspect: string, text: string];

/** The first part that has one of these words, in lower case, in any letter case. */
export const withWord = (parts: readonly Part[], words: readonly string[], expected: string) =>
  firstOf(parts, ([aspect, text]) =>
    words.some((word) => text.toLowerCase().includes(word))
      ? differs(aspect, expected, excerpt(text))
      : null,
  );
