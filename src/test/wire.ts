import { once } from "node:events";
import type { RequestListener, ServerResponse } from "node:http";
import { connect, type Socket } from "node:net";
import { setImmediate } from "node:timers/promises";
import { onTestFinished } from "vitest";
import { contract } from "../../generated/contract.ts";
import type { ServerOptions } from "../server/client-connection.ts";
import type { Contract } from "../server/contract.ts";
import { createListener, createServer } from "../server/http-server.ts";
import { OverloadGuard } from "../server/overload-guard.ts";
import { Problem } from "../server/problem.ts";
import { readBody } from "../server/request/body.ts";
import { createSender, type SenderOptions } from "../server/response/send.ts";
import { form } from "./atpoint.ts";
import { BOUND_MS } from "./patience.ts";
import { portOf } from "./ports.ts";

export const quiet: SenderOptions = {
  contract,
  containsKeyLike: form.containsKeyLike,
  problemsUrl: "https://one.invalid/api/?@=docs.get.problems",
  corsOrigins: "*",
  checkResponses: "throw",
  record: () => {},
  onFault: () => {},
  onUndocumented: () => {},
};

const LIMITS = {
  parserHeaderBytes: 32_768,
  maxConnections: 100,
  maxBodyBytes: 65_536,
};

/** No client is late, however slow the machine is. */
const PATIENT: ServerOptions["timeouts"] = {
  headersTimeoutMs: BOUND_MS,
  requestTimeoutMs: BOUND_MS,
  stalledTimeoutMs: BOUND_MS,
  // Checked often, so that tests need not wait for timeouts that they have shortened.
  timeoutCheckMs: 5,
  keepAliveTimeoutMs: BOUND_MS,
  drainTimeoutMs: BOUND_MS,
  shutdownGraceMs: BOUND_MS,
};

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

interface Options extends Partial<SenderOptions & Pick<ServerOptions, "guard">> {
  readonly limits?: Partial<typeof LIMITS>;
  readonly timeouts?: Partial<typeof PATIENT>;
}

/** A guard that only bounds the bytes that arrive. */
export const guarding = (maxArrivingBytes: number) =>
  new OverloadGuard(
    { MAX_IN_FLIGHT: 1, MAX_EVENT_LOOP_DELAY_MS: 1, MAX_ARRIVING_BYTES: maxArrivingBytes },
    () => 0,
  );

/**
 * A real server on a free port, closed with its connections when the test ends, and the first
 * connection to it.
 */
export async function serve(handler: RequestListener, options: Options = {}) {
  const { guard = guarding(2 ** 30), limits, timeouts, ...sent } = options;
  const listener = createListener();
  const server = createServer(listener, handler, {
    sender: createSender({ ...quiet, ...sent }),
    guard,
    limits: { ...LIMITS, ...limits },
    timeouts: { ...PATIENT, ...timeouts },
  });
  const connected = once(listener, "connection").then(([socket]): Socket => socket);
  const port = await portOf(listener);
  onTestFinished(() => server.closeAllConnections());
  return { port, server, listener, connected };
}

/** The port of such a server. */
export const listen = async (...server: Parameters<typeof serve>): Promise<number> =>
  (await serve(...server)).port;

/**
 * Reads the body and responds with its length, or the problem of reading it: the smallest honest
 * application.
 */
export const echo: RequestListener = async (request, response) => {
  try {
    const { length } = await readBody(request);
    finish(response, 200, `${request.method} ${request.url} ${length}`);
  } catch (thrown) {
    const { code } = Problem.from(thrown);
    const { [code]: known }: Contract["problems"] = contract.problems;
    finish(response, known?.status ?? 500, code);
  }
};

export function finish(response: ServerResponse, status: number, body: string): void {
  if (!response.req.complete) response.shouldKeepAlive = false;
  response.writeHead(status, { "Content-Length": body.length }).end(body);
}

/** A promise and its functions, for what a listener sees and a test waits for. */
export function moment<T>() {
  let happen: (value: T) => void = () => {};
  const happened = new Promise<T>((resolve) => {
    happen = resolve;
  });
  return { happened, happen };
}

/**
 * A client that sees every byte. `answer` settles when the server has closed its half, and rejects
 * on a reset.
 */
export function dial(
  port: number,
  first: string | Buffer = "",
): { socket: Socket; answer: Promise<string> } {
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

export const send = (port: number, bytes: string | Buffer): Promise<string> =>
  dial(port, bytes).answer;

/** The status lines of the responses of a connection, in order. */
export const statusesOf = (answer: string): string[] =>
  answer.match(/HTTP\/1\.1 \d{3} [^\r]*/g) ?? [];

/** The problem document at the end of a response. */
export const documentOf = (answer: string) =>
  JSON.parse(answer.slice(answer.lastIndexOf("\r\n\r\n") + 4));
