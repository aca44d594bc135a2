import type { Socket } from "node:net";
import { broken, type Mutant } from "../mutant.ts";
import { answerBytes, received } from "../proxy/answer.ts";
import type { Hooks, ProxyAnswer, ProxyRequest } from "../proxy/message.ts";
import { refusal, respond, verbatim } from "../proxy/shape.ts";
import { connect, TargetClosed } from "../proxy/upstream.ts";
import { commands } from "../requests.ts";

/** What only the socket shows: closes, resets, halves of requests, and time. */

/**
 * Bytes in both directions; `answered` gets all that the client has received, and returns whether it ends the connection itself.
 * `onward`: what the target receives instead of the client's bytes.
 */
const piped =
  (
    answered: (bytes: Buffer, client: Socket) => boolean,
    onward = (bytes: Buffer) => bytes,
  ): NonNullable<Hooks["socket"]> =>
  (client, { target }) => {
    const upstream = connect(target);
    let all: Buffer = Buffer.alloc(0);
    let isTaken = false;
    client.on("data", (bytes: Buffer) => void upstream.write(onward(bytes))).on("close", () => upstream.destroy());
    upstream
      .on("error", () => {})
      .on("end", () => isTaken || client.end())
      .on("data", (bytes: Buffer) => {
        client.write(bytes);
        all = Buffer.concat([all, bytes]);
        isTaken ||= answered(all, client);
      });
    return true;
  };

/** Whether two whole responses to GET have arrived. */
function holdsTwo(bytes: Buffer): boolean {
  const first = received(bytes, "GET", false);
  return first !== null && received(bytes.subarray(first.bytes.length), "GET", false) !== null;
}

/** Carries out the command of a client that has disconnected; the next request waits for it, so that the order is certain. */
const createsHalves: Hooks = {
  request: async (request, { state }) => {
    await state.get("creating");
    return request;
  },
  socket: (client, { target, state }) => {
    const chunks: Buffer[] = [];
    client.on("data", (chunk: Buffer) => chunks.push(chunk));
    client.once("end", () => {
      const bytes = Buffer.concat(chunks);
      // A whole body ends with the braces of `data` and of itself.
      if (!commands.some(({ name }) => bytes.includes(name)) || bytes.toString().endsWith("}}")) return;
      const upstream = connect(target).on("error", () => {});
      upstream.write(Buffer.concat([bytes, Buffer.from("}")]));
      upstream.on("data", () => upstream.destroy());
      state.set("creating", new Promise((resolve) => upstream.on("close", resolve)));
    });
    return false;
  },
};

/** The effect of half a request, with or without its whole head, and no wait for the other half. */
const halves = (id: string, hasHead: boolean, answer: ProxyAnswer): Mutant =>
  broken(id, { unreadable: (bytes) => (bytes.includes("\r\n\r\n") === hasHead ? answer : null) });

/** A body that was not read is taken for the next request. */
const leavesUnread = (when: string, holds: (answer: ProxyAnswer, request: ProxyRequest) => boolean): Mutant =>
  broken(`leaves a body unread ${when}`, {
    answer: (answer, request) =>
      request.body.length > 0 && holds(answer, request)
        ? { ...answer, raw: Buffer.concat([answerBytes(answer, request.method), NEXT]) }
        : answer,
  });
const NEXT = answerBytes(refusal("malformed-request"), "GET");
const isRefusal = ({ status }: ProxyAnswer) => status >= 300 || status === 204;

const unlessDead: NonNullable<Hooks["request"]> = (request, { state }) =>
  state.has("dead") ? refusal("shutting-down") : request;

export const mutants: readonly Mutant[] = [
  leavesUnread("when it refuses", isRefusal),
  leavesUnread("of GET", (_answer, { method }) => method === "GET"),
  // A target may close a connection after any response, if it announces that.
  broken("ends the connection behind a rejection without a word", {
    answer: (answer) => (isRefusal(answer) ? verbatim(answer) : answer),
  }),
  halves("ends the connection of half a body", true, { ...respond(200, {}), raw: Buffer.alloc(0) }),
  halves("gives no time to half a head", false, refusal("request-timeout")),
  broken("gives clients no time to read", {
    socket: (client, context) => {
      const timer = setTimeout(() => client.destroy(), 3000);
      client.on("close", () => clearTimeout(timer));
      return piped(() => false)(client, context);
    },
  }),
  broken("breaks when a client goes away without an answer", {
    socket: (client, { state }) => {
      client.once("end", () => client.bytesWritten === 0 && state.set("dead", true));
      return false;
    },
    request: unlessDead,
  }),
  broken("breaks at what is no request", {
    unreadable: (_bytes, { state }) => {
      state.set("dead", true);
      return null;
    },
    request: unlessDead,
  }),
  broken("carries out half a command", createsHalves),
  broken("wants a request line in one segment", {
    socket: (client) => {
      client.once("data", (first: Buffer) => first.includes("\r\n") || client.destroy());
      return false;
    },
  }),
  broken("keeps a connection open that is to end", {
    socket: (client) => {
      client.end = () => client;
      return false;
    },
  }),
  broken("reads on after Connection: close", {
    socket: piped(
      (all, client) => {
        // The target itself would keep the connection for seconds.
        const isOver = holdsTwo(all);
        if (isOver) client.end();
        return isOver;
      },
      (bytes) => Buffer.from(bytes.toString("latin1").replaceAll("Connection: close", "X-Connection: no"), "latin1"),
    ),
  }),
  broken("resets the connection instead of a refusal", {
    request: (request) => {
      if (request.body.length > 65_536) throw new TargetClosed(Buffer.alloc(0), true);
      return request;
    },
  }),
  broken("resets the connection behind a refusal", {
    // A reset together with the response looks to Node like any other end; a late timer must not make it one.
    socket: piped((all, client) => {
      if (!all.includes("HTTP/1.1 413")) return false;
      setTimeout(() => setImmediate(() => client.resetAndDestroy()), 20);
      return true;
    }),
  }),
  broken("opens a tunnel", {
    request: (request) => (request.method === "CONNECT" ? respond(200, {}) : request),
  }),
  broken("has a body for HEAD that it refuses", {
    answer: async (answer, request, { forward }) =>
      request.method === "HEAD" && answer.status >= 400 && answer.status !== 431
        ? { ...answer, raw: answerBytes(await forward({ ...request, method: "GET" }), "GET") }
        : answer,
  }),
];
