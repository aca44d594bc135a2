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
import { ClientConnection } from "./client-connection.ts";
import { overloaded } from "./overload-guard.ts";
import { Problem } from "./problem.ts";
import { type ServerOptions, type ServerState, TurnQueue } from "./server-state.ts";

export interface HttpServer extends Server {
  /**
   * Accepts no more connections, and resolves when the last is closed. Requests are still served, each as the last of its
   * connection, for the time of grace; after it only complete requests are answered, and the rest is rejected.
   * Then `onGraceEnd` is called.
   */
  shutDown(onGraceEnd?: () => void): Promise<void>;
  /** How many connections are open. */
  connectionCount(): number;
}

/** What listens for a server: a client that closes its half after the request (`printf … | nc`) still gets its response. */
export const createListener = (): NetServer =>
  createNetServer({ allowHalfOpen: true, noDelay: true });

/**
 * An HTTP server for the connections of `listener` that sends problem+json also for what Node rejects before the handler sees it (D13):
 * it reads a request when the previous one is answered, leaves none without a response, and resets no client that has yet to read its
 * response.
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
  handleRequests(server, handler, options);
  // It listens by `listener`; the event starts its time-outs.
  server.emit("listening");
  const state: ServerState = { ...options, turns: new TurnQueue(), isClosing: false };
  const open = acceptFrom(listener, server, state);
  return Object.assign(server, {
    shutDown: async (onGraceEnd = () => {}) => {
      await shutDown(listener, state, open, onGraceEnd);
      server.close();
    },
    connectionCount: () => open.size,
  });
}

const CONTINUE = "100-continue";

function handleRequests(
  server: Server,
  handler: RequestListener,
  { sender, limits }: ServerOptions,
): void {
  const handle = (request: IncomingMessage, response: ServerResponse, awaitsContinue: boolean) => {
    const { method = null, headers, socket } = request;
    const { expect = CONTINUE, "x-request-id": id, "content-length": length } = headers;
    // The only expectation that is defined (RFC 9110 10.1.1). Node looks for it anywhere in the field, and only in HTTP/1.1.
    if (expect.toLowerCase() !== CONTINUE) {
      const { startedAt } = connectionOf(socket).arriving;
      const info = { requestId: sender.requestIdOf(id), method, headers, startedAt };
      return sender.send(response, info, {
        content: new Problem("expectation-failed"),
        step: "readHead",
      });
    }
    // No body is requested that is too large.
    if (awaitsContinue && !(Number(length) > limits.maxBodyBytes)) response.writeContinue();
    handler(request, response);
  };
  for (const event of ["request", "checkExpectation", "checkContinue"])
    server.on(event, (request: IncomingMessage, response: ServerResponse<IncomingMessage>) =>
      connectionOf(request.socket).add(response, () =>
        handle(request, response, event === "checkContinue"),
      ),
    );
  server.on("clientError", (error: ClientError, socket) =>
    connectionOf(socket).fail(problemOf(error, limits.maxUrlBytes)),
  );
  server.on("connect", (_, socket) => connectionOf(socket).close());
}

/** Every connection of such a server is one of ours. */
function connectionOf(socket: Duplex): ClientConnection {
  if (socket instanceof ClientConnection) return socket;
  throw new Error("the connection was not accepted by the listener");
}

/** The connections that are open. */
function acceptFrom(
  listener: NetServer,
  server: Server,
  state: ServerState,
): ReadonlySet<ClientConnection> {
  const { maxConnections } = state.limits;
  const open = new Set<ClientConnection>();
  // D14: a connection above the limit gets a response while there is room for one; Node closes the rest without one.
  listener.maxConnections = 2 * maxConnections;
  listener.on("connection", (socket: Socket) => {
    const connection = new ClientConnection(socket, state);
    open.add(connection);
    connection.once("close", () => open.delete(connection));
    if (open.size > maxConnections) connection.fail(overloaded());
    else server.emit("connection", connection);
  });
  const watch = setInterval(() => {
    const now = performance.now();
    for (const connection of open) connection.check(now);
  }, state.timeouts.timeoutCheckMs).unref();
  listener.once("close", () => clearInterval(watch));
  return open;
}

async function shutDown(
  listener: NetServer,
  state: ServerState,
  open: ReadonlySet<ClientConnection>,
  onGraceEnd: () => void,
) {
  state.isClosing = true;
  for (const connection of open) connection.retire();
  const graceEnd = performance.now() + state.timeouts.shutdownGraceMs;
  // A connection that waits to be accepted is established already, and the event loop accepts one in each iteration.
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
      for (const connection of open) connection.shutDown(problem);
      onGraceEnd();
    },
    // Node warns about a negative time.
    Math.max(0, graceEnd - performance.now()),
  );
  await closed;
  clearTimeout(grace);
}

type ClientError = NodeJS.ErrnoException & { readonly rawPacket?: Buffer };

/** Only the error's code is kept as the cause: the packet in it may hold a key (D20). */
function problemOf({ code, rawPacket }: ClientError, maxUrlBytes: number): Problem {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return new Problem("request-timeout", { cause: code });
  if (code !== "HPE_HEADER_OVERFLOW") return new Problem("malformed-request", { cause: code });
  const packet = String(rawPacket);
  const isUrl = /^[A-Z]+ /.test(packet) && packet.search(/\n|$/) > maxUrlBytes;
  return new Problem(isUrl ? "uri-too-long" : "headers-too-large", { cause: code });
}
