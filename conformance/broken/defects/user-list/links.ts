import type { Defect, ProxyRequest } from "../../defect.ts";
import { jsonAnswer, queryOf } from "../../look.ts";
import { withoutHeader } from "../../shape.ts";
import { answerOf } from "../../when.ts";
import { both, defect } from "./words.ts";

const leadsOn = both("user.list/link#leads-on");

/** Sends no Link with some of the pages. */
const lacking = (
  id: string,
  description: string,
  catches: readonly string[],
  test: (request: ProxyRequest) => boolean,
): Defect =>
  defect(id, description, catches, /Link/, {
    answer: answerOf("user.list", (answer, request) => (test(request) ? withoutHeader(answer, "Link") : answer)),
  });

export const linkDefects: readonly Defect[] = [
  lacking(
    "link-not-by-default",
    "Sends no Link with a page of the default size.",
    [...leadsOn, "user.list/link#default-page"],
    (request) => !queryOf(request).has("limit"),
  ),
  lacking("link-not-to-head", "Sends no Link to HEAD.", both("user.list/link#head"), ({ method }) => method === "HEAD"),
  defect("link-on-two-pages", "Sends no Link with the third page.", both("user.list/link#page-by-page"), /Link/, {
    answer: answerOf("user.list", (answer, request, { state }) => {
      const page = Number(state.get(queryOf(request).get("cursor") ?? "") ?? 0) + 1;
      const next = jsonAnswer(answer)?.nextCursor;
      if (typeof next === "string") state.set(next, page);
      return page > 2 ? withoutHeader(answer, "Link") : answer;
    }),
  }),
];
