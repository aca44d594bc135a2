import { type AddressInfo, createServer, type Socket } from "node:net";
import { parseTarget } from "../../http/target.ts";
import { seededRandom } from "../../run/random.ts";
import { serve } from "./connection.ts";
import type { Context, Hooks } from "./message.ts";

/** What is served; with credentials, for mutants that accept callers whom it would reject. */
export interface Service {
  readonly url: string;
  readonly credentials?: { readonly full: NonNullable<Context["credentials"]> };
}

export interface ProxyOptions {
  /** On loopback; by default any free one. */
  readonly port?: number;
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
 * Serves the target through the hooks. Requests are forwarded byte for byte, `Host` included, so the target must not select its
 * site by that name.
 */
export async function startProxy(
  hooks: Hooks,
  { url, credentials }: Service,
  { port = 0, onFault }: ProxyOptions = {},
): Promise<ProxyServer> {
  const faults: unknown[] = [];
  const clients = new Set<Socket>();
  const target = parseTarget(url);
  const shared = {
    target,
    credentials: credentials?.full ?? null,
    state: new Map(),
    random: seededRandom(1),
  };
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    clients.add(client);
    // A reset is followed by `close`; without a listener it would end the process.
    client.on("close", () => clients.delete(client)).on("error", () => {});
    const own = { ...shared, client, connection: new Map() };
    hooks.socket?.(own);
    serve(hooks, own).catch((fault: unknown) => {
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
    url: `http://127.0.0.1:${bound}${target.prefix}`,
    faults,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const client of clients) client.destroy();
      }),
  };
}
