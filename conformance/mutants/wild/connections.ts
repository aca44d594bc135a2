import type { Aspect } from "../../client/expectation.ts";
import { refusal } from "../derived/limits.ts";
import { changesAnswer, type Mutant, type Operator, OUTCOME, type Selector, takesFor, wild } from "../mutant.ts";
import { answerBytes } from "../proxy/answer.ts";
import { header, pathOf } from "../proxy/look.ts";
import type { Context, Hooks, ProxyAnswer, ProxyRequest } from "../proxy/message.ts";
import { letIn, withHeader, withJson } from "../proxy/shape.ts";
import { KEY } from "../requests.ts";

/** What several requests on one connection, or one after another, get wrong. */

const ANY: readonly Aspect[] = [...OUTCOME, "connection", "header:x-request-id"];
const connection = (id: string, of: readonly string[], hooks: Hooks) => wild(id, of, ANY, hooks);

const isRefusal = ({ status }: ProxyAnswer) => status >= 300 || status === 204;
const idOf = (message: ProxyRequest | ProxyAnswer) => header(message, "X-Request-Id") ?? "none";

/** A body that was not read is the next request. */
const leavesUnread = (name: string, holds: (answer: ProxyAnswer, request: ProxyRequest) => boolean): Mutant => {
  const takes: Selector["takes"] = (answer, request) =>
    request !== null && request.body.length > 0 && holds(answer, request);
  return changesAnswer(
    { name: "the service", takes },
    {
      name: `leaves a body unread ${name}`,
      breaks: ["connection", "status"],
      change: (answer, request) => {
        const next = answerBytes(refusal("malformed-request"), "GET");
        return { ...answer, raw: Buffer.concat([answerBytes(answer, request?.method ?? "GET"), next]) };
      },
    },
  );
};

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

const all: Selector = { name: "every answer", takes: () => true };
const refusals: Selector = { name: "every refusal", takes: isRefusal };
const ends: Operator = {
  name: "ends the connection",
  breaks: ["connection"],
  change: (answer) => withHeader(answer, "Connection", "close"),
};
const PIPELINING = ["http/pipelining"];

export const mutants: readonly Mutant[] = [
  leavesUnread("when it refuses", isRefusal),
  leavesUnread("of another media type", ({ status }) => status === 415),
  leavesUnread("of GET", (_answer, { method }) => method === "GET"),
  leavesUnread("outside the endpoint", (_answer, request) => !pathOf(request).endsWith("/api/")),
  leavesUnread("that is too large", ({ status }) => status === 413),
  changesAnswer(all, ends),
  changesAnswer(refusals, ends),
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
  takesFor(
    "takes the caller before for every later one",
    (request, context) => {
      if (header(request, KEY) === context.credentials?.key) context.state.set("caller", true);
      return context.state.has("caller") && header(request, KEY) !== null ? letIn(request, context) : request;
    },
    OUTCOME,
    (request) => header(request, KEY) !== null,
  ),
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
