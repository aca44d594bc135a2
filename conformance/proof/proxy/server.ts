import { type AddressInfo, createServer, type Socket } from "node:net";
import { seededRandom } from "../../run/random.ts";
import { serve } from "./connection.ts";
import type { Context, GoodCredentials, Hooks } from "./message.ts";

export interface ProxyOptions {
  /** For mutants that accept callers whom the target would reject. */
  readonly credentials?: GoodCredentials;
  /** For `context.random`; the same seed gives the same server. */
  readonly seed?: number;
  /** Called for each error thrown by a hook, which closes the connection. */
  readonly onFault?: (fault: unknown) => void;
}

export interface ProxyServer {
  /** With the target's path prefix: requests need no rewriting. */
  readonly url: string;
  /** Errors thrown by hooks: they are faults of the harness, not of a broken server. */
  readonly faults: readonly unknown[];
  readonly close: () => Promise<void>;
}

/**
 * Serves the target through the hooks on a loopback port (0: any free one). Requests are forwarded byte for byte, `Host`
 * included, so the target must not select its site by that name.
 */
export async function startProxy(
  hooks: Hooks,
  target: string,
  port = 0,
  { credentials, seed = 1, onFault }: ProxyOptions = {},
): Promise<ProxyServer> {
  const faults: unknown[] = [];
  const clients = new Set<Socket>();
  const shared: Omit<Context, "forward" | "connection"> = {
    target: new URL(target),
    credentials: credentials ?? null,
    state: new Map(),
    random: seededRandom(seed),
  };
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    clients.add(client);
    client.on("close", () => clients.delete(client)).on("error", () => {});
    const connection = new Map<string, unknown>();
    const forward = () => Promise.reject(new Error("nothing to forward on a socket"));
    if (hooks.socket?.(client, { ...shared, connection, forward })) return;
    serve(client, hooks, { ...shared, connection }).catch((fault: unknown) => {
      faults.push(fault);
      onFault?.(fault);
      client.destroy();
    });
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(port, "127.0.0.1", resolve);
  });
  const { port: bound } = server.address() as AddressInfo; // a listening TCP server has no other kind of address
  return {
    url: `http://127.0.0.1:${bound}${shared.target.pathname.replace(/\/$/, "")}`,
    faults,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const client of clients) client.destroy();
      }),
  };
}
