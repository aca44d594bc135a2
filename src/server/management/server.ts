import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { ExpectedError } from "../expected-error.ts";
import type { Log } from "../log/log.ts";
import { type Config, localUrl } from "../settings/config.ts";
import type { Versions } from "../settings/package.ts";
import type { Storage } from "../storage/storage.ts";

/** The response of a path of the management port. */
export interface Page {
  readonly status: number;
  readonly mediaType: string;
  readonly body: string;
}

type MakePage = () => Promise<Page>;

/** The life of a service; after it there is nothing left that could be requested. */
export type Phase = "starting" | "ready" | "draining";

const statusPage = (status: number, name: string, versions?: Versions): Page => {
  const body = JSON.stringify({ status: name, ...versions });
  return { status, mediaType: "application/json", body };
};

type Changes = Pick<Log, "error" | "info">;

/**
 * Whether requests should be sent here: it is neither starting nor stopping, and the storage would
 * accept a write.
 */
export function readiness(
  phase: () => Phase,
  { checkWritable }: Pick<Storage, "checkWritable">,
  log: Changes,
): MakePage {
  let worked = true;
  return async () => {
    if (phase() !== "ready") return statusPage(503, phase());
    const cause = await checkWritable().catch((error: unknown) => error);
    // Once for each change, not for each request.
    if (worked && cause) log.error("storage fails", {}, cause);
    else if (!worked && !cause) log.info("storage works");
    worked = !cause;
    return worked ? statusPage(200, "ready") : statusPage(503, "storage fails");
  };
}

/**
 * For operators, not for callers: a separate port, which responds while callers are rejected or too
 * many. `opened` is its address, or null when it is off.
 */
export function openManagement(
  {
    PORT,
    MANAGEMENT_HOST: host,
    MANAGEMENT_PORT: port,
  }: Pick<Config, "PORT" | "MANAGEMENT_HOST" | "MANAGEMENT_PORT">,
  versions: Versions,
  ready: MakePage,
  metrics: MakePage,
) {
  const pages = new Map([
    ["/livez", async () => statusPage(200, "alive", versions)],
    ["/readyz", ready],
    ["/metrics", metrics],
  ]);
  const server = createServer(async ({ url = "", method = "" }, response) => {
    // Some probes add a query, which means nothing here.
    const page = pages.get(url.replace(/\?.*/s, ""));
    if (!page) return response.writeHead(404).end();
    if (method !== "GET" && method !== "HEAD")
      return response.writeHead(405, { Allow: "GET, HEAD" }).end();
    // An error while a page is created, for example when the storage closes, must not end the
    // process.
    const { status, mediaType, body } = await page().catch(() => ({
      status: 500,
      mediaType: "text/plain",
      body: "",
    }));
    return response
      .writeHead(status, { "Content-Type": mediaType, "Cache-Control": "no-store" })
      .end(body);
  });
  const listen = async (on: number) => {
    await once(server.listen(on, host), "listening");
    // An object for every server that listens on a port.
    return localUrl(host, (server.address() as AddressInfo).port);
  };
  const explain = (cause: NodeJS.ErrnoException) => {
    const sign = PORT > 55_535 ? "-" : "+";
    const named = `${port} (MANAGEMENT_PORT; by default PORT ${sign} 10,000)`;
    const why =
      cause.code === "EADDRINUSE"
        ? `Port ${named} is in use: stop what listens there (this service, started before?), ` +
          "or choose another port"
        : `Cannot listen on port ${named} of MANAGEMENT_HOST (${cause.code}): choose another ` +
          "host or port";
    throw new ExpectedError(`${why}, or MANAGEMENT_PORT=off.`, { cause });
  };
  return {
    opened: port === "off" ? Promise.resolve(null) : listen(port).catch(explain),
    close: () =>
      new Promise<void>((resolve) => {
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
