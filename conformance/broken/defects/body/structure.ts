import type { Defect } from "../../defect.ts";
import { isObject, type JsonObject } from "../../look.ts";
import { respondProblem, withJson, withJsonBody } from "../../shape.ts";
import { depthOf, parse, rewriting, textOf } from "./words.ts";

const PROTO = "__proto__";

/** The value without the member, at every depth. */
function cleaned(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(cleaned);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).flatMap(([name, member]) => (name === PROTO ? [] : [[name, cleaned(member)]])),
  );
}

/** The object with what its prototype would lend it. */
function inheriting(value: unknown): unknown {
  if (!isObject(value)) return value;
  const own: JsonObject = Object.fromEntries(Object.entries(value).filter(([name]) => name !== PROTO));
  const lent = Object.entries(value).find(([name]) => name === PROTO)?.[1];
  return { ...(isObject(lent) ? lent : {}), ...own };
}

const proto: readonly Defect[] = [
  {
    id: "proto/removed",
    area: "proto",
    description: "Removes members `__proto__` in place of refusing them.",
    requirements: ["http/proto-member"],
    catches: ["http/proto-member#refused"],
    reason: /400/,
    request: (request) => withJsonBody(request, cleaned),
  },
  {
    id: "proto/inherited",
    area: "proto",
    description: "Finds required members in what `__proto__` lends.",
    requirements: ["http/proto-member"],
    catches: ["http/proto-member#refused"],
    reason: /400/,
    request: (request) =>
      withJsonBody(request, (body) => {
        const whole = inheriting(body);
        return isObject(whole) && isObject(whole.data) ? { ...whole, data: inheriting(whole.data) } : whole;
      }),
  },
  {
    id: "proto/escapes-missed",
    area: "proto",
    description: "Looks for `__proto__` in the text only, where it may be escaped.",
    requirements: ["http/proto-member"],
    catches: ["http/proto-member#refused"],
    reason: /400 .*escaped/,
    request: (request) => (textOf(request).includes(`"${PROTO}"`) ? request : withJsonBody(request, cleaned)),
  },
  {
    id: "proto/top-level-only",
    area: "proto",
    description: "Looks for `__proto__` among the members of the body only.",
    requirements: ["http/proto-member"],
    catches: ["http/proto-member#refused"],
    reason: /400 .*data/,
    request: (request) =>
      withJsonBody(request, (body) => (Object.hasOwn(body, PROTO) ? body : { ...body, data: cleaned(body.data) })),
  },
  {
    id: "proto/value-refused",
    area: "proto",
    description: "Refuses `__proto__` as a value too.",
    requirements: ["http/proto-member"],
    catches: ["http/proto-member#as-a-value"],
    reason: /422/,
    request: (request) => (textOf(request).includes(PROTO) ? respondProblem(400, "malformed-json") : request),
  },
  {
    id: "proto/replaced-refused",
    area: "proto",
    description: "Looks for members `__proto__` in the text, where a later member may have replaced them.",
    requirements: ["http/proto-member"],
    catches: ["http/proto-member#as-a-value"],
    reason: /422 .*replaces/,
    request: (request) => (/"__proto__":/.test(textOf(request)) ? respondProblem(400, "malformed-json") : request),
  },
  {
    id: "proto/constructor-refused",
    area: "proto",
    description: "Refuses members called `constructor` or `prototype` as malformed.",
    requirements: ["http/proto-member"],
    catches: ["http/proto-member#only-that-name"],
    reason: /422/,
    request: (request) =>
      /"(?:constructor|prototype)"/.test(textOf(request)) ? respondProblem(400, "malformed-json") : request,
  },
  {
    id: "proto/prototype-of-constructor-refused",
    area: "proto",
    description: "Refuses a `constructor` that holds `prototype` as malformed, as its parser does unless told.",
    requirements: ["http/proto-member"],
    catches: ["http/proto-member#only-that-name"],
    reason: /422 .*prototype/,
    request: (request) =>
      /"constructor":\{"prototype":/.test(textOf(request)) ? respondProblem(400, "malformed-json") : request,
  },
  {
    id: "proto/value-of-operation-missed",
    area: "proto",
    description: "Looks for `__proto__` only when `@` names an operation.",
    requirements: ["http/proto-member"],
    catches: ["http/proto-member#refused"],
    reason: /value of @/,
    request: (request) => (textOf(request).startsWith('{"@":{') ? respondProblem(400, "operation-missing") : request),
  },
  {
    id: "proto/pollutes",
    area: "proto",
    description: "Merges the body into an object: later answers have members of an earlier request.",
    requirements: ["http/proto-member"],
    catches: ["http/proto-member#changes-no-later-answer"],
    reason: /members of an earlier request/,
    request: (request, { state }) => {
      if (/"(?:__proto__|prototype)":\{"polluted"/.test(textOf(request))) state.set("polluted", "yes");
      return request;
    },
    answer: (answer, _request, { state }) =>
      state.has("polluted") ? withJson(answer, (json) => ({ ...json, polluted: state.get("polluted") })) : answer,
  },
];

const nesting: readonly Defect[] = [
  {
    id: "nesting/15-levels",
    area: "nesting",
    description: "Reads 15 levels only.",
    requirements: ["http/nesting"],
    catches: ["http/nesting#16-levels"],
    reason: /422/,
    request: (request) => (depthOf(textOf(request)) > 15 ? respondProblem(400, "malformed-json") : request),
  },
  {
    id: "nesting/17-levels",
    area: "nesting",
    description: "Reads 17 levels.",
    requirements: ["http/nesting"],
    catches: ["http/nesting#17-levels"],
    reason: /400/,
    request: rewriting((text) => (depthOf(text) === 17 ? '{"@":"user.create","data":{"a":1}}' : text)),
  },
  {
    id: "nesting/unlimited",
    area: "nesting",
    description: "Reads any depth.",
    requirements: ["http/nesting"],
    catches: ["http/nesting#17-levels", "http/nesting#very-deep"],
    reason: /400/,
    request: rewriting((text) =>
      depthOf(text) > 16 && parse(text) !== undefined ? '{"@":"user.create","data":{"a":1}}' : text,
    ),
  },
  {
    id: "nesting/arrays-not-counted",
    area: "nesting",
    description: "Counts objects and not arrays.",
    requirements: ["http/nesting"],
    catches: ["http/nesting#17-levels"],
    reason: /400 .*arrays/,
    request: rewriting((text) => {
      const objects = depthOf(text.replace(/[[\]]/g, ""));
      return depthOf(text) > 16 && objects <= 16 ? '{"@":"user.create","data":{"a":1}}' : text;
    }),
  },
  {
    id: "nesting/of-the-value",
    area: "nesting",
    description: "Counts the levels of the value, not of the text.",
    requirements: ["http/nesting"],
    catches: ["http/nesting#17-levels"],
    reason: /400 .*replaces/,
    request: rewriting((text) => {
      const value = depthOf(text) === 17 ? JSON.stringify(parse(text)) : text;
      return value !== undefined && depthOf(value) <= 16 ? value : text;
    }),
  },
  {
    id: "nesting/data-only",
    area: "nesting",
    description: "Counts from data on, and so one level less.",
    requirements: ["http/nesting"],
    catches: ["http/nesting#17-levels"],
    reason: /400/,
    request: rewriting((text) =>
      depthOf(text) === 17 && /^\{"@":"user.create","data":/.test(text) ? '{"@":"user.create","data":{"a":1}}' : text,
    ),
  },
  {
    id: "nesting/strings-counted",
    area: "nesting",
    description: "Counts brackets in strings too.",
    requirements: ["http/nesting"],
    catches: ["http/nesting#counts-levels-only"],
    reason: /422/,
    request: (request) =>
      depthOf(textOf(request).replaceAll('"', "")) > 16 ? respondProblem(400, "malformed-json") : request,
  },
  {
    id: "nesting/backslashes-misread",
    area: "nesting",
    description: "Takes the quote behind an escaped backslash for a part of the string.",
    requirements: ["http/nesting"],
    catches: ["http/nesting#17-levels"],
    reason: /400 .*backslash/,
    request: rewriting((text) =>
      depthOf(text) > 16 && depthOf(text.replaceAll("\\\\", "\\")) <= 16 ? '{"@":"user.create","data":{"a":1}}' : text,
    ),
  },
  {
    id: "nesting/siblings-counted",
    area: "nesting",
    description: "Counts brackets in place of levels.",
    requirements: ["http/nesting"],
    catches: ["http/nesting#counts-levels-only"],
    reason: /422/,
    request: (request) =>
      textOf(request)
        .replace(/"[^"]*"/g, "")
        .split(/[{[]/).length > 50
        ? respondProblem(400, "malformed-json")
        : request,
  },
  {
    id: "nesting/overflows",
    area: "nesting",
    description: "Runs out of stack on a very deep body.",
    requirements: ["http/nesting", "errors/never-500"],
    catches: ["http/nesting#very-deep"],
    reason: /400/,
    request: (request) => (depthOf(textOf(request)) > 5000 ? respondProblem(500, "internal-error") : request),
  },
];

export const structureDefects: readonly Defect[] = [...proto, ...nesting];
