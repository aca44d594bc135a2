import type { Agent, ClientRequest, IncomingMessage } from "node:http";
import supertest from "supertest";
import { Stopped } from "../expectation.ts";
import type { Gateway } from "../gateway.ts";
import type { Answer, Exchange } from "./exchange.ts";
import { Gathered, MOST_OF_A_FILE, MOST_RECEIVED, tooLong } from "./gathered.ts";

export interface HttpRequest {
  readonly method: string;
  /** The request target as it will be sent, prefix included: `/api/?@=sysinfo`. */
  readonly path: string;
  /** A repeated name is sent twice. */
  readonly headers: readonly (readonly [name: string, value: string])[];
  readonly body: Buffer | null;
  /** Whether the response may be a file of several MiB. */
  readonly large?: boolean;
  /** Keeps the connection for further requests; otherwise each has its own. */
  readonly agent?: Agent | undefined;
}

export interface SendLimits {
  readonly timeoutMs: number;
  readonly gateway: Pick<Gateway, "certificate">;
  /** Ends the run: a request in flight is aborted and throws `Stopped`. */
  readonly stop: AbortSignal;
}

/**
 * Everything that superagent would parse by media type stays bytes: an invalid JSON response is the target's fault, not the
 * harness's.
 */
function collect(res: unknown, done: (error: Error | null, body: unknown) => void): void {
  // Declared as the finished response; superagent actually passes the message that is still arriving.
  const message = res as IncomingMessage;
  const gathered = new Gathered();
  message.on("data", (chunk: Buffer) => gathered.add(chunk));
  message.on("end", () => done(null, gathered.bytes));
}

function grouped(headers: HttpRequest["headers"]): Record<string, string | string[]> {
  const byName = new Map<string, { name: string; values: string[] }>();
  for (const [name, value] of headers) {
    const entry = byName.get(name.toLowerCase()) ?? { name, values: [] };
    entry.values.push(value);
    byName.set(name.toLowerCase(), entry);
  }
  return Object.fromEntries(
    [...byName.values()].map(({ name, values }) => [name, values.length > 1 ? values : values.join()]),
  );
}

function toPairs(raw: readonly string[]): [string, string][] {
  return raw.flatMap((name, index): [string, string][] => (index % 2 === 0 ? [[name, String(raw[index + 1])]] : []));
}

function sentHeaders(request: ClientRequest): [string, string][] {
  return request.getRawHeaderNames().flatMap((name) => {
    return [request.getHeader(name)].flat().map((one): [string, string] => [name, String(one)]);
  });
}

function toAnswer(message: IncomingMessage, body: unknown): Answer {
  return {
    // A response that was received has both.
    status: Number(message.statusCode),
    reason: String(message.statusMessage),
    httpVersion: message.httpVersion,
    headers: toPairs(message.rawHeaders),
    // Responses to HEAD or without a body never reach `collect`.
    body: Buffer.isBuffer(body) ? body : Buffer.alloc(0),
  };
}

const mostOf = ({ large }: HttpRequest) => (large ? MOST_OF_A_FILE : MOST_RECEIVED);

/** As text: `connection reset`, `no answer within 10000 ms`. */
function explain(error: NodeJS.ErrnoException, timeoutMs: number, most: number, status: number | undefined): string {
  if (error.code === "ETOOLARGE") return `${tooLong(most)} (status ${status})`;
  if (error.code === "ECONNABORTED") return `no answer within ${timeoutMs} ms`;
  if (error.code === "ECONNRESET") return "connection reset";
  // OpenSSL's message is a number, a library, a function, the reason, and a file of its source.
  const reason = /:error:[0-9A-F]+:[^:]*:[^:]*:([^:]+):/.exec(error.message)?.[1];
  if (reason) return `TLS: ${reason} (${error.code})`;
  return error.code ? `${error.message} (${error.code})` : error.message;
}

