import { type AddressInfo, connect, createServer, type Socket } from "node:net";

export interface Front {
  readonly url: string;
  readonly close: () => Promise<void>;
}

/** `GET /api/@user.list?limit=1` is `GET /api/?@=user.list&limit=1`, and `POST /api/@user.create` is `POST /api/`. */
function onTheWire(bytes: Buffer): Buffer {
  const [, method, operation, query = ""] =
    /^([A-Z]+) \/api\/@([^ ?]*)\??([^ ]*) HTTP/.exec(bytes.toString("latin1")) ?? [];
  if (operation === undefined) return bytes;
  const name = operation.replace(/^%40/, "");
  const rest = query === "" ? "" : `&${query}`;
  const target = method === "POST" ? `/api/${query && `?${query}`}` : `/api/?@=${name}${rest}`;
  const end = bytes.indexOf(" HTTP");
  return Buffer.concat([Buffer.from(`${method} ${target}`, "latin1"), bytes.subarray(end)]);
}

/**
 * Gives the operations of a server the paths that the by-operation document has for them. Only request lines change
 * (a request that begins with a chunk, as on a loopback socket it does); answers pass byte for byte.
 */
export async function startFront(upstream: string): Promise<Front> {
  const { hostname, port } = new URL(upstream);
  const sockets = new Set<Socket>();
  const server = createServer({ allowHalfOpen: true, noDelay: true }, (client) => {
    const target = connect({ host: hostname, port: Number(port), allowHalfOpen: true, noDelay: true });
    for (const [from, to] of [
      [client, target],
      [target, client],
    ] as const) {
      sockets.add(from);
      from.on("error", () => to.destroy()).on("close", () => sockets.delete(from));
    }
    client.on("data", (bytes) => target.write(onTheWire(bytes))).on("end", () => target.end());
    target.on("close", () => client.destroySoon());
    target.pipe(client);
  });
  await new Promise<void>((resolve, reject) => {
    server.once("error", reject).listen(0, "127.0.0.1", resolve);
  });
  const { port: own } = server.address() as AddressInfo; // a listening TCP server has no other kind of address
  return {
    url: `http://127.0.0.1:${own}`,
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        for (const socket of sockets) socket.destroy();
      }),
  };
}
