import { type Change, parameter, row, type Variation } from "./draft.ts";
import { percent, words } from "./values.ts";

/** The query as a whole (D5). */

const each =
  (change: (text: string) => string): Change =>
  (draft) => {
    draft.query = draft.query.map(change);
  };
const halves = (text: string, change: (half: string) => string) => text.split("=").map(change).join("=");
const readable = (text: string) => {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
};

export const query: readonly Variation[] = [
  row("query", "parameters reversed", (draft) => void draft.query.reverse()),
  row(
    "query",
    "@ as %40",
    each((text) => text.replace(/^@/, "%40")),
  ),
  row(
    "query",
    "escaped",
    each((text) => halves(text, (half) => percent(readable(half)))),
  ),
  row(
    "query",
    "escaped in capitals",
    each((text) => halves(text, (half) => percent(readable(half)).toUpperCase())),
  ),
  row(
    "query",
    "a plus at each end",
    each((text) => `${text}+`),
  ),
  row(
    "query",
    "1,100 parameters",
    (draft) => void draft.query.push(...Array.from({ length: 1100 }, (_, n) => n.toString(36))),
  ),
  ...parameter("query", [
    "",
    ...words(
      "% %z %zz %4 %f %ff %c3 %c0%af %ed%a0%80 %f4%90%80%80 + = =x x x= a=b;c=d [] x[]=1 __proto__=1 %00=1 x=%C3%A9",
    ),
    ...words(
      "x=%25 x=%zz x=%ff x=1&x=1 x=1&x=2 x&x a+b=1&a%20b=1 a+b=1&a%2Bb=1 =1&=2 %C3%A9=1&%c3%a9=2 limit=1&limit=1",
    ),
    "constructor=1&constructor=1",
  ]),
];
