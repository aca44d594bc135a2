import { broken, type Mutant } from "../mutant.ts";
import { answerBytes } from "../proxy/answer.ts";
import { header, pathOf } from "../proxy/look.ts";
import type { Context, ProxyAnswer, ProxyRequest } from "../proxy/message.ts";
import { letIn, refusal, verbatim, withHeader, withJson } from "../proxy/shape.ts";
import { KEY } from "../requests.ts";

/** Defects with several requests on one connection, or in sequence. */

const isRefusal = ({ status }: ProxyAnswer) => status >= 300 || status === 204;
const idOf = (message: ProxyRequest | ProxyAnswer) => header(message, "X-Request-Id") ?? "none";

/** A body that was not read is taken for the next request. */
const leavesUnread = (when: string, holds: (answer: ProxyAnswer, request: ProxyRequest) => boolean): Mutant =>
  broken(`leaves a body unread ${when}`, {
    answer: (answer, request) =>
      request.body.length > 0 && holds(answer, request)
        ? { ...answer, raw: Buffer.concat([answerBytes(answer, request.method), NEXT]) }
        : answer,
  });
const NEXT = answerBytes(refusal("malformed-request"), "GET");

const counted = ({ state }: Context, name: string, more = 1): number => {
  const count = Number(state.get(name) ?? 0) + more;
  state.set(name, count);
  return count;
};

const before = ({ state }: Context, name: string, value: string): string => {
  const last = state.get(name);
  state.set(name, value);
  return typeof last === "string" ? last : "none";
};

/** A target may close a connection after any response, if it announces that. */
const ends = (which: string, takes: (answer: ProxyAnswer) => boolean) =>
  broken(`ends the connection behind ${which} without a word`, {
    answer: (answer) => (takes(answer) ? verbatim(answer) : answer),
  });

export const mutants: readonly Mutant[] = [
  leavesUnread("when it refuses", isRefusal),
  leavesUnread("of another media type", ({ status }) => status === 415),
  leavesUnread("of GET", (_answer, { method }) => method === "GET"),
  leavesUnread("outside the endpoint", (_answer, request) => !pathOf(request).endsWith("/api/")),
  leavesUnread("that is too large", ({ status }) => status === 413),
  ends("any response", () => true),
  ends("a rejection", isRefusal),
  broken("answers with the id of the one before", {
    answer: (answer, request, context) => withHeader(answer, "X-Request-Id", before(context, "id", idOf(request))),
  }),
  broken("keeps the id of the caller before", {
    answer: (answer, request, context) => {
      const last = before(context, "id", idOf(answer));
      return header(request, "X-Request-Id") === null && last !== "none"
        ? withHeader(answer, "X-Request-Id", last)
        : answer;
    },
  }),
  broken("takes the caller before for every later one", {
    request: (request, context) => {
      if (header(request, KEY) === context.credentials?.key) context.state.set("caller", true);
      return context.state.has("caller") && header(request, KEY) !== null ? letIn(request, context) : request;
    },
  }),
  broken("counts the fields of several requests together", {
    request: (request, context) =>
      counted(context, "fields", request.headers.length) > 150 ? refusal("headers-too-large") : request,
  }),
  broken("finds nothing behind a head that it has refused", {
    answer: (answer, _request, { state }) => {
      if ([414, 417, 431].includes(answer.status)) state.set("refused", true);
      return state.has("refused") && answer.status === 200 ? refusal("path-not-found") : answer;
    },
  }),
  broken("adds a member to all that comes after __proto__", {
    answer: (answer, request, { state }) => {
      if (request.body.includes("__proto__")) state.set("polluted", true);
      return state.has("polluted") && answer.status === 200
        ? withJson(answer, (json) => ({ ...json, extra: 1 }))
        : answer;
    },
  }),
];