/** Node sends no `Content-Length: 0` with these. */
const BODYLESS = new Set(["GET", "HEAD", "DELETE", "OPTIONS", "TRACE", "CONNECT"]);

/** Headers that Node would add when writing, missing in `getRawHeaderNames`: set here, they are recorded. */
function unseen({ method, headers, body, agent }: HttpRequest): Record<string, string> {
  const names = new Set(headers.map(([name]) => name.toLowerCase()));
  const framed = body !== null || names.has("content-length") || names.has("transfer-encoding");
  return {
    ...(names.has("connection") ? {} : { Connection: agent ? "keep-alive" : "close" }),
    ...(framed || BODYLESS.has(method) ? {} : { "Content-Length": "0" }),
  };
}

function prepare(origin: string, request: HttpRequest, { timeoutMs, gateway }: SendLimits): supertest.Test {
  const test = new supertest.Test(origin, request.method, request.path);
  test
    .redirects(0)
    .buffer(true)
    .maxResponseSize(mostOf(request))
    .ok(() => true)
    .parse(collect)
    .timeout({ deadline: timeoutMs })
    // Removes superagent's default; `set` below restores it if the check sends the header.
    .unset("Accept-Encoding")
    .set({ ...grouped(request.headers), ...unseen(request) });
  if (gateway.certificate) test.cert(gateway.certificate.cert).key(gateway.certificate.key);
  if (request.agent) test.agent(request.agent);
  if (request.body) {
    // Without this a Buffer under application/json is sent as the JSON text of a Buffer object. The declared type allows strings
    // only; the result is passed to `ClientRequest.end` or a stream, and both accept a Buffer.
    test.serialize((bytes: unknown) => bytes as string).send(request.body);
  }
  return test;
}

/** Sends one request through supertest. Resolves whatever happens; throws only `Stopped` and faults of the harness. */
export function sendHttp(origin: string, request: HttpRequest, limits: SendLimits): Promise<Exchange> {
  const { timeoutMs, stop } = limits;
  const startedAt = performance.now();
  const test = prepare(origin, request, limits);
  return new Promise((resolve, reject) => {
    const onStop = () => {
      test.abort();
      reject(Stopped.by(stop));
    };
    if (stop.aborted) return onStop();
    stop.addEventListener("abort", onStop, { once: true });
    test.on("request", () => {
      client(test).prependOnceListener("response", (message) => {
        // superagent would decompress; the raw header fields, which are recorded, keep it.
        delete message.headers["content-encoding"];
      });
    });
    test.end((error: NodeJS.ErrnoException | null, response) => {
      stop.removeEventListener("abort", onStop);
      const fault = harnessFault(test, request.path, error);
      if (fault) return reject(fault);
      const message = error ? null : (received(test) ?? null);
      resolve({
        request: {
          method: request.method,
          url: origin + request.path,
          headers: sentHeaders(client(test)),
          body: request.body ?? Buffer.alloc(0),
          raw: null,
        },
        answer: message && toAnswer(message, response.body),
        error: error ? explain(error, timeoutMs, mostOf(request), received(test)?.statusCode) : null,
        durationMs: performance.now() - startedAt,
      });
    });
  });
}

/** `.http2()` is never called, so these are the classes of node:http. */
const client = (test: supertest.Test) => test.req as ClientRequest;
const received = (test: supertest.Test) => test.res as IncomingMessage | undefined;

/** Errors if the client does not send the request, or would change it: `new URL` rewrites blanks, quotes and fragments. */
function harnessFault(test: supertest.Test, path: string, error: NodeJS.ErrnoException | null): Error | null {
  // Node's errors about certificates or handshakes are the target's.
  if (/^ERR_(?!TLS|SSL)/.test(error?.code ?? "")) return error;
  const sent = client(test)?.path;
  return sent === path ? null : new Error(`an HTTP client cannot send ${path} as it stands (${sent}): use api.raw`);
}
