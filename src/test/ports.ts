import { once } from "node:events";
import { createServer, type Server } from "node:net";
import { onTestFinished } from "vitest";

/** The free port that a server now listens on, until the test ends. */
export async function portOf(server: Server): Promise<number> {
  await once(server.listen(0, "127.0.0.1"), "listening");
  onTestFinished(() => void server.close());
  const address = server.address();
  return typeof address === "object" && address ? address.port : 0;
}

/**
 * A port on which nothing listens any more. Another process may take it: only for programs that
 * cannot report which one they took.
 */
export async function freePort(): Promise<number> {
  const server = createServer();
  const port = await portOf(server);
  server.close();
  await once(server, "close");
  return port;
}
