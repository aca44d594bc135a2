import type { Request } from "../../oracle/world.ts";
import { commands } from "../operations.ts";
import { answerBytes, readRequest, verbatim } from "../proxy/bytes.ts";
import { namedIn } from "../proxy/look.ts";
import type { Context, Hooks, Mutant, ProxyAnswer } from "../proxy/message.ts";
import { refusal, respond } from "../proxy/shape.ts";
import { answering, asking, turn, turning } from "./memory.ts";

/** What only the socket shows: closes, resets, halves of requests, and time; and servers that respond to everything in one way. */

const opening = (id: string, socket: NonNullable<Hooks["socket"]>): Mutant => ({ id, socket });

/** The effect of half a request, with or without its whole head, and no wait for the other half. */
const halves = (id: string, hasHead: boolean, answer: ProxyAnswer): Mutant => ({
  id,
  unreadable: (bytes) => (bytes.includes("\r\n\r\n") === hasHead ? answer : null),
});

/** A body that was not read is taken for the next request. */
const leavesUnread = (
  when: string,
  holds: (answer: ProxyAnswer, request: Request) => boolean,
): Mutant =>
  answering(`leaves a body unread ${when}`, (answer, request) =>
    request.body.length > 0 && holds(answer, request)
      ? { ...answer, raw: Buffer.concat([answerBytes(answer, request.method), NEXT]) }
      : answer,
  );
const NEXT = answerBytes(refusal("malformed-request"), "GET");
const isRefusal = ({ status }: ProxyAnswer) => status >= 300 || status === 204;

const breaks = (at: string, turns: (request: Request) => boolean = () => false) =>
  turning(
    at,
    (_, request) => turns(request),
    () => refusal("shutting-down"),
  );

const statuses = [200, 201, 204, 301, 400, 401, 403, 404, 409, 422, 500, 503];
const bodies: readonly unknown[] = [
  {},
  { items: [] },
  { code: "internal-error" },
  [],
  null,
  "text",
  42,
];
const mediaTypes = [
  "application/json; charset=utf-8",
  "application/problem+json",
  "text/plain",
  "text/html",
];
const anything = ({ random }: Context) => {
  const pick = <T>(from: readonly T[], otherwise: T): T =>
    from[Math.floor(random() * from.length)] ?? otherwise;
  return respond(pick(statuses, 200), pick(bodies, null), {
    "Content-Type": pick(mediaTypes, "text/plain"),
  });
};
const garbage = {
  ...respond(200, {}),
  raw: Buffer.from("\u0000\u0001 no HTTP here \r\n\r\n", "latin1"),
};

/** Responds to everything, whatever it is. */
const wholesale = (what: string, answer: (context: Context) => ProxyAnswer): Mutant => ({
  id: `the server ${what}`,
  request: (_, context) => answer(context),
  unreadable: (_, context) => answer(context),
});

export const mutants: readonly Mutant[] = [
  wholesale("answers at random", anything),
  wholesale("speaks no HTTP", () => garbage),
  leavesUnread("when it refuses", isRefusal),
  leavesUnread("of GET", (_answer, { method }) => method === "GET"),
  // A target may close a connection after any response, if it announces that.
  answering("ends the connection behind a rejection without a word", (answer) =>
    isRefusal(answer) ? verbatim(answer) : answer,
  ),
  halves("ends the connection of half a body", true, { ...respond(200, {}), raw: Buffer.alloc(0) }),
  halves("gives no time to half a head", false, refusal("request-timeout")),
  opening("gives clients no time to read", ({ client }) => {
    const timer = setTimeout(() => client.destroy(), 3000);
    client.on("close", () => clearTimeout(timer));
  }),
  {
    ...breaks("breaks when a client goes away without an answer"),
    socket: ({ client, state }) =>
      client.once("end", () => client.bytesWritten === 0 && turn(state)),
  },
  {
    ...breaks("breaks at what is no request"),
    unreadable: (_bytes, { state }) => {
      turn(state);
      return null;
    },
  },
  {
    id: "carries out half a command",
    // The next request waits for it, so that the order is certain.
    request: async (request, { state }) => {
      await state.get("creating");
      return request;
    },
    unreadable: (bytes, { state, forward }) => {
      const read = readRequest(Buffer.concat([bytes, Buffer.from("}")]));
      if (typeof read === "string" || !commands.some(({ name }) => bytes.includes(name)))
        return null;
      const creating = forward(read.request);
      state.set("creating", creating);
      return creating;
    },
  },
  opening("wants a request line in one segment", ({ client }) => {
    client.once("data", (first: Buffer) => first.includes("\r\n") || client.destroy());
  }),
  opening("keeps a connection open that is to end", ({ client }) => {
    client.end = () => client;
  }),
  opening("reads on after Connection: close", ({ client }) => {
    // The proxy reads the same bytes behind this.
    client.on("data", (bytes: Buffer) => {
      for (
        let at = bytes.indexOf("Connection: close");
        at >= 0;
        at = bytes.indexOf("Connection: close", at)
      )
        bytes.write("X", at);
    });
    client.setTimeout(500, () => client.end());
  }),
  asking("resets the connection instead of a refusal", (request, { client }) => {
    if (request.body.length > 65_536) client.resetAndDestroy();
    return request;
  }),
  answering("resets the connection behind a refusal", (answer, _request, { client }) => {
    if (answer.status !== 413) return answer;
    client.end = () => client;
    // A reset together with the response looks to Node like any other end; a late timer must not make it one.
    setTimeout(() => setImmediate(() => client.resetAndDestroy()), 20);
    return answer;
  }),
  asking("opens a tunnel", (request) =>
    request.method === "CONNECT" ? respond(200, {}) : request,
  ),
  answering("has a body for HEAD that it refuses", async (answer, request, { forward }) =>
    request.method === "HEAD" && answer.status >= 400 && answer.status !== 431
      ? { ...answer, raw: answerBytes(await forward({ ...request, method: "GET" }), "GET") }
      : answer,
  ),
  breaks("never comes back from deep JSON", ({ body }) =>
    /(?:\[|\{"[^"]*":){1000}/.test(body.slice(0, 10_000)),
  ),
  breaks(
    "never comes back from a name that objects have",
    (request) => (namedIn(request) ?? "none") in {},
  ),
];
