import { createServer } from "node:http";
import type { Socket } from "node:net";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { portOf } from "../test/ports.ts";

/**
 * What the server does with one request. Before it has arrived: `reset` closes the connection.
 * After that: `close` closes it, `stall` leaves it open. Or it sends bytes, and then closes the
 * connection, leaves it open, or sends a space every few milliseconds.
 */
export type Step =
  | "reset"
  | "close"
  | "stall"
  | { readonly bytes: string; readonly after?: "stall" | "trickle" };

type Headers = Readonly<Record<string, string>>;

export function send(
  status: number,
  type: string,
  body: string,
  headers: Headers = {},
): { readonly bytes: string } {
  const fields = {
    "Content-Type": type,
    "Content-Length": body.length,
    Connection: "close",
    ...headers,
  };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return { bytes: `HTTP/1.1 ${status} Any\r\n${lines.join("")}\r\n${body}` };
}
export const json = (value: unknown) =>
  send(200, "application/json; charset=utf-8", JSON.stringify(value));
export function problem(status: number, code: string, headers: Headers = {}, members = {}) {
  const body = JSON.stringify({ code, status, detail: "So it is.", ...members });
  return send(status, "application/problem+json", body, { "X-Request-Id": "id-1", ...headers });
}
export const busy = (retryAfter: string) =>
  problem(503, "shutting-down", { "Retry-After": retryAfter });

/** The header fields that a client sends on purpose. */
const SENT = ["accept", "content-type", "idempotency-key", "x-api-key", "x-platform"];

/**
 * A server that does with each request in turn what its script says, with all further ones what it
 * says last, below `/prefix`. The attempts are requests as they arrived, null when nothing was
 * read; a header field is null where there is none.
 */
export async function serveScript(script: readonly Step[]) {
  const attempts: (object | null)[] = [];
  const server = createServer(async (request) => {
    const step = script[Math.min(attempts.length, script.length - 1)] ?? "close";
    const { pathname, searchParams } = new URL(request.url ?? "", "http://server");
    const { method, headers, socket } = request;
    const body = await text(request);
    const query = Object.fromEntries(searchParams);
    const sent = Object.fromEntries(SENT.map((name) => [name, headers[name] ?? null]));
    attempts.push({ method, path: pathname, query, headers: sent, body: body && JSON.parse(body) });
    if (step === "close") socket.destroy();
    else if (typeof step === "object") play(socket, step.bytes, step.after);
  });
  server.on("connection", (socket) => {
    if (script[Math.min(attempts.length, script.length - 1)] !== "reset") return;
    attempts.push(null);
    socket.destroy();
  });
  const port = await portOf(server);
  onTestFinished(() => server.closeAllConnections());
  return { url: `http://127.0.0.1:${port}/prefix/`, attempts };
}

function play(socket: Socket, bytes: string, after?: "stall" | "trickle"): void {
  if (after === undefined) return void socket.end(bytes);
  socket.write(bytes);
  if (after === "stall") return;
  const timer = setInterval(() => socket.write(" "), 10);
  socket.once("close", () => clearInterval(timer)).on("error", () => {});
}
