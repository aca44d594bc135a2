import { createServer as createHttpServer, type RequestListener, type Server } from "node:http";
import type { Socket } from "node:net";
import { Problem } from "../problem.ts";
import { Connection } from "./connection.ts";
import { type RefusalOptions, rawAnswer, refusalOf } from "./refusal.ts";
import { requestIdOf } from "./request-id.ts";
import { breakUpload } from "./upload.ts";

/** How the server treats what is not yet a request, D13. All times in milliseconds. */
export interface ServerOptions extends RefusalOptions {
  readonly limits: {
    readonly maxUrlBytes: number;
    readonly maxBodyBytes: number;
    /** Node's parser counts URL and headers together; with room for both, our own limits are ours to judge. */
    readonly parserHeaderBytes: number;
  };
  readonly timeouts: {
    /** From the first byte to the end of the headers; at most `requestTimeoutMs`. */
    readonly headersTimeoutMs: number;
    /** From the first byte to the end of the body. */
    readonly requestTimeoutMs: number;
    /** How often the two above are checked. */
    readonly timeoutCheckMs: number;
    /** How long an idle connection is kept. */
    readonly keepAliveTimeoutMs: number;
    /** How long a client may send on after the last answer of a connection, so that it gets to read it. */
    readonly drainTimeoutMs: number;
  };
  /** Hears of every refusal that never reaches the listener, for logs and metrics. */
  readonly onRefusal?: (problem: Problem, requestId: string) => void;
}

export interface HttpServer extends Server {
  /**
   * Takes no more connections, ends each when the requests that have begun on it are answered, and resolves when the last
   * is closed. Half a head is no request.
   */
  shutDown(): Promise<void>;
}

/**
 * An HTTP server that answers problem+json also to what Node refuses before the listener sees it (D13): it writes no
 * answer ahead of an earlier one, leaves no request in flight without one, and resets no client that has yet to read it.
 */
export function createServer(listener: RequestListener, options: ServerOptions): HttpServer {
  const { limits, timeouts, onRefusal = () => {} } = options;
  const server = createHttpServer({
    maxHeaderSize: limits.parserHeaderBytes,
    headersTimeout: timeouts.headersTimeoutMs,
    requestTimeout: timeouts.requestTimeoutMs,
    connectionsCheckingInterval: timeouts.timeoutCheckMs,
    keepAliveTimeout: timeouts.keepAliveTimeoutMs,
    requireHostHeader: false,
  });
  // No limit: Node would drop what exceeds it silently.
  server.maxHeadersCount = 0;
  // A client that closes its half after the request (`printf … | nc`) is still owed the answer; Node has no documented name for it.
  Object.assign(server, { httpAllowHalfOpen: true });

  const connections = new Map<object, Connection>();
  server.on("connection", (socket: Socket) => {
    connections.set(socket, new Connection(socket, timeouts.drainTimeoutMs));
    socket.once("close", () => connections.delete(socket));
  });

  const serve =
    (handle: RequestListener): RequestListener =>
    (request, response) => {
      if (connections.get(request.socket)?.begin(request, response)) handle(request, response);
    };

  server.on("request", serve(listener));

  server.on(
    "checkContinue",
    serve((request, response) => {
      // A body that is too large is never asked for: the client waits, so the answer need not.
      const isTooLarge = Number(request.headers["content-length"]) > limits.maxBodyBytes;
      if (isTooLarge) breakUpload(request, new Problem("content-too-large"));
      else response.writeContinue();
      listener(request, response);
    }),
  );

  server.on(
    "checkExpectation",
    serve((request, response) => {
      const requestId = requestIdOf(request.headers["x-request-id"]);
      const problem = new Problem("expectation-failed");
      const { headers, body } = refusalOf(problem, requestId, options, request.headers.origin);
      response.writeHead(problem.status, headers).end(body);
      onRefusal(problem, requestId);
    }),
  );

  server.on("clientError", (error: ClientError, socket) => {
    const problem = problemOf(error, limits.maxUrlBytes);
    connections.get(socket)?.fail(problem, () => {
      const requestId = requestIdOf(undefined);
      onRefusal(problem, requestId);
      return rawAnswer(problem.status, refusalOf(problem, requestId, options));
    });
  });

  const shutDown = () =>
    new Promise<void>((resolve) => {
      server.close(() => resolve());
      for (const connection of connections.values()) connection.end();
    });
  return Object.assign(server, { shutDown });
}

interface ClientError extends NodeJS.ErrnoException {
  readonly rawPacket?: Buffer;
}

/** Only the error's code is kept as the cause: the packet it carries may hold a key (D20). */
function problemOf({ code, rawPacket }: ClientError, maxUrlBytes: number): Problem {
  if (code === "ERR_HTTP_REQUEST_TIMEOUT") return new Problem("request-timeout", { cause: code });
  if (code !== "HPE_HEADER_OVERFLOW") return new Problem("malformed-request", { cause: code });
  const packet = String(rawPacket);
  const isUrl = /^[A-Z]+ /.test(packet) && packet.search(/\n|$/) > maxUrlBytes;
  return new Problem(isUrl ? "uri-too-long" : "headers-too-large", { cause: code });
}
