import type { Defect, ProxyAnswer, ProxyRequest } from "../../defect.ts";
import { jsonAnswer } from "../../look.ts";
import { withJson, withQuery } from "../../shape.ts";
import { answerOf, requestOf } from "../../when.ts";

const area = "user.list";

/** Both of a check: with users of its own, and as it is. */
export const both = (...ids: readonly string[]): readonly string[] => ids.flatMap((id) => [id, `${id}-as-it-is`]);

export const itemsOf = (answer: ProxyAnswer): readonly unknown[] => {
  const items = jsonAnswer(answer)?.items;
  return answer.status === 200 && Array.isArray(items) ? items : [];
};

/** Pages with other items. */
export const withItems = (
  change: (items: readonly unknown[], request: ProxyRequest) => readonly unknown[],
): NonNullable<Defect["answer"]> =>
  answerOf("user.list", (answer, request) =>
    answer.status === 200 ? withJson(answer, (json) => ({ ...json, items: change(itemsOf(answer), request) })) : answer,
  );

/** Reads the limit in a way of its own. */
export const limited = (change: (limit: string | null) => string | null): NonNullable<Defect["request"]> =>
  requestOf("user.list", (request) =>
    withQuery(request, (query) => {
      const limit = change(query.get("limit"));
      if (limit === null) query.delete("limit");
      else query.set("limit", limit);
    }),
  );

export const defect = (
  id: string,
  description: string,
  catches: readonly string[],
  reason: RegExp,
  hooks: Pick<Defect, "request" | "answer">,
): Defect => ({
  id: `user.list/${id}`,
  area,
  description,
  requirements: [...new Set(catches.map((check) => check.replace(/#.*/, "")))],
  catches,
  reason,
  ...hooks,
});
