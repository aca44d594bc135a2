import http, { type ClientRequest, type IncomingMessage } from "node:http";
import https from "node:https";
import { setImmediate } from "node:timers/promises";
import supertest from "supertest";
import type { Request } from "../oracle/model-state.ts";
import { Gathered } from "./gathered.ts";
import { tooLong } from "./limits.ts";
import { stopped } from "./rate-limiter.ts";
import { createResponse } from "./response.ts";
import { type Endpoint, explain, type Received, timedOut } from "./socket.ts";
import { isClosing, isIdempotent, sentFields, withPrefix } from "./write.ts";

const PLAIN_FIELD = /^[\x20-\x7e]*$/;
/** Fields with which Node's client frames a message, or waits, by itself. */
const FRAMING = /^(?:expect|transfer-encoding|content-length|connection|te|upgrade)$/;

/** Whether Node's client writes this request unchanged; any other is written on a socket. */
export function isPlain(
  { method, target, fields, body, version, framing }: Request,
  { origin, host, prefix }: Endpoint["target"],
): boolean {
  const names = fields.map(([name]) => name.toLowerCase());
  const path = withPrefix(target, prefix);
  return (
    version !== "1.0" &&
    !framing &&
    /^(?:GET|HEAD|POST|PUT|PATCH|DELETE|OPTIONS)$/.test(method) &&
    !(method === "HEAD" && body !== "") &&
    path.startsWith("/") &&
    isKept(origin, path) &&
    // Node writes it first, under this name.
    fields[0]?.[0] === "Host" &&
    fields[0][1] === host &&
    new Set(names).size === names.length &&
    fields.every(([, value]) => PLAIN_FIELD.test(value) && value === value.trim()) &&
    !names.some((name) => FRAMING.test(name))
  );
}

/** `new URL` rewrites blanks, quotes, fragments and dot segments. */
function isKept(origin: string, path: string): boolean {
  if (!URL.canParse(origin + path)) return false;
  const url = new URL(origin + path);
  return url.origin === origin && url.pathname + url.search === path;
}

/**
 * Everything that superagent would parse by media type stays bytes: what is wrong with a response
 * is the target's fault, not the suite's.
 */
function collect(response: unknown, done: (error: Error | null, body: unknown) => void): void {
  // Declared as the finished response; superagent passes the message that is still arriving.
  const message = response as IncomingMessage;
  const body = new Gathered();
  message.on("data", (chunk: Buffer) => body.add(chunk));
  message.on("end", () => done(null, Buffer.from(body.bytes)));
}

const pairsOf = (raw: readonly string[]): [string, string][] =>
  raw.flatMap((name, index): [string, string][] =>
    index % 2 === 0 ? [[name, String(raw[index + 1])]] : [],
  );

/** `.http2()` is never called, so these are the classes of node:http. */
const clientOf = (test: supertest.Test) => test.req as ClientRequest;
const messageOf = (test: supertest.Test) => test.res as IncomingMessage | undefined;

/** Sends requests through supertest, those that may be repeated on connections that are kept. */
export class Supertest {
  private readonly kept;
  private readonly single;

  constructor(private readonly endpoint: Endpoint) {
    const { Agent } = endpoint.target.tls ? https : http;
    this.kept = new Agent({ keepAlive: true });
    this.single = new Agent({ keepAlive: false });
  }

  close(): void {
    this.kept.destroy();
  }

  /**
   * Resolves whatever the target does; throws only `RunAborted` and faults of the suite. `on`: the
   * connection that it uses.
   */
  async send(request: Request, most: number, on?: http.Agent): Promise<Received> {
    // Bytes behind the response to a HEAD would be read as the next response of its connection.
    const mayReuse = isIdempotent(request) && request.method !== "HEAD" && !isClosing(request);
    // In a turn of the event loop it is seen that the target has closed a connection meanwhile.
    if (on && !isIdempotent(request)) await setImmediate();
    const received = await this.through(on ?? (mayReuse ? this.kept : this.single), request, most);
    // A server may close a kept connection just when it is used again (RFC 9112, 9.3.1).
    return received ?? this.through(this.single, request, most).then((again) => again ?? lost);
  }

