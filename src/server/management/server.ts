import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { SafeError } from "../safe-error.ts";
import { type Config, ownUrl } from "../settings/config.ts";

/** The response of a path of the management port. */
export interface Page {
  readonly status: number;
  readonly mediaType: string;
  readonly body: string;
}

type MakePage = () => Promise<Page>;

interface Management {
  /** Its address, or null when it is off. */
  readonly opened: Promise<string | null>;
  close(): Promise<void>;
}

/** For operators, not for callers: a separate port, which responds while callers are rejected or too many. */
export function openManagement(
  { port: ofCalls, management: { host, port } }: Pick<Config, "port" | "management">,
  { ready, metrics }: { readonly ready: MakePage; readonly metrics: { readonly page: MakePage } },
): Management {
  const pages = new Map<string, MakePage>([
    ["/livez", async () => ({ status: 200, mediaType: "application/json", body: '{"status":"alive"}' })],
    ["/readyz", ready],
    ["/metrics", metrics.page],
  ]);
  const server = createServer(async ({ url = "", method = "" }, response) => {
    // Some probes add a query, which means nothing here.
    const page = pages.get(url.replace(/\?.*/s, ""));
    if (!page) return response.writeHead(404).end();
    if (method !== "GET" && method !== "HEAD") return response.writeHead(405, { Allow: "GET, HEAD" }).end();
    // An error while a page is created, for example when the storage closes, must not end the process.
    const { status, mediaType, body } = await page().catch(() => ({ status: 500, mediaType: "text/plain", body: "" }));
    return response.writeHead(status, { "Content-Type": mediaType, "Cache-Control": "no-store" }).end(body);
  });
  const listen = async (on: number) => {
    await new Promise<void>((resolve, reject) => server.once("error", reject).listen(on, host, resolve));
    return ownUrl(host, (server.address() as AddressInfo).port); // an object for every server that listens on a port
  };
  const explain = (cause: NodeJS.ErrnoException) => {
    const named = `${port} (MANAGEMENT_PORT; by default PORT ${ofCalls > 55_535 ? "-" : "+"} 10,000)`;
    const why =
      cause.code === "EADDRINUSE"
        ? `Port ${named} is in use: stop what listens there (this service, started before?), or choose another port`
        : `Cannot listen on port ${named} of MANAGEMENT_HOST (${cause.code}): choose another host or port`;
    throw new SafeError(`${why}, or MANAGEMENT_PORT=off.`, { cause });
  };
  return {
    opened: port === "off" ? Promise.resolve(null) : listen(port).catch(explain),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
