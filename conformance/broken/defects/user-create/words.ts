import type { Context, Defect, ProxyAnswer, ProxyRequest } from "../../defect.ts";
import { isObject, type JsonObject, jsonAnswer, jsonBody, operationOf } from "../../look.ts";
import { respond, withData, withJson } from "../../shape.ts";
import { answerOf, requestOf } from "../../when.ts";

/** Words for defects of user.create. */

type Hooks = Pick<Defect, "request" | "answer">;

/** The members of data that are texts; of any other request none. */
export function sentUser(request: ProxyRequest): { readonly name?: string; readonly email?: string } {
  const data = operationOf(request) === "user.create" ? jsonBody(request)?.data : undefined;
  if (!isObject(data)) return {};
  const { name, email } = data;
  return { ...(typeof name === "string" ? { name } : {}), ...(typeof email === "string" ? { email } : {}) };
}

/** Another text for a member of data, before it is judged. */
export const changing = (member: "name" | "email", change: (text: string) => string): Hooks => ({
  request: requestOf("user.create", (request) =>
    withData(request, (data) => {
      const text = data[member];
      return typeof text === "string" ? { ...data, [member]: change(text) } : data;
    }),
  ),
});

/** Takes what it should refuse: something right stands in for it. */
export const taking = (member: "name" | "email", test: (text: string) => boolean): Hooks =>
  changing(member, (text) => (test(text) ? (member === "name" ? "Taken" : `taken-${Date.now()}@example.com`) : text));

/** Refuses what it should take. */
export const refusing = (member: "name" | "email", test: (text: string) => boolean): Hooks =>
  changing(member, (text) => (test(text) ? "" : text));

/** Changes the user in the answer to a create. */
export const answering = (change: (user: JsonObject, request: ProxyRequest) => unknown): Hooks => ({
  answer: answerOf("user.create", (answer, request) =>
    answer.status === 201 ? withJson(answer, (user) => change(user, request)) : answer,
  ),
});

/** Changes the users of a list. */
export const listing = (change: (users: readonly JsonObject[], context: Context) => readonly JsonObject[]): Hooks => ({
  answer: answerOf("user.list", (answer, _request, context) =>
    withJson(answer, (page) =>
      Array.isArray(page.items) ? { ...page, items: change(page.items.filter(isObject), context) } : page,
    ),
  ),
});

/** Changes users wherever they are answered. */
export const storing = (change: (user: JsonObject) => JsonObject): Hooks => ({
  answer: (answer, request, context) =>
    (operationOf(request) === "user.list" ? listing((users) => users.map(change)) : answering(change)).answer?.(
      answer,
      request,
      context,
    ) ?? answer,
});

/** An answer like one of a create, of a user that nobody stored. */
export function made({ name, email }: { readonly name?: string; readonly email?: string }): ProxyAnswer {
  const now = Date.now();
  const time = now.toString(16).padStart(12, "0");
  const random = Math.floor(Math.random() * 2 ** 40)
    .toString(16)
    .padStart(12, "0");
  const id = `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${random}`;
  return respond(201, { id, name, email, createdAt: new Date(now).toISOString() });
}

export const userIn = (answer: ProxyAnswer): JsonObject | null => (answer.status === 201 ? jsonAnswer(answer) : null);
