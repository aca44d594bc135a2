import net from "node:net";
import tls from "node:tls";
import { Stopped } from "../expectation.ts";
import { HEAD_END, parseAnswers } from "./answers.ts";
import type { Answer } from "./exchange.ts";
import { Gathered, HEAD_TOO_LONG, MOST_HEAD, MOST_RECEIVED, MOST_TOGETHER, tooLong } from "./gathered.ts";
import type { SendLimits } from "./http.ts";
import type { Target } from "./target.ts";

const PROBE_MS = 500;

/** Why reading ended. */
const TOO_MUCH: Readonly<Record<string, string>> = {
  "too long": tooLong(MOST_RECEIVED),
  "head too long": HEAD_TOO_LONG,
};

export interface RawOptions {
  /** Stop reading after this many responses; default 1. `Infinity`: read until the connection closes. */
  readonly answers?: number;
  /** Requests, by position, that are HEAD: their responses have no body. */
  readonly heads?: readonly boolean[];
  /** Write each piece, a request, only after the responses to those before it. */
  readonly inTurn?: boolean;
  /** Close after the last byte, without reading. */
  readonly closeAfter?: boolean;
  /** Read nothing: only a failing write shows that the target has closed. */
  readonly unread?: boolean;
  /** The address of this machine to send from. */
  readonly from?: string;
  /** Overrides the run's time-out per request, in milliseconds. */
  readonly timeoutMs?: number;
}

/** The result of a connection. */
export interface Conversation {
  readonly answers: readonly Answer[];
  /** The target closed the connection. */
  readonly closed: boolean;
  readonly reset: boolean;
  readonly timedOut: boolean;
  /** Bytes that are not a whole response. */
  readonly leftover: Buffer;
  /** `connection refused` and the like; null when there was a connection. */
  readonly error: string | null;
}

function connect(target: Target, from: string | undefined, { certificate }: SendLimits["gateway"]): net.Socket {
  const { hostname: host, port } = target;
  const where = { host, port, ...(from === undefined ? {} : { localAddress: from }) };
  if (!target.tls) return net.connect(where);
  const name = net.isIP(host) ? {} : { servername: host };
  return tls.connect({ ...where, ...name, ...(certificate && { cert: certificate.cert, key: certificate.key }) });
}

/**
 * Each piece is sent in a TCP segment of its own: the next one is written when the operating system has taken the last, and
 * `ready` resolves.
 */
async function writePieces(
  socket: net.Socket,
  pieces: readonly Buffer[],
  ready: (piece: number) => Promise<void>,
): Promise<void> {
  for (const [index, piece] of pieces.entries()) {
    await ready(index);
    if (socket.destroyed) return;
    await new Promise<void>((resolve) => socket.write(piece, () => setImmediate(resolve)));
  }
}

/** Writes exact bytes on a new connection and reads the responses. Resolves whatever happens; throws only `Stopped`. */
export function converse(
  target: Target,
  pieces: readonly Buffer[],
  options: RawOptions,
  limits: SendLimits,
): Promise<Conversation> {
  const wanted = options.answers ?? 1;
  const heads = options.heads ?? [];
  return new Promise((resolve, reject) => {
    const socket = connect(target, options.from, limits.gateway).setNoDelay(true);
    const gathered = new Gathered();
    let error: NodeJS.ErrnoException | null = null;
    const settle = (how: "closed" | "timedOut" | "done" | "too long" | "head too long") => {
      clearTimeout(timer);
      clearInterval(probe);
      limits.stop.removeEventListener("abort", onStop);
      socket.destroy();
      const { answers, rest } = parseAnswers(gathered.bytes, heads, how === "closed");
      resolve({
        answers,
        closed: how === "closed",
        reset: error?.code === "ECONNRESET" || error?.code === "EPIPE",
        timedOut: how === "timedOut",
        leftover: rest,
        error: TOO_MUCH[how] ?? error?.message ?? null,
      });
    };
    const onStop = () => {
      clearTimeout(timer);
      clearInterval(probe);
      socket.destroy();
      reject(Stopped.by(limits.stop));
    };
    // Empty lines between requests are ignored (RFC 9112 2.2).
    const probe = options.unread ? setInterval(() => socket.write("\r\n"), PROBE_MS) : undefined;
    const timer = setTimeout(() => settle("timedOut"), options.timeoutMs ?? limits.timeoutMs);
    limits.stop.addEventListener("abort", onStop, { once: true });
    const soFar = () => parseAnswers(gathered.bytes, heads, false);
    let onAnswers = () => {};
    /** Never resolves if the connection ends before. */
    const answers = (count: number) =>
      new Promise<void>((resolve) => {
        onAnswers = () => {
          if (soFar().answers.length >= count) resolve();
        };
        onAnswers();
      });
    socket.on("data", (chunk) => {
      gathered.add(chunk);
      const { answers, rest } = soFar();
      if (answers.length >= wanted) settle("done");
      else if (rest.length > MOST_RECEIVED || gathered.bytes.length > MOST_TOGETHER) settle("too long");
      else if (rest.length > MOST_HEAD && !rest.includes(HEAD_END)) settle("head too long");
      onAnswers();
    });
    socket.on("error", (cause) => {
      error = cause;
    });
    socket.on("close", () => settle("closed"));
    if (options.unread) socket.pause();
    socket.once(target.tls ? "secureConnect" : "connect", async () => {
      await writePieces(socket, pieces, (index) => (options.inTurn ? answers(index) : Promise.resolve()));
      if (options.closeAfter) settle("done");
    });
  });
}
