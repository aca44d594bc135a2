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

/**
 * Serves the target through the hooks, in this process. `Host` is forwarded, so the target must not
 * select its site by that name.
 */
export async function startProxy(hooks: Hooks, { url, credentials }: Service) {
  /** Errors thrown by hooks: bugs of the proof, not of a broken server. */
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
    const context = { ...shared, client, connection: new Map() };
    hooks.socket?.(context);
    serve(hooks, context).catch((fault: unknown) => {
      // What is closed while a request is on its way needs no response.
      if (!client.destroyed) faults.push(fault);
      client.destroy();
    });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  // A listening TCP server has no other kind of address.
  const { port } = server.address() as AddressInfo;
  return {
    /** With the target's path prefix: requests need no rewriting. */
    url: `http://127.0.0.1:${port}${target.prefix}`,
    faults,
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        for (const client of clients) client.destroy();
      }),
  };
}
