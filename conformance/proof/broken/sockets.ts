import type { Request } from "../../oracle/model-state.ts";
import { commands } from "../operations.ts";
import { answerBytes, readRequest, verbatim } from "../proxy/bytes.ts";
import { refusal, respond } from "../proxy/edit-response.ts";
import type { Hooks, Mutant, Reply } from "../proxy/message.ts";
import { namedIn } from "../proxy/sniff.ts";
import { answering, asking, turn, turning } from "./memory.ts";

/**
 * What only the socket shows: closes, resets, halves of requests, and time; and servers that
 * respond to everything in one way.
 */

const opening = (id: string, socket: NonNullable<Hooks["socket"]>): Mutant => ({ id, socket });

/** The effect of half a request, with or without its whole head, and no wait for the other half. */
const halves = (id: string, hasHead: boolean, answer: Reply): Mutant => ({
  id,
  unreadable: (bytes) => (bytes.includes("\r\n\r\n") === hasHead ? answer : null),
});

/** A body that was not read is taken for the next request. */
const leavesUnread = (when: string, holds: (answer: Reply, request: Request) => boolean): Mutant =>
  answering(`leaves a body unread ${when}`, (answer, request) =>
    request.body.length > 0 && holds(answer, request)
      ? { ...answer, raw: Buffer.concat([answerBytes(answer, request.method), NEXT]) }
      : answer,
  );
const NEXT = answerBytes(refusal("malformed-request"), "GET");
const isRefusal = ({ status }: Reply) => status >= 300 || status === 204;

const breaks = (place: string, turns: (request: Request) => boolean = () => false) =>
  turning(
    place,
    (_, request) => turns(request),
    () => refusal("shutting-down"),
  );

const garbage = {
  ...respond(200, {}),
  raw: Buffer.from("\u0000\u0001 no HTTP here \r\n\r\n", "latin1"),
};

export const mutants: readonly Mutant[] = [
  { id: "the server speaks no HTTP", request: () => garbage, unreadable: () => garbage },
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
        let index = bytes.indexOf("Connection: close");
        index >= 0;
        index = bytes.indexOf("Connection: close", index)
      )
        bytes.write("X", index);
    });
    client.setTimeout(500, () => client.end());
  }),
  answering("resets the connection behind a refusal", (answer, _request, { client }) => {
    if (answer.status !== 413) return answer;
    client.end = () => client;
    // A reset together with the response looks to Node like any other end; a late timer must not
    // make it one.
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
