import { once } from "node:events";
import type { RequestListener, Server, ServerResponse } from "node:http";
import { type AddressInfo, connect, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { expect, onTestFinished } from "vitest";
import { type BodyLimits, readBody } from "../http/body.ts";
import { createSender, type SenderOptions } from "../http/send.ts";
import { createServer, type HttpServer, type ServerOptions } from "../http/server.ts";
import { Problem } from "../protocol/problem.ts";
import { BOUND_MS } from "./patience.ts";

const problemsUrl = "https://one.invalid/api/?@=docs.get.problems";
export const bodyLimits: BodyLimits = { maxBodyBytes: 65_536, drainTimeoutMs: BOUND_MS };

const quiet: SenderOptions = {
  problemsUrl,
  corsOrigins: "*",
  checkAnswers: "throw",
  record: () => {},
  onFault: () => {},
  onUndocumented: () => {},
};

/** No client is late, however slow the machine is. */
export const patient: Omit<ServerOptions, "sender"> = {
  limits: { maxUrlBytes: 8_192, parserHeaderBytes: 32_768, maxConnections: 100, maxBodyBytes: bodyLimits.maxBodyBytes },
  timeouts: {
    headersTimeoutMs: BOUND_MS,
    requestTimeoutMs: BOUND_MS,
    stalledTimeoutMs: BOUND_MS,
    // Checked often, so that tests need not wait for timeouts that `hurry` has shortened.
    timeoutCheckMs: 5,
    keepAliveTimeoutMs: BOUND_MS,
    drainTimeoutMs: BOUND_MS,
    shutdownGraceMs: BOUND_MS,
  },
};

/** From now on the rest of the request is late at once. */
export function hurry(socket: Socket): void {
  // Undeclared, and there for every socket of a server.
  const { server } = socket as Socket & { readonly server: Server };
  Object.assign(server, { headersTimeout: 1, requestTimeout: 1 });
}

/** What such a server sends to a client that sends nothing after these bytes. */
export async function answerToHalf(listener: RequestListener, half: string): Promise<string> {
  const { port, server } = await serve(listener);
  const connected = once(server, "connection");
  const { answer } = dial(port, half);
  const [socket] = await connected;
  await received(socket, half.length);
  hurry(socket);
  return answer;
}

/** When a server has read so many bytes: its reaction is not always an event. */
export async function received(socket: Socket, bytes: number): Promise<void> {
  while (socket.bytesRead < bytes) await setImmediate();
}

/** Bytes that no parser reads. */
export const BAD = "NONSENSE\r\n\r\n";

/** The head of a request: path, then fields unchanged. */
export const get = (path: string, ...fields: string[]) =>
  `${[`GET ${path} HTTP/1.1`, "Host: a", ...fields].join("\r\n")}\r\n\r\n`;
export const post = (...fields: string[]) => get("/", ...fields).replace("GET", "POST");

type Options = Partial<ServerOptions & SenderOptions>;

/** A real server on a free port, closed with its connections when the test ends. */
export async function serve(
  listener: RequestListener,
  options: Options = {},
): Promise<{ port: number; server: HttpServer }> {
  const server = createServer(listener, { sender: createSender({ ...quiet, ...options }), ...patient, ...options });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  onTestFinished(() => stop(server));
  return { port: (server.address() as AddressInfo).port, server }; // an object for every server that listens on a port
}

/** The port of such a server. */
export const listen = async (listener: RequestListener, options: Options = {}): Promise<number> =>
  (await serve(listener, options)).port;

async function stop(server: Server): Promise<void> {
  const closed = new Promise((resolve) => server.close(resolve));
  server.closeAllConnections();
  await closed;
}

/** Reads the body and responds with its length, or the problem of reading it: the smallest honest application. */
export const echo: RequestListener = async (request, response) => {
  try {
    const { length } = await readBody(request, bodyLimits);
    finish(response, 200, `${request.method} ${request.url} ${length}`);
  } catch (thrown) {
    const { status, code } = Problem.from(thrown);
    finish(response, status, code);
  }
};

export function finish(response: ServerResponse, status: number, body: string): void {
  response.writeHead(status, { "Content-Length": body.length }).end(body);
}

/** A promise and its functions, for what a listener sees and a test waits for. */
export function moment<T>(): { happened: Promise<T>; happen: (value: T) => void } {
  let happen: (value: T) => void = () => {};
  const happened = new Promise<T>((resolve) => {
    happen = resolve;
  });
  return { happened, happen };
}

/** A client that sees every byte. `answer` settles when the server has closed its half, and rejects on a reset. */
export function dial(port: number, first: string | Buffer = ""): { socket: Socket; answer: Promise<string> } {
  const socket = connect(port, "127.0.0.1");
  const answer = new Promise<string>((resolve, reject) => {
    const chunks: Buffer[] = [];
    socket.on("data", (chunk: Buffer) => chunks.push(chunk));
    socket.on("end", () => resolve(Buffer.concat(chunks).toString("latin1")));
    socket.on("error", reject);
  });
  socket.write(first);
  return { socket, answer };
}

export const send = (port: number, bytes: string | Buffer): Promise<string> => dial(port, bytes).answer;

/** The status lines of the responses of a connection, in order. */
export const statusesOf = (answer: string): string[] => answer.match(/HTTP\/1\.1 \d{3} [^\r]*/g) ?? [];

/** The problem document at the end of a response. */
export const documentOf = (answer: string) => JSON.parse(answer.slice(answer.lastIndexOf("\r\n\r\n") + 4));

export const untouched: RequestListener = () => expect.unreachable("the listener must not see this request");
