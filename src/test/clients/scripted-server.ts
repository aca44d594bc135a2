import { createServer, type IncomingMessage, request as requestOf, type ServerResponse } from "node:http";
import type { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { portOf } from "../ports.ts";
import { start } from "../running-service.ts";

/**
 * What the server does with one request. Before it has arrived: `refuse` closes the connection. After that: `close` closes it,
 * `stall` leaves it open, `pass` lets a service respond, `lose` does that too and drops the response. Or it sends bytes, and then
 * closes the connection, leaves it open, or sends a space every few milliseconds.
 */
export type Step =
  | "refuse"
  | "close"
  | "stall"
  | "pass"
  | "lose"
  | { readonly bytes: string; readonly after?: "stall" | "trickle" };

/** A request as it arrived. */
export interface Sent {
  readonly method: string | undefined;
  readonly path: string;
  readonly query: Readonly<Record<string, string>>;
  /** Those that a client sends on purpose, null where there is none. */
  readonly headers: Readonly<Record<string, unknown>>;
  readonly body: unknown;
}

const SENT = ["accept", "content-type", "idempotency-key", "x-api-key", "x-platform"];

/** A server that does with each request in turn what its script says, with all further ones what it says last, below `/prefix`. */
export async function serveScript(script: readonly Step[], users: readonly string[] = []) {
  const attempts: (Sent | null)[] = [];
  const behind = script.some((step) => step === "pass" || step === "lose") ? await start() : null;
  for (const name of users)
    await behind?.service.storage.stores.users.insert({ name, email: `${name}@example.com`, createdAt: new Date() });
  const server = createServer(async (request, response) => {
    const step = script[Math.min(attempts.length, script.length - 1)] ?? "close";
    const { pathname, searchParams } = new URL(request.url ?? "", "http://server");
    const { method, headers, socket } = request;
    const body = await text(request);
    const query = Object.fromEntries(searchParams);
    const sent = Object.fromEntries(SENT.map((name) => [name, headers[name] ?? null]));
    attempts.push({ method, path: pathname, query, headers: sent, body: body && JSON.parse(body) });
    if (step === "pass" || step === "lose") forward(`${behind?.service.url}`, request, body, response, step === "lose");
    else if (step === "close") socket.destroy();
    else if (typeof step === "object") play(socket, step.bytes, step.after);
  });
  server.on("connection", (socket) => {
    if (script[Math.min(attempts.length, script.length - 1)] !== "refuse") return;
    attempts.push(null);
    socket.destroy();
  });
  const port = await portOf(server);
  onTestFinished(() => server.closeAllConnections());
  return { url: `http://127.0.0.1:${port}/prefix/`, serviceKey: behind?.key, attempts };
}

function play(socket: Socket, bytes: string, after?: "stall" | "trickle"): void {
  if (after === undefined) return void socket.end(bytes);
  socket.write(bytes);
  if (after === "stall") return;
  const timer = setInterval(() => socket.write(" "), 10);
  socket.once("close", () => clearInterval(timer)).on("error", () => {});
}

function forward(url: string, request: IncomingMessage, body: string, response: ServerResponse, isLost: boolean): void {
  const { host, ...headers } = request.headers;
  const { method, url: target = "" } = request;
  const forwarded = requestOf(url + target.replace("/prefix", ""), { method, headers }, (answer) => {
    if (isLost) return void answer.resume().once("end", () => request.socket.destroy());
    // A connection is for one attempt, so that the script can count them.
    response.writeHead(answer.statusCode ?? 0, { ...answer.headers, connection: "close" });
    answer.pipe(response);
  });
  forwarded.end(body);
}
