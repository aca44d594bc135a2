import { caught } from "../../caught.ts";
import type { Defect, ProxyAnswer, ProxyRequest } from "../../defect.ts";
import { pathOf } from "../../look.ts";
import { respondProblem, withHeader, withQuery } from "../../shape.ts";

const unknown = respondProblem(404, "path-not-found");

const dots = (
  id: string,
  description: string,
  variants: readonly string[],
  reason: RegExp,
  hooks: Pick<Defect, "answer" | "request">,
) =>
  caught(
    `http/dots-${id}`,
    description,
    variants.map((name) => `http/dot-segments${name}`),
    reason,
    hooks,
  );

/** Has another answer where the path has this in it. */
const at = (
  pattern: RegExp,
  answer: (request: ProxyRequest) => ProxyRequest | ProxyAnswer,
): Pick<Defect, "request"> => ({
  request: (request) => (pattern.test(pathOf(request)) ? answer(request) : request),
});

export const dotSegmentDefects: readonly Defect[] = [
  dots(
    "kept",
    "Takes dot segments for names.",
    [""],
    /200|400|401|308/,
    at(/\/\.\.?(?:\/|$)/, () => unknown),
  ),
  dots(
    "refused",
    "Takes every path that climbs for an attack.",
    [""],
    /200|400|401|308/,
    at(/\/\.\.(?:\/|$)/, () => respondProblem(403, "path-not-found")),
  ),
  dots(
    "one",
    "Removes one name only.",
    ["#endpoint"],
    /200/,
    at(/\/\.\..*\/\.\./, () => unknown),
  ),
  dots(
    "at-the-end",
    "Sees no dot segment at the end.",
    ["#endpoint", "#other-paths"],
    /200/,
    at(/\/\.\.?$/, () => unknown),
  ),
  dots(
    "single-dots",
    "Removes `..` alone.",
    ["#endpoint", "#other-paths"],
    /200/,
    at(/\/\.(?:\/|$)/, () => unknown),
  ),
  dots(
    "of-known-names",
    "Removes names of operations alone.",
    ["#endpoint", "#other-paths"],
    /200/,
    at(/\/x\/|\.\.\/api/, () => unknown),
  ),
  dots("choose", "Takes the operation from the path that its own contract publishes.", ["#choose-nothing"], /400/, {
    request: (request) => {
      const [, name = ""] = /^\/api\/([^/]+)\/\.\.\/$/.exec(pathOf(request)) ?? [];
      return name === "" ? request : withQuery(request, (query) => query.has("@") || query.set("@", name));
    },
  }),
  dots("by-get", "Removes dot segments of GET alone.", ["#every-method"], /401|200|204/, {
    request: (request) => (request.method !== "GET" && pathOf(request).includes("/../") ? unknown : request),
  }),
  dots(
    "redirected-astray",
    "Redirects to a place beside the path that it was asked for.",
    ["#other-paths"],
    /redirect/,
    {
      answer: (answer, request) =>
        answer.status === 308 ? withHeader(answer, "Location", `../${request.target.slice(1)}`) : answer,
    },
  ),
];