  private prepare(agent: http.Agent, request: Request, most: number): supertest.Test {
    const { target, certificate, timeoutMs } = this.endpoint;
    const { method, body } = request;
    const test = new supertest.Test(
      target.origin,
      method,
      withPrefix(request.target, target.prefix),
    );
    test
      .redirects(0)
      .buffer(true)
      .maxResponseSize(most)
      .ok(() => true)
      .parse(collect)
      .timeout({ deadline: timeoutMs })
      // Removes superagent's default; `set` restores it if the request has the field.
      .unset("Accept-Encoding")
      // Node writes the same `Host`; superagent would take it for the name of the server in TLS, an
      // address too.
      .set(Object.fromEntries(sentFields(request).slice(1)))
      .agent(agent);
    if (certificate) test.cert(certificate.cert).key(certificate.key);
    // Without `serialize` a Buffer under application/json is sent as the JSON text of a Buffer
    // object. The declared type allows strings only; the result is passed to `ClientRequest.end`,
    // which accepts a Buffer.
    if (body !== "")
      test.serialize((bytes: unknown) => bytes as string).send(Buffer.from(body, "latin1"));
    test.on("request", () => {
      const client = clientOf(test);
      // Node would add them, and the bytes would be others than those that a report shows.
      client.removeHeader("Connection");
      if (body === "")
        for (const name of ["Content-Length", "Transfer-Encoding"]) client.removeHeader(name);
      // Node writes `Host` behind the fields that it is given; a request has it first.
      for (const name of client.getRawHeaderNames()) {
        const value = client.getHeader(name);
        if (value === undefined || name.toLowerCase() === "host") continue;
        client.removeHeader(name);
        client.setHeader(name, value);
      }
      client.prependOnceListener("response", (message) => {
        // superagent would decompress; the raw header fields keep it.
        delete message.headers["content-encoding"];
      });
    });
    return test;
  }

  /**
   * Null if a kept connection is lost before a response has begun, and the request may be repeated.
   * A command may have been carried out: that it has no response is what there is to say.
   */
  private through(agent: http.Agent, request: Request, most: number): Promise<Received | null> {
    const { signal, timeoutMs, numberOf, target } = this.endpoint;
    return new Promise((resolve, reject) => {
      if (signal.aborted) return reject(stopped(signal));
      const test = this.prepare(agent, request, most);
      let connection = 0;
      let isSent = false;
      test.on("request", () => {
        clientOf(test).once("finish", () => {
          isSent = true;
        });
        clientOf(test).once("socket", (socket) => {
          const number = () => {
            connection = numberOf(socket);
          };
          if (socket.connecting) socket.once(target.tls ? "secureConnect" : "connect", number);
          else number();
        });
      });
      const onStop = () => {
        test.abort();
        reject(stopped(signal));
      };
      signal.addEventListener("abort", onStop, { once: true });
      test.end((error: NodeJS.ErrnoException | null, received) => {
        signal.removeEventListener("abort", onStop);
        const message = messageOf(test);
        const fault = suiteFault(test, withPrefix(request.target, target.prefix), error);
        if (fault) return reject(fault);
        const isLost = error?.code === "ECONNRESET" && !message && clientOf(test).reusedSocket;
        if (isLost && isIdempotent(request)) return resolve(null);
        if (error || !message) {
          const status = message ? ` (status ${message.statusCode})` : "";
          const why = error
            ? reasonOf(error, most, timeoutMs)
            : "connection closed without a response";
          return resolve({
            response: null,
            error: why + (error?.code === "ETOOLARGE" ? status : ""),
            connection,
          });
        }
        const head = {
          // A response that was received has both.
          status: Number(message.statusCode),
          reason: String(message.statusMessage),
          version: message.httpVersion,
          fields: pairsOf(message.rawHeaders),
        };
        // A server that has responded need not read the rest of a body: no other request can follow
        // on this connection then (RFC 9112, 9.3).
        if (!isSent) clientOf(test).destroy();
        // Responses to HEAD or without a body never reach `collect`.
        const body = Buffer.isBuffer(received.body) ? received.body : Buffer.alloc(0);
        resolve({ response: createResponse(head, body), error: null, connection });
      });
    });
  }
}

const lost: Received = { response: null, error: "connection reset", connection: 0 };

function reasonOf(error: NodeJS.ErrnoException, most: number, timeoutMs: number): string {
  if (error.code === "ETOOLARGE") return tooLong(most);
  return error.code === "ECONNABORTED" ? timedOut(timeoutMs) : explain(error);
}

/** An error if the client does not send the request, or would change it. */
function suiteFault(
  test: supertest.Test,
  path: string,
  error: NodeJS.ErrnoException | null,
): Error | null {
  // Node's errors about certificates or handshakes are the target's.
  if (/^ERR_(?!TLS|SSL)/.test(error?.code ?? "")) return error;
  const sent = clientOf(test)?.path;
  return sent === path ? null : new Error(`supertest cannot send ${path} as it stands (${sent})`);
}
