import {
  createServer as createHttpServer,
  type IncomingMessage,
  type RequestListener,
  type Server,
  type ServerResponse,
} from "node:http";
import { createServer as createNetServer, type Server as NetServer, type Socket } from "node:net";
import type { Duplex } from "node:stream";
import { setImmediate as turn } from "node:timers/promises";
import { ClientConnection, type ServerOptions, type ServerState } from "./client-connection.ts";
import { overloaded } from "./overload-guard.ts";
import { Problem } from "./problem.ts";
import { TimeSlicedQueue } from "./time-sliced-queue.ts";

export interface HttpServer extends Server {
  /**
   * Accepts no more connections, and resolves when the last is closed. Requests are still served,
   * each as the last of its connection, for the time of grace; after it only complete requests are
   * answered, and the rest is rejected. Then `onGraceEnd` is called.
   */
  shutDown(onGraceEnd?: () => void): Promise<void>;
  /** How many connections are open. */
  connectionCount(): number;
}

/**
 * What listens for a server: a client that closes its half after the request (`printf … | nc`)
 * still gets its response.
 */
export const createListener = (): NetServer =>
  createNetServer({ allowHalfOpen: true, noDelay: true });

/**
 * An HTTP server for the connections of `listener` that sends problem+json also for what Node
 * rejects before the handler sees it (D13): it handles a request when the previous one is answered,
 * leaves none without a response, and resets no client that has yet to read its response.
 */
export function createServer(
  listener: NetServer,
  handler: RequestListener,
  options: ServerOptions,
): HttpServer {
  const { limits, timeouts } = options;
  const server = createHttpServer({
    maxHeaderSize: limits.parserHeaderBytes,
    headersTimeout: timeouts.headersTimeoutMs,
    requestTimeout: timeouts.requestTimeoutMs,
    connectionsCheckingInterval: timeouts.timeoutCheckMs,
    keepAliveTimeout: timeouts.keepAliveTimeoutMs,
    requireHostHeader: false,
    // Whatever the command line says: messages are separated by what the strict parser accepts.
    insecureHTTPParser: false,
  });
  // No limit: Node would silently drop what exceeds it.
  server.maxHeadersCount = 0;
  const state: ServerState = { ...options, queue: new TimeSlicedQueue(), isClosing: false };
  const open = acceptFrom(listener, server, state);
  handleRequests(server, handler, options, open);
  // It listens by `listener`; the event starts its timeouts.
  server.emit("listening");
  return Object.assign(server, {
    shutDown: async (onGraceEnd = () => {}) => {
      await shutDown(listener, state, open, onGraceEnd);
      server.close();
    },
    connectionCount: () => open.size,
  });
}

/** The connections that are open, by the sockets that Node sees. */
type Connections = ReadonlyMap<Duplex, ClientConnection>;

const CONTINUE = "100-continue";

function handleRequests(
  server: Server,
  handler: RequestListener,
  { sender, limits }: ServerOptions,
  open: Connections,
): void {
  const handle = (request: IncomingMessage, response: ServerResponse, awaitsContinue: boolean) => {
    const { method = null, headers } = request;
    const { expect = CONTINUE, "x-request-id": id, "content-length": length } = headers;
    // The only expectation that is defined (RFC 9110 10.1.1). Node looks for it anywhere in the
    // field, and only in HTTP/1.1.
    if (expect.toLowerCase() !== CONTINUE) {
      const requestId = sender.requestIdOf(id);
      const info = { requestId, method, headers, startedAt: performance.now() };
      return sender.send(response, info, {
        outcome: new Problem("expectation-failed"),
        step: "readHead",
      });
    }
    // No body is requested that is too large.
    if (awaitsContinue && !(Number(length) > limits.maxBodyBytes)) response.writeContinue();
    handler(request, response);
  };
  for (const event of ["request", "checkExpectation", "checkContinue"])
    server.on(event, (request: IncomingMessage, response: ServerResponse<IncomingMessage>) =>
      open
        .get(request.socket)
        ?.add(response, () => handle(request, response, event === "checkContinue")),
    );
  server.on("clientError", (error, socket) => open.get(socket)?.reject(problemOf(error)));
  server.on("connect", (_, socket) => open.get(socket)?.end());
}

function acceptFrom(listener: NetServer, server: Server, state: ServerState): Connections {
  const { maxConnections } = state.limits;
  const open = new Map<Duplex, ClientConnection>();
  // D14: a connection above the limit gets a response while there is room for one; Node closes the
  // rest without one.
  listener.maxConnections = 2 * maxConnections;
  listener.on("connection", (accepted: Socket) => {
    const connection = new ClientConnection(accepted, state);
    const { socket } = connection;
    open.set(socket, connection);
    socket.once("close", () => open.delete(socket));
    if (open.size > maxConnections) connection.reject(overloaded());
    else server.emit("connection", socket);
  });
  const watch = setInterval(() => {
    const now = performance.now();
    for (const connection of open.values()) connection.checkIdle(now);
  }, state.timeouts.timeoutCheckMs).unref();
  listener.once("close", () => clearInterval(watch));
  return open;
}

async function shutDown(
  listener: NetServer,
  state: ServerState,
  open: Connections,
  onGraceEnd: () => void,
) {
  state.isClosing = true;
  for (const connection of open.values()) connection.retire();
  const graceEnd = performance.now() + state.timeouts.shutdownGraceMs;
  // A connection that waits to be accepted is established already, and the event loop accepts one
  // in each iteration.
  let isAccepting = true;
  listener.on("connection", () => {
    isAccepting = true;
  });
  while (isAccepting && performance.now() < graceEnd) {
    isAccepting = false;
    await turn();
    await turn();
  }
  const closed = new Promise<void>((resolve) => void listener.close(() => resolve()));
  const grace = setTimeout(
    () => {
      const problem = new Problem("shutting-down", { headers: { "Retry-After": "1" } });
      for (const connection of open.values()) connection.shutDown(problem);
      onGraceEnd();
    },
    // Node warns about a negative time.
    Math.max(0, graceEnd - performance.now()),
  );
  await closed;
  clearTimeout(grace);
}

/** Only the error's code is kept as the cause: the packet in it may hold a key (D20). */
function problemOf({ code }: NodeJS.ErrnoException): Problem {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return new Problem("request-timeout", { cause: code });
  if (code === "HPE_HEADER_OVERFLOW") return new Problem("headers-too-large", { cause: code });
  return new Problem("malformed-request", { cause: code });
}
