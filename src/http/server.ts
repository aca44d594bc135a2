import { createServer as createHttpServer, type RequestListener, type Server } from "node:http";
import { Server as NetServer, type Socket } from "node:net";
import { setImmediate as turn } from "node:timers/promises";
import type { Config } from "../config.ts";
import { Problem } from "../protocol/problem.ts";
import { breakUpload } from "./body.ts";
import { Connection } from "./connection.ts";
import { overloaded } from "./load.ts";
import { requestIdOf, type Sender } from "./send.ts";

/** How the server treats what is not yet a request, D13. */
export interface ServerOptions {
  readonly sender: Sender;
  readonly limits: Pick<Config["limits"], "maxUrlBytes" | "maxBodyBytes" | "parserHeaderBytes" | "maxConnections">;
  readonly timeouts: Omit<Config["timeouts"], "handlerTimeoutMs" | "shutdownDelayMs" | "shutdownTimeoutMs">;
}

export interface HttpServer extends Server {
  /**
   * Accepts no more connections, and resolves when the last is closed. Requests are still served, each as the last of its
   * connection, for the time of grace; after it only complete requests are answered, and the rest is rejected.
   */
  shutDown(): Promise<void>;
  /** How many connections are open. */
  connectionCount(): number;
}

/** The only expectation that is defined (RFC 9110 10.1.1). */
const CONTINUE = "100-continue";

/**
 * An HTTP server that sends problem+json also for what Node rejects before the listener sees it (D13): it reads a request
 * when the previous one is answered, leaves none without a response, and resets no client that has yet to read its response.
 */
export function createServer(listener: RequestListener, options: ServerOptions): HttpServer {
  const { sender, limits, timeouts } = options;
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
  // D14: a connection above the limit gets a response while there is room for one; Node closes the rest without one.
  server.maxConnections = 2 * limits.maxConnections;
  // A client that closes its half after the request (`printf … | nc`) still gets its response; Node has no documented name for this option.
  Object.assign(server, { httpAllowHalfOpen: true });

  const connections = new Map<object, Connection>();
  let accepted = 0;
  let isClosing = false;
  server.on("connection", (socket: Socket) => {
    const connection = new Connection(socket, timeouts, (content, method, startedAt) =>
      sender.bytes({ requestId: requestIdOf(undefined), method, startedAt }, { content, step: "readHead" }),
    );
    accepted += 1;
    if (isClosing) connection.retire();
    connections.set(socket, connection);
    socket.once("close", () => connections.delete(socket));
    if (connections.size > limits.maxConnections) connection.fail(overloaded());
  });

  const serve =
    (handle: RequestListener): RequestListener =>
    (request, response) => {
      const connection = connections.get(request.socket);
      if (!connection?.begin(request, response)) return;
      const { method = null, headers } = request;
      const { expect = CONTINUE, "x-request-id": id } = headers;
      // Node looks for it anywhere in the field, and only in HTTP/1.1.
      if (expect.toLowerCase() === CONTINUE) return handle(request, response);
      const info = { requestId: requestIdOf(id), method, headers, startedAt: connection.startedAt };
      sender.send(response, info, { content: new Problem("expectation-failed"), step: "readHead" });
    };

  server.on("request", serve(listener));

  server.on(
    "checkContinue",
    serve((request, response) => {
      // No body is requested that is too large: the client waits, so the response need not.
      const isTooLarge = Number(request.headers["content-length"]) > limits.maxBodyBytes;
      if (isTooLarge) breakUpload(request, new Problem("content-too-large"));
      else response.writeContinue();
      listener(request, response);
    }),
  );

  server.on("checkExpectation", serve(listener));

  server.on("clientError", (error: ClientError, socket) => {
    connections.get(socket)?.fail(problemOf(error, limits.maxUrlBytes));
  });

  // Node has released the socket, including its listener for errors.
  server.on("connect", (_, socket) => {
    socket.on("error", () => {});
    connections.get(socket)?.close();
  });

  // Node would destroy it; a request that is on its way would cause a reset.
  server.on("timeout", (socket) => {
    const connection = connections.get(socket);
    if (connection?.isIdle) connection.close();
  });

  const watch = setInterval(() => {
    for (const connection of connections.values()) connection.check(performance.now());
  }, timeouts.timeoutCheckMs).unref();
  server.once("close", () => clearInterval(watch));

  const shutDown = async () => {
    isClosing = true;
    for (const connection of connections.values()) connection.retire();
    const graceEnd = performance.now() + timeouts.shutdownGraceMs;
    // A connection that waits to be accepted is established already, and the event loop accepts one in each iteration.
    for (let before = -1; accepted > before && performance.now() < graceEnd; ) {
      before = accepted;
      await turn();
      await turn();
    }
    // The HTTP server's own close() destroys idle connections, where a request may be on its way, and stops looking for slow ones.
    const closed = new Promise<void>((resolve) => void NetServer.prototype.close.call(server, () => resolve()));
    // Node warns about a negative time.
    const graceMs = Math.max(0, graceEnd - performance.now());
    const grace = setTimeout(() => {
      const problem = new Problem("shutting-down", { headers: { "Retry-After": "1" } });
      for (const connection of connections.values()) connection.end(problem);
    }, graceMs);
    await closed;
    clearTimeout(grace);
  };
  return Object.assign(server, { shutDown, connectionCount: () => connections.size });
}

interface ClientError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
}

/** Only the error's code is kept as the cause: the packet in it may hold a key (D20). */
function problemOf({ code, rawPacket }: ClientError, maxUrlBytes: number): Problem {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return new Problem("request-timeout", { cause: code });
  if (code !== "HPE_HEADER_OVERFLOW") return new Problem("malformed-request", { cause: code });
  const packet = String(rawPacket);
  const isUrl = /^[A-Z]+ /.test(packet) && packet.search(/\n|$/) > maxUrlBytes;
  return new Problem(isUrl ? "uri-too-long" : "headers-too-large", { cause: code });
}
