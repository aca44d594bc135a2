import type { Socket } from "node:net";
import { broken, type Mutant } from "../mutant.ts";
import { answerBytes, received } from "../proxy/answer.ts";
import type { Hooks, ProxyAnswer } from "../proxy/message.ts";
import { refusal, respond } from "../proxy/shape.ts";
import { connect, TargetClosed } from "../proxy/upstream.ts";
import { commands } from "../requests.ts";

/** What only the socket shows: closes, resets, halves of requests, and time. */

type TakesSocket = NonNullable<Hooks["socket"]>;

/**
 * Bytes in both directions, each changed on the way; `answered` gets all that the client has received, and returns whether it
 * ends the connection itself.
 */
const piped =
  (onward: (bytes: Buffer) => Buffer, answered?: (bytes: Buffer, client: Socket) => boolean): TakesSocket =>
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
        if (!answered) return;
        all = Buffer.concat([all, bytes]);
        isTaken ||= answered(all, client);
      });
    return true;
  };

const replaces = (from: string, to: string) => (bytes: Buffer) =>
  Buffer.from(bytes.toString("latin1").replaceAll(from, to), "latin1");
const asIs = (bytes: Buffer) => bytes;

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

const closed: ProxyAnswer = { ...respond(200, {}), raw: Buffer.alloc(0) };

/** The effect of half a request, with or without its whole head: without the wait. */
const halves = [true, false].flatMap((head) =>
  Object.entries({ "ends the connection of": closed, "gives no time to": refusal("request-timeout") }).map(
    ([what, answer]) =>
      broken(`${what} half a ${head ? "body" : "head"}`, {
        unreadable: (bytes) => (bytes.includes("\r\n\r\n") === head ? answer : null),
      }),
  ),
);

/** Keeps writing to a client that does not read, for this long. */
const patient = (id: string, forMs: number) =>
  broken(id, {
    socket: (client, context) => {
      const timer = setTimeout(() => client.destroy(), forMs);
      client.on("close", () => clearTimeout(timer));
      return piped(asIs)(client, context);
    },
  });

const unlessDead: NonNullable<Hooks["request"]> = (request, { state }) =>
  state.has("dead") ? refusal("shutting-down") : request;

export const mutants: readonly Mutant[] = [
  ...halves,
  patient("keeps all that a client does not read", 2 ** 31 - 1),
  patient("gives clients no time to read", 3000),
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
    // The target itself would keep the connection for seconds.
    socket: piped(replaces("Connection: close", "X-Connection: no"), (all, client) => {
      if (!holdsTwo(all)) return false;
      client.end();
      return true;
    }),
  }),
  broken("resets the connection instead of a refusal", {
    request: (request) => {
      if (request.body.length > 65_536) throw new TargetClosed(Buffer.alloc(0), true);
      return request;
    },
  }),
  broken("resets the connection behind a refusal", {
    // A reset together with the response looks to Node like any other end; a late timer must not make it one.
    socket: piped(asIs, (all, client) => {
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
