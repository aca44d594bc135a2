import type { AddressInfo } from "node:net";
import pino, { type Logger } from "pino";
import { operations } from "../generated/operations.ts";
import { validators } from "../generated/validators.ts";
import { createApp } from "./app.ts";
import { systemClock } from "./clock.ts";
import { type Config, ownUrl } from "./config.ts";
import type { Services } from "./context.ts";
import { createAuthenticator } from "./credentials/authenticate.ts";
import { createDispatcher } from "./dispatcher.ts";
import { loadContract } from "./docs/contract-assets.ts";
import { loadDocuments, packageRoot } from "./docs/documents.ts";
import { createAsset } from "./http/asset.ts";
import { createServer } from "./http/server.ts";
import { handlers } from "./operations/handlers.ts";
import { systemInformation } from "./operations/sysinfo.ts";
import type { Problem } from "./problem.ts";
import { openStorage, type Storage } from "./storage/storage.ts";

/** A service that listens. */
export interface Service {
  /** Where it is reached from this machine. */
  readonly url: string;
  readonly storage: Storage;
  readonly log: Logger;
  /** Finishes what is in flight, then closes the storage. */
  close(): Promise<void>;
}

/** Everything is crawled through the documents; the endpoint itself is not for crawlers. */
const ROBOTS = "User-agent: *\nDisallow: /api/\n";

/** Puts the parts together, migrates the storage and listens. */
export async function startService(
  config: Config,
  log: Logger = pino({ level: config.logLevel, base: null }),
): Promise<Service> {
  const storage = openStorage(config);
  const root = packageRoot();
  const services: Services = {
    ...storage.stores,
    ping: storage.ping,
    documents: loadDocuments(root, config.deploymentUrls[0]),
    clock: systemClock,
  };
  const problemsUrl = `${config.deploymentUrls[0]}/api/?@=docs.get.problems`;
  const onFault = (problem: Problem, requestId: string) =>
    log.error({ requestId, code: problem.code, err: problem.cause }, "fault");
  const dispatch = createDispatcher(
    { operations, validators, handlers },
    {
      services,
      authenticate: createAuthenticator({
        keys: storage.keys,
        platforms: config.platforms,
        clock: systemClock,
        cacheMs: config.keyCacheMs,
        cacheEntries: config.keyCacheEntries,
      }),
      config,
      onUndocumented: (operation, faults) => log.error({ operation, faults }, "undocumented answer"),
    },
  );
  let closing = false;
  const app = createApp({
    config,
    closing: () => closing,
    dispatch,
    assets: new Map([
      ...loadContract(root, config.deploymentUrls),
      ["/robots.txt", createAsset({ mediaType: "text/plain; charset=utf-8", content: ROBOTS })],
    ]),
    systemInformation: (clientAddress, method) => systemInformation(systemClock, clientAddress, method),
    problemsUrl,
    onAnswer: (line) => log.info(line, "request"),
    onFault,
  });
  const { limits, timeouts } = config;
  const server = createServer(app.callback(), {
    problemsUrl,
    corsOrigins: config.corsOrigins,
    limits,
    timeouts,
    onRefusal: ({ code, status }, requestId) =>
      log.info({ requestId, operation: null, status, code, keyId: null }, "request"),
  });
  try {
    await storage.migrate();
    await new Promise<void>((resolve, reject) =>
      server.once("error", reject).listen(config.port, config.host, resolve),
    );
  } catch (error) {
    await storage.close();
    throw error;
  }
  const close = async () => {
    closing = true;
    await new Promise<void>((resolve) => {
      server.close(() => resolve());
      server.closeIdleConnections();
    });
    await storage.close();
  };
  return { url: ownUrl(config.host, (server.address() as AddressInfo).port), storage, log, close };
}
