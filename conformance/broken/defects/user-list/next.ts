import { caught } from "../../caught.ts";
import type { Defect, ProxyAnswer, ProxyRequest } from "../../defect.ts";
import { header, jsonAnswer, operationOf, queryOf } from "../../look.ts";
import { withAddedHeader, withHeader, withJson, withoutHeader, withQuery } from "../../shape.ts";
import { answerOf, answersWith } from "../../when.ts";
import { both } from "./words.ts";

const area = "user.list";

const nextOf = (answer: ProxyAnswer): string | null => {
  const next = jsonAnswer(answer)?.nextCursor;
  return typeof next === "string" ? next : null;
};

const countOf = (answer: ProxyAnswer): number => {
  const items = jsonAnswer(answer)?.items;
  return Array.isArray(items) ? items.length : 0;
};

const withoutNext = (answer: ProxyAnswer) =>
  withoutHeader(
    withJson(answer, ({ nextCursor: _, ...json }) => json),
    "Link",
  );
const withNext = (answer: ProxyAnswer, nextCursor: string) => withJson(answer, (json) => ({ ...json, nextCursor }));

const defect = (
  id: string,
  description: string,
  catches: readonly string[],
  reason: RegExp,
  answer: NonNullable<Defect["answer"]>,
) =>
  caught(`user.list/${id}`, description, catches, reason, { answer: answerOf("user.list", answersWith(200, answer)) });

const linking =
  (change: (link: string, request: ProxyRequest) => string): NonNullable<Defect["answer"]> =>
  (answer, request) => {
    const link = header(answer, "Link");
    return link === null ? answer : withHeader(answer, "Link", change(link, request));
  };

const limitOf = (request: ProxyRequest) => Number(queryOf(request).get("limit") ?? 50);
const next = both("user.list/next#each-limit", "user.list/next#to-the-end");
const leadsOn = both("user.list/link#leads-on");
const allLinks = [...leadsOn, ...both("user.list/link#mixed-placements", "user.list/link#last-page")];

export const nextDefects: readonly Defect[] = [
  defect(
    "next-on-full-page",
    "Has a nextCursor whenever a page is full.",
    next,
    /no nextCursor|expected 200/,
    (answer, request) =>
      nextOf(answer) === null && countOf(answer) === limitOf(request) ? withNext(answer, "AAAA") : answer,
  ),
  defect("next-always", "Has a nextCursor on every page.", next, /no nextCursor|expected 200/, (answer) =>
    nextOf(answer) === null ? withNext(answer, queryCursor(answer)) : answer,
  ),
  defect(
    "next-never",
    "Has no nextCursor.",
    [...next, ...both("user.list/walk#any-limit")],
    /nextCursor|users|items/,
    withoutNext,
  ),
  defect(
    "next-not-for-one",
    "Forgets the last user when he would be alone on a page.",
    [...next, ...both("user.list/walk#from-the-end")],
    /nextCursor|once/,
    async (answer, request, { forward }) => {
      const cursor = nextOf(answer);
      if (cursor === null) return answer;
      const following = await forward(
        withQuery(request, (query) => {
          query.set("cursor", cursor);
          query.set("limit", "1");
        }),
      );
      return nextOf(following) === null ? withoutNext(answer) : answer;
    },
  ),
  defect("link-absent", "Sends no Link.", allLinks, /Link/, (answer) => withoutHeader(answer, "Link")),
  defect(
    "link-always",
    "Sends a Link on the last page too.",
    [...both("user.list/link#last-page")],
    /last page/,
    (answer) =>
      header(answer, "Link") === null ? withAddedHeader(answer, "Link", '<?@=user.list>; rel="next"') : answer,
  ),
  defect(
    "link-other-relation",
    "Calls the relation something else.",
    allLinks,
    /Link/,
    linking((link) => link.replace("next", "following")),
  ),
  defect(
    "link-without-cursor",
    "Leads to the first page again.",
    allLinks,
    /behind Link|page/,
    linking((link) => link.replace(/&cursor=[^>&]*/, "")),
  ),
  defect(
    "link-without-limit",
    "Leads to a page of the default size.",
    [...leadsOn, ...both("user.list/link#mixed-placements")],
    /behind Link/,
    linking((link) => link.replace(/&limit=\d+/, "&limit=3")),
  ),
  defect(
    "link-to-nowhere",
    "Leads to a path that is not served.",
    allLinks,
    /following Link|200/,
    linking((link) => link.replace("<?", "<users?")),
  ),
  defect(
    "link-to-localhost",
    "Leads to the address that the process listens on.",
    allLinks,
    /a link to|relative/,
    linking((link) => link.replace("<?", "<http://localhost:3000/api/?")),
  ),
  defect(
    "link-without-operation",
    "Leaves the operation out.",
    allLinks,
    /following Link|200/,
    linking((link) => link.replace("@=user.list&", "")),
  ),
  defect(
    "link-with-platform",
    "Keeps the platform of the query in Link.",
    allLinks,
    /without credentials/,
    linking((link, request) =>
      queryOf(request).has("X-PLATFORM")
        ? link.replace(">", `&X-PLATFORM=${queryOf(request).get("X-PLATFORM")}>`)
        : link,
    ),
  ),
  defect(
    "link-with-header-key",
    "Puts the key of the header into Link.",
    [...leadsOn, ...both("user.list/link#mixed-placements")],
    /without credentials|without the key/,
    linking((link, request) =>
      header(request, "X-API-KEY") ? link.replace(">", `&k=${header(request, "X-API-KEY")}>`) : link,
    ),
  ),
  defect(
    "page-loses-one",
    "Loses the first user of every later page.",
    [...both("user.list/walk#any-limit", "user.list/walk#from-the-end"), "user.list/walk#while-created"],
    /users|once|end/,
    (answer, request) =>
      queryOf(request).has("cursor")
        ? withJson(answer, (json) => ({ ...json, items: Array.isArray(json.items) ? json.items.slice(1) : [] }))
        : answer,
  ),
  {
    id: "user.list/offset-shifted",
    area,
    description: "Pages by number: a page after a user was created has lost one.",
    requirements: ["user.list/walk"],
    catches: ["user.list/walk#while-created"],
    reason: /once/,
    answer: (answer, request, { state }) => {
      if (operationOf(request) === "user.create" && answer.status === 201) state.set("created", true);
      if (operationOf(request) !== "user.list" || answer.status !== 200 || !queryOf(request).has("cursor"))
        return answer;
      const shifted = state.delete("created");
      return shifted
        ? withJson(answer, (json) => ({ ...json, items: Array.isArray(json.items) ? json.items.slice(1) : [] }))
        : answer;
    },
  },
  defect(
    "same-day-one",
    "Pages by the day of creation: of users of the same day a page shows one.",
    ["user.list/walk#while-created"],
    /once|users/,
    (answer) =>
      withJson(answer, (json) => {
        const seen = new Set<unknown>();
        const items = Array.isArray(json.items) ? json.items : [];
        const kept = items.filter((item: { createdAt?: unknown }) => {
          const day = String(item.createdAt).slice(0, 10);
          return !seen.has(day) && seen.add(day);
        });
        return { ...json, items: kept };
      }),
  ),
];

/** A cursor of one's own making. */
function queryCursor(answer: ProxyAnswer): string {
  return Buffer.from(String(countOf(answer))).toString("base64url");
}
