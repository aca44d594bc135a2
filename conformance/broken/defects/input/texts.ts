import type { Defect } from "../../defect.ts";
import { respondProblem } from "../../shape.ts";
import { rewriting, textOf } from "../body/words.ts";
import { withParameter } from "./words.ts";

const integers = {
  area: "integers",
  requirements: ["input/integers"],
  catches: ["input/integers#user.list-limit", "input/integers#user.list-limit-literal"],
  reason: /422/,
};
const duplicates = { area: "duplicates", requirements: ["input/last-duplicate"] };

/** A limit as this reads it, where it is at least 1. */
const limitAs = (read: (text: string) => number) =>
  withParameter("limit", (text) => {
    const value = read(text);
    return Number.isInteger(value) && value >= 1 && value <= 200 ? String(value) : text;
  });

/** Whether an object of the body has a member twice, by the look of its text. */
const hasDuplicate = (text: string) =>
  /"@":.*"(?:@|\\u0040)":|"data":.*"d(?:a|\\u0061)ta":|"name":[^{}]*"n(?:a|\\u0061)me":|"email":[^{}]*"email":/s.test(
    text,
  );

export const textDefects: readonly Defect[] = [
  {
    ...integers,
    id: "input/integers-as-number",
    description: "Reads integers with Number(): blanks, signs, exponents and all.",
    request: limitAs(Number),
  },
  {
    ...integers,
    id: "input/integers-as-parse-int",
    description: "Reads integers with parseInt(), and what follows them not at all.",
    request: limitAs((text) => Number.parseInt(text, 10)),
  },
  {
    ...integers,
    id: "input/integers-trimmed",
    description: "Strips blanks around integers.",
    request: limitAs((text) => (/^\s*[1-9]\d*\s*$/.test(text) ? Number(text) : Number.NaN)),
  },
  {
    ...integers,
    id: "input/integers-rounded",
    description: "Rounds decimals.",
    request: limitAs((text) => (/^\d+\.\d*$/.test(text) ? Math.ceil(Number(text)) : Number.NaN)),
  },
  {
    ...integers,
    id: "input/integers-any-digits",
    description: "Reads the digits of every script.",
    request: limitAs((text) =>
      /^\p{Nd}+$/u.test(text)
        ? Number([...text].map((digit) => (digit.codePointAt(0) ?? 0) & 0xf).join(""))
        : Number.NaN,
    ),
  },
  {
    ...integers,
    id: "input/integers-clamped",
    description: "Takes 1 for a negative limit.",
    request: withParameter("limit", (text) => (/^-\d+$/.test(text) ? "1" : text)),
  },
  {
    ...integers,
    id: "input/integers-leading-zeros",
    description: "Takes leading zeros.",
    catches: ["input/integers#user.list-limit"],
    request: limitAs((text) => (/^0+[1-9]$/.test(text) ? Number(text) : Number.NaN)),
  },
  {
    ...integers,
    id: "input/bad-integers-defaulted",
    description: "Takes the default for what is no integer.",
    requirements: ["input/integers", "errors/parameter"],
    catches: [...integers.catches, "errors/parameter#user.list-limit"],
    request: withParameter("limit", (text) => (/^\d+$/.test(text) ? text : null)),
  },
  {
    area: "empty",
    id: "input/empty-limit-absent",
    description: "Takes an empty limit for an absent one.",
    requirements: ["input/empty-is-not-absent", "input/integers"],
    catches: ["input/empty-is-not-absent#user.list-limit", "input/integers#user.list-limit"],
    reason: /422/,
    request: withParameter("limit", (text) => (text === "" ? null : text)),
  },
  {
    area: "empty",
    id: "input/empty-cursor-absent",
    description: "Takes an empty cursor for an absent one.",
    requirements: ["input/empty-is-not-absent"],
    catches: ["input/empty-is-not-absent#cursor"],
    reason: /an empty cursor refused/,
    request: withParameter("cursor", (text) => (text === "" ? null : text)),
  },
  {
    area: "empty",
    id: "input/bare-name-absent",
    description: "Drops a parameter without =.",
    requirements: ["input/empty-is-not-absent"],
    catches: ["input/empty-is-not-absent#cursor", "input/empty-is-not-absent#user.list-limit"],
    reason: /422|refused/,
    request: (request) => {
      const target = request.target.replace(/&(?:limit|cursor)(?=&|$)/g, "");
      return target === request.target ? request : { ...request, target };
    },
  },
  {
    ...duplicates,
    id: "input/duplicates-refused",
    description: "Refuses a body with a member twice as malformed.",
    catches: ["input/last-duplicate"],
    reason: /422|201|404/,
    request: (request) =>
      request.method === "POST" && hasDuplicate(textOf(request)) ? respondProblem(400, "malformed-json") : request,
  },
  {
    ...duplicates,
    id: "input/first-member-counts",
    description: "Takes the first of members with the same name.",
    catches: ["input/last-duplicate#last-is-judged", "input/last-duplicate#last-counts"],
    reason: /422|201|the last/,
    request: rewriting((text) =>
      text.replace(/("(name|email)":(?:"[^"]*"|\d+)[^{}]*),"(?:\2|n\\u0061me)":(?:"[^"]*"|\d+)/g, "$1"),
    ),
  },
  {
    ...duplicates,
    id: "input/first-data-counts",
    description: "Takes the first of two data.",
    catches: ["input/last-duplicate#last-is-judged", "input/last-duplicate#last-data-counts"],
    reason: /422|201|the last/,
    request: rewriting((text) =>
      text.replace(/("data":\{[^{}]*\})(?:,"d(?:a|\\u0061)ta":(?:\{[^{}]*\}|\[\]|null))+/, "$1"),
    ),
  },
  {
    ...duplicates,
    id: "input/first-operation-counts",
    description: "Takes the first of two @.",
    catches: ["input/last-duplicate#operation", "input/last-duplicate#last-data-counts"],
    reason: /404|201/,
    request: rewriting((text) => text.replace(/^(\{"@":"[^"]*".*),"@":"[^"]*"/s, "$1")),
  },
];
