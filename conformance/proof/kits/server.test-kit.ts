import http from "node:http";
import net, { type AddressInfo, type Server } from "node:net";
import { buffer } from "node:stream/consumers";
import { onTestFinished } from "vitest";

/** A request as received. */
export interface Arrived {
  readonly method: string;
  readonly url: string;
  readonly rawHeaders: readonly string[];
  readonly headers: http.IncomingHttpHeaders;
  readonly body: Buffer;
}

/** Its address, once it listens; it lives as long as the test. */
export async function listen(server: Server, host = "127.0.0.1"): Promise<string> {
  await new Promise<void>((resolve) => server.listen(0, host, resolve));
  const sockets = new Set<net.Socket>();
  server.on("connection", (socket) => sockets.add(socket));
  onTestFinished(() => {
    server.close();
    for (const socket of sockets) socket.destroy();
  });
  // `listen` has a port, so the address is not a path or null.
  return `http://${host}:${(server.address() as AddressInfo).port}`;
}

/** A real HTTP server that lives as long as the test; returns its address. */
export async function serve(
  answer: (request: Arrived, response: http.ServerResponse) => void,
  host = "127.0.0.1",
): Promise<string> {
  const server = http.createServer(async (request, response) => {
    // Null: the connection was cut, so no response is possible.
    const body = await buffer(request).catch(() => null);
    const { method = "", url = "", rawHeaders, headers } = request;
    if (body) answer({ method, url, rawHeaders, headers, body }, response);
  });
  return listen(server, host);
}

/** A real TCP server that lives as long as the test; returns its address. */
export function serveSocket(talk: (socket: net.Socket) => void): Promise<string> {
  const server = net.createServer((socket) => {
    socket.on("error", () => {});
    talk(socket);
  });
  return listen(server);
}
