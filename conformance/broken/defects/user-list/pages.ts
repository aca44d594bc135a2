import type { Defect, ProxyAnswer } from "../../defect.ts";
import { isObject, jsonAnswer, jsonBody, operationOf, queryOf } from "../../look.ts";
import { letIn, withJson } from "../../shape.ts";
import { answerOf, requestOf } from "../../when.ts";
import { both, defect, itemsOf, withItems } from "./words.ts";

const everyItem = (change: (item: Record<string, unknown>) => unknown) =>
  withItems((items) => items.map((item) => (isObject(item) ? change(item) : item)));

const documented = /as documented/;
const page = both("user.list/page#documented");
const created = "user.list/page#created";

const memberOf = (item: unknown, name: string) => (isObject(item) ? String(item[name]) : "");

export const pageDefects: readonly Defect[] = [
  defect("envelope", "Wraps a page into an envelope.", ["user.list/page"], documented, {
    answer: answerOf("user.list", (answer) =>
      answer.status === 200 ? withJson(answer, (data) => ({ data })) : answer,
    ),
  }),
  defect("total", "Adds the number of all users.", ["user.list/page"], documented, {
    answer: answerOf("user.list", (answer) =>
      answer.status === 200 ? withJson(answer, (json) => ({ ...json, total: 3 })) : answer,
    ),
  }),
  defect("next-null", "Has null for nextCursor on the last page.", page, documented, {
    answer: answerOf("user.list", (answer) =>
      answer.status === 200 ? withJson(answer, (json) => ({ nextCursor: null, ...json })) : answer,
    ),
  }),
  defect("items-without-time", "Lists users without createdAt.", ["user.list/page"], documented, {
    answer: everyItem(({ createdAt: _, ...rest }) => rest),
  }),
  defect("items-with-more", "Lists users with a member that is not documented.", ["user.list/page"], documented, {
    answer: everyItem((item) => ({ ...item, emailLower: item.email })),
  }),
  defect("items-only-ids", "Lists ids only.", ["user.list/page"], documented, {
    answer: withItems((items) => items.map((item) => (isObject(item) ? item.id : item))),
  }),
  defect("email-lowered", "Lists e-mail addresses and names in capitals.", [created], /created|address|name/, {
    answer: everyItem((item) => ({ ...item, name: String(item.name).toUpperCase() })),
  }),
  defect("name-ascii", "Lists names in ASCII.", [created], /created/, {
    answer: everyItem((item) => ({ ...item, name: String(item.name).replace(/[^ -~]/g, "?") })),
  }),
  defect("time-of-listing", "Lists the time of the answer as createdAt.", [created], /created/, {
    answer: everyItem((item) => ({ ...item, createdAt: new Date(0).toISOString() })),
  }),
  defect(
    "cached",
    "Answers a page as it was when it was first asked for.",
    [created, "user.list/walk#while-created"],
    /list|once/,
    {
      request: requestOf("user.list", async (request, { state, forward }) => {
        const kept = state.get(request.target) as ProxyAnswer | undefined; // nothing else is kept
        const answer = kept ?? (await forward(request));
        state.set(request.target, answer);
        return answer;
      }),
    },
  ),
  defect("descending", "Lists the newest of a page first.", both("user.list/order#ascending"), /ascend/, {
    answer: withItems((items) => [...items].reverse()),
  }),
  defect(
    "two-exchanged",
    "Lists users by e-mail address, which is almost the order of their ids.",
    both("user.list/order#ascending"),
    /ascend/,
    {
      answer: withItems(([one, other, ...rest]) => (other ? [other, one, ...rest] : [one])),
    },
  ),
  ...["name", "email"].map((member) =>
    defect(
      `ordered-by-${member}`,
      `Lists the users of a page by ${member}.`,
      ["user.list/order#not-of-names"],
      /in this order/,
      {
        answer: withItems((items) =>
          [...items].sort((one, other) => (memberOf(one, member) < memberOf(other, member) ? -1 : 1)),
        ),
      },
    ),
  ),
  defect("one-twice", "Lists a user of a joined table twice.", both("user.list/order#ascending"), /twice/, {
    answer: withItems((items) => [...items.slice(0, 1), ...items]),
  }),
  defect(
    "cursor-inclusive",
    "Starts a page with the user that the page before ended with.",
    both("user.list/order#ascending", "user.list/walk#any-limit", "user.list/limit#later-pages"),
    /ascend|users|items/,
    {
      answer: answerOf("user.list", (answer, request, { state }) => {
        if (answer.status !== 200) return answer;
        const items = itemsOf(answer);
        const cursor = queryOf(request).get("cursor");
        const before = cursor === null ? undefined : state.get(cursor);
        const next = jsonAnswer(answer)?.nextCursor;
        if (typeof next === "string") state.set(next, items.at(-1));
        return before === undefined ? answer : withJson(answer, (json) => ({ ...json, items: [before, ...items] }));
      }),
    },
  ),
  defect("drifts", "Leaves a user out of every second page.", both("user.list/read-only#again"), /again/, {
    answer: answerOf("user.list", (answer, _, { state }) => {
      state.set("calls", Number(state.get("calls") ?? 0) + 1);
      if (answer.status !== 200 || Number(state.get("calls")) % 2 === 0) return answer;
      return withJson(answer, (json) => ({ ...json, items: itemsOf(answer).slice(1) }));
    }),
  }),
  defect(
    "by-placement",
    "Shows less to a caller whose key stands in the query.",
    both("user.list/read-only#placements"),
    /placement/,
    {
      answer: withItems((items, request) => (queryOf(request).has("X-API-KEY") ? items.slice(1) : items)),
    },
  ),
  defect("body-of-get-executed", "Executes the body of a GET.", both("user.list/read-only#refused"), /as it was/, {
    request: async (request, context) => {
      if (request.method === "GET" && jsonBody(request)?.["@"] === "user.create") {
        await context.forward(
          letIn({ ...request, method: "POST", target: request.target.replace(/\?.*/, "") }, context),
        );
      }
      return request;
    },
  }),
  defect(
    "query-creates",
    "Creates a user out of the query of user.list.",
    both("user.list/read-only#refused"),
    /as it was/,
    {
      request: async (request, context) => {
        const query = queryOf(request);
        if (operationOf(request) === "user.list" && request.method === "GET" && query.has("email")) {
          const data = { name: query.get("name"), email: query.get("email") };
          const body = Buffer.from(JSON.stringify({ "@": "user.create", data }));
          const headers = [
            ...request.headers,
            ["Content-Type", "application/json"],
            ["Content-Length", String(body.length)],
          ] as const;
          await context.forward(
            letIn({ ...request, method: "POST", target: request.target.replace(/\?.*/, ""), headers, body }, context),
          );
        }
        return request;
      },
    },
  ),
];
