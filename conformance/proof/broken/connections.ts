import type { Aspect } from "../mutant.ts";
import { OUTCOME, type WildMutant, wild } from "../mutant.ts";
import { answerBytes } from "../proxy/answer.ts";
import { header, pathOf } from "../proxy/look.ts";
import type { Context, Hooks, ProxyAnswer, ProxyRequest } from "../proxy/message.ts";
import { letIn, refusal, verbatim, withHeader, withJson } from "../proxy/shape.ts";
import { KEY } from "../requests.ts";

/** Defects with several requests on one connection, or in sequence. */

const ANY: readonly Aspect[] = [...OUTCOME, "connection", "header:x-request-id"];
const connection = (id: string, of: readonly string[], hooks: Hooks) => wild(id, of, ANY, hooks);

const isRefusal = ({ status }: ProxyAnswer) => status >= 300 || status === 204;
const idOf = (message: ProxyRequest | ProxyAnswer) => header(message, "X-Request-Id") ?? "none";

/** A body that was not read is taken for the next request. */
const leavesUnread = (when: string, holds: (answer: ProxyAnswer, request: ProxyRequest) => boolean): WildMutant =>
  wild(`leaves a body unread ${when}`, ["http/*", "dispatch/body-on-get"], ["connection", "status"], {
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
  wild(`ends the connection behind ${which} without a word`, ["http/pipelining"], ["connection"], {
    answer: (answer) => (takes(answer) ? verbatim(answer) : answer),
  });
const PIPELINING = ["http/pipelining"];

export const mutants: readonly WildMutant[] = [
  leavesUnread("when it refuses", isRefusal),
  leavesUnread("of another media type", ({ status }) => status === 415),
  leavesUnread("of GET", (_answer, { method }) => method === "GET"),
  leavesUnread("outside the endpoint", (_answer, request) => !pathOf(request).endsWith("/api/")),
  leavesUnread("that is too large", ({ status }) => status === 413),
  ends("any response", () => true),
  ends("a rejection", isRefusal),
  connection("answers with the id of the one before", ["http/pipelining"], {
    answer: (answer, request, context) => withHeader(answer, "X-Request-Id", before(context, "id", idOf(request))),
  }),
  connection("keeps the id of the caller before", ["http/request-id"], {
    answer: (answer, request, context) => {
      const last = before(context, "id", idOf(answer));
      return header(request, "X-Request-Id") === null && last !== "none"
        ? withHeader(answer, "X-Request-Id", last)
        : answer;
    },
  }),
  wild("takes the caller before for every later one", ["credentials/*"], OUTCOME, {
    request: (request, context) => {
      if (header(request, KEY) === context.credentials?.key) context.state.set("caller", true);
      return context.state.has("caller") && header(request, KEY) !== null ? letIn(request, context) : request;
    },
  }),
  connection("counts the fields of several requests together", ["http/header-count"], {
    request: (request, context) =>
      counted(context, "fields", request.headers.length) > 150 ? refusal("headers-too-large") : request,
  }),
  connection("finds nothing behind a head that it has refused", PIPELINING, {
    answer: (answer, _request, { state }) => {
      if ([414, 417, 431].includes(answer.status)) state.set("refused", true);
      return state.has("refused") && answer.status === 200 ? refusal("path-not-found") : answer;
    },
  }),
  connection("adds a member to all that comes after __proto__", ["http/stays-alive", "http/proto-member"], {
    answer: (answer, request, { state }) => {
      if (request.body.includes("__proto__")) state.set("polluted", true);
      return state.has("polluted") && answer.status === 200
        ? withJson(answer, (json) => ({ ...json, extra: 1 }))
        : answer;
    },
  }),
];
