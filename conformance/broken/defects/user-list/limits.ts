import type { Defect } from "../../defect.ts";
import { withQuery } from "../../shape.ts";
import { answerOf, requestOf } from "../../when.ts";
import { both, defect, limited } from "./words.ts";

const spellings = "user.list/limit-range#spellings";
const everyPage = both("user.list/limit#first-page", "user.list/limit#later-pages");
const invalidLimit = /422/;

/** What takes a limit that is none for one that is. */
const lenient = (id: string, description: string, read: (limit: string) => string): Defect =>
  defect(`limit-${id}`, description, [spellings], invalidLimit, {
    request: limited((limit) => (limit === null ? null : read(limit))),
  });

const within = (limit: number) => String(Math.min(200, Math.max(1, Math.trunc(limit) || 1)));

export const limitDefects: readonly Defect[] = [
  ...[20, 49, 51, 100].map((size) =>
    defect(
      `default-${size}`,
      `Has ${size} users on a page by default.`,
      [...both("user.list/limit-default#at-most-50"), "user.list/limit-default#more-than-a-page"],
      /limit|items/,
      {
        request: limited((limit) => limit ?? String(size)),
      },
    ),
  ),
  defect(
    "default-all",
    "Has as many users as there are on a page by default.",
    [...both("user.list/limit-default#at-most-50"), "user.list/limit-default#more-than-a-page"],
    /items|limit/,
    {
      request: limited((limit) => limit ?? "200"),
    },
  ),
  defect("limit-one-more", "Gives one user more than asked for.", everyPage, /items/, {
    request: limited((limit) => (limit && Number(limit) < 200 ? within(Number(limit) + 1) : limit)),
  }),
  defect("limit-one-less", "Gives one user less than asked for.", both("user.list/limit#first-page"), /items/, {
    request: limited((limit) => (limit && Number(limit) > 1 ? within(Number(limit) - 1) : limit)),
  }),
  defect(
    "limit-capped-at-50",
    "Gives 50 users at most, whatever is asked for.",
    ["user.list/limit#more-than-default", ...both("user.list/limit#first-page")],
    /items|users/,
    { request: limited((limit) => (limit && Number(limit) > 50 && Number(limit) <= 200 ? "50" : limit)) },
  ),
  defect(
    "limit-name-undecoded",
    "Looks for the names of parameters before their escapes are undone, and ignores what it does not find.",
    both("user.list/limit#first-page"),
    /items/,
    {
      request: requestOf("user.list", (request) =>
        /[?&](?:%6C|limi%)/.test(request.target) ? withQuery(request, (query) => query.delete("limit")) : request,
      ),
    },
  ),
  defect("limit-two-at-least", "Gives two users at least.", everyPage, /items/, {
    request: limited((limit) => (limit === "1" ? "2" : limit)),
  }),
  defect(
    "limit-on-first-page-only",
    "Forgets the limit on later pages.",
    both("user.list/limit#later-pages"),
    /items/,
    {
      request: requestOf("user.list", (request) =>
        withQuery(request, (query) => (query.has("cursor") ? query.delete("limit") : undefined)),
      ),
    },
  ),
  defect("limit-200-refused", "Takes 199 at most.", [spellings, ...everyPage], /200/, {
    request: limited((limit) => (limit === "200" ? "201" : limit)),
  }),
  defect("limit-1-refused", "Takes 2 at least.", [spellings, ...everyPage], /200/, {
    request: limited((limit) => (limit === "1" ? "0" : limit)),
  }),
  lenient("clamped", "Takes the nearest limit that is allowed.", (limit) =>
    /^-?\d+$/.test(limit) ? within(Number(limit)) : limit,
  ),
  lenient("201-accepted", "Takes 201.", (limit) => (limit === "201" ? "200" : limit)),
  lenient("0-accepted", "Takes 0 for no limit.", (limit) => (limit === "0" ? "200" : limit)),
  lenient("large-accepted", "Takes any large limit.", (limit) => (/^\d+$/.test(limit) ? within(Number(limit)) : limit)),
  lenient("negative-accepted", "Takes the amount of a negative limit.", (limit) => limit.replace(/^-(?=[1-9])/, "")),
  lenient("parsed-int", "Reads a limit with parseInt.", (limit) => String(Number.parseInt(limit, 10))),
  lenient("number", "Reads a limit with Number.", (limit) => String(Number(limit))),
  lenient("empty", "Takes an empty limit for none.", (limit) => (limit === "" ? "50" : limit)),
  lenient("trimmed", "Trims a limit.", (limit) => limit.trim()),
  lenient("leading-zero", "Takes a leading zero.", (limit) => limit.replace(/^0+(?=\d)/, "")),
  lenient("fraction", "Cuts a fraction off.", (limit) => limit.replace(/^(\d+)\.\d+$/, "$1")),
  lenient("32-bit", "Reads a limit as 32 bits.", (limit) => (/^\d+$/.test(limit) ? within(Number(limit) | 0) : limit)),
  lenient("plus", "Takes a sign.", (limit) => limit.replace(/^\+/, "")),
  lenient("list", "Takes the first of a list.", (limit) => limit.replace(/,.*/, "")),
  lenient("words", "Falls back to the default for what is no number.", (limit) =>
    /^[a-z]+$/i.test(limit) ? "50" : limit,
  ),
  lenient("digits", "Takes the digits of any script.", (limit) => limit.normalize("NFKC")),
  lenient("control", "Cuts control characters off.", (limit) => limit.replace(/\p{Cc}/gu, "")),
  defect(
    "limit-with-cursor-not-judged",
    "Judges no limit beside a cursor.",
    ["user.list/limit-range#with-cursor"],
    invalidLimit,
    {
      request: requestOf("user.list", (request) =>
        withQuery(request, (query) => {
          if (query.has("cursor") && !/^[1-9]\d{0,2}$/.test(query.get("limit") ?? "1")) query.delete("limit");
          if (query.has("cursor") && Number(query.get("limit")) > 200) query.set("limit", "200");
        }),
      ),
    },
  ),
  defect("limit-is-400", "Refuses a limit with 400.", ["user.list/limit-range"], invalidLimit, {
    answer: answerOf("user.list", (answer) => (answer.status === 422 ? { ...answer, status: 400 } : answer)),
  }),
];
