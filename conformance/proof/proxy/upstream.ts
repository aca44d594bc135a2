import { connect as connectTcp, isIP, type Socket } from "node:net";
import { connect as connectTls } from "node:tls";
import { type Received, received } from "./answer.ts";

/** The target closed the connection before a whole response came, or sent a response that is not HTTP. */
export class TargetClosed extends Error {
  override readonly name = "TargetClosed";
  constructor(
    /** The bytes received. */
    readonly bytes: Buffer,
    /** The connection was reset instead of closed. */
    readonly reset: boolean,
  ) {
    super("the target closed the connection without a whole answer");
  }
}

/** A loopback address other than the default one. */
const OWN_LOOPBACK = /^127\.(?!0\.0\.1$)/;

/**
 * A new connection to the target, TLS for `https:`; on loopback from the client's address, so that the target can distinguish
 * callers.
 */
export function connect({ protocol, hostname, port }: URL, from = ""): Socket {
  const host = hostname.replace(/^\[|\]$/g, "");
  const own = OWN_LOOPBACK.test(from) && host === "127.0.0.1" ? { localAddress: from } : {};
  if (protocol !== "https:") return connectTcp({ host, port: Number(port || 80), allowHalfOpen: true, ...own });
  const name = isIP(host) ? {} : { servername: host };
  return connectTls({ host, port: Number(port || 443), ALPNProtocols: ["http/1.1"], ...name });
}

/** A final response, and the bytes after it. */
export interface Final extends Received {
  readonly rest: Buffer;
}

/** Reads one final response from the connection; interim responses go to `interim` as they come. Rejects with `TargetClosed`. */
export function receive(upstream: Socket, method: string, interim: (bytes: Buffer) => void): Promise<Final> {
  return new Promise((resolve, reject) => {
    let bytes: Buffer = Buffer.alloc(0);
    const look = (ended: boolean) => {
      for (;;) {
        const read = received(bytes, method, ended);
        // Garbage is collected until the end: it is returned unchanged.
        if (!read) return;
        if (!read.interim) {
          upstream.off("data", collect).pause();
          return resolve({ ...read, rest: bytes.subarray(read.bytes.length) });
        }
        interim(read.bytes);
        bytes = bytes.subarray(read.bytes.length);
      }
    };
    const collect = (chunk: Buffer) => {
      bytes = Buffer.concat([bytes, chunk]);
      look(false);
    };
    upstream.on("data", collect);
    upstream.on("end", () => {
      look(true);
      reject(new TargetClosed(bytes, false));
    });
    upstream.on("error", () => reject(new TargetClosed(bytes, true)));
    upstream.on("close", () => reject(new TargetClosed(bytes, false)));
  });
}
