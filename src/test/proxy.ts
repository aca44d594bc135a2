import { connect, createServer, type Socket } from "node:net";
import { portOf } from "./ports.ts";

/**
 * A URL of a database server, or of Redis, behind a proxy, until the test ends. `join` gets both
 * sockets of each connection, and passes on what it likes, the end of one as well.
 */
export async function behindProxy(
  url: string,
  join: (client: Socket, server: Socket) => void,
): Promise<string> {
  const target = new URL(url);
  const { hostname, protocol, port } = target;
  const proxy = createServer({ allowHalfOpen: true }, (client) => {
    const server = connect(Number(port || (protocol === "redis:" ? 6379 : 5432)), hostname);
    const both = [client, server];
    for (const socket of both)
      socket.on("error", () => {}).on("close", () => both.map((one) => one.destroy()));
    join(client, server);
  });
  target.host = `127.0.0.1:${await portOf(proxy)}`;
  return target.href;
}
