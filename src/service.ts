import { type AddressInfo, createServer as createDoor } from "node:net";
import { operations } from "../generated/operations.ts";
import { validators } from "../generated/validators.ts";
import { createApp } from "./app.ts";
import { systemClock } from "./clock.ts";
import { type Config, ownUrl } from "./config.ts";
import type { Services } from "./context.ts";
import { createAuthenticator } from "./credentials/authenticate.ts";
import { createDispatcher } from "./dispatcher.ts";
import { checkDocuments } from "./docs/check-documents.ts";
import { loadContract } from "./docs/contract-assets.ts";
import { loadDocuments, packageRoot } from "./docs/documents.ts";
import { createAsset } from "./http/asset.ts";
import { createServer, type HttpServer } from "./http/server.ts";
import { type Log, openLog } from "./log.ts";
import { handlers } from "./operations/handlers.ts";
import { systemInformation } from "./operations/sysinfo.ts";
import type { Problem } from "./problem.ts";
import { openStorage, type Storage } from "./storage/storage.ts";

/** A service that listens. */
export interface Service {
  /** Where it is reached from this machine. */
  readonly url: string;
  readonly storage: Storage;
  /** Finishes what is in flight, then closes the storage. */
  close(): Promise<void>;
}

/** Everything is crawled through the documents; the endpoint itself is not for crawlers. */
const ROBOTS = "User-agent: *\nDisallow: /api/\n";

/** Migrates the storage, takes the port, puts the parts together and listens. */
export async function startService(config: Config, log: Log = openLog(config)): Promise<Service> {
  // In production an empty folder is more likely a volume that is not mounted than a first start.
  const storage = openStorage(config, config.production ? "never" : "first");
  // Has the port before anything is served, since what is served may name it; who connects meanwhile waits.
  const door = createDoor();
  try {
    await storage.migrate();
    await new Promise<void>((resolve, reject) => door.once("error", reject).listen(config.port, config.host, resolve));
    const url = ownUrl(config.host, (door.address() as AddressInfo).port);
    const deploymentUrls = config.deploymentUrls ?? [url];
    const server = assemble({ config, deploymentUrls, storage, log }).listen(door);
    const close = async () => {
      await server.shutDown();
      await storage.close();
    };
    return { url, storage, close };
  } catch (error) {
    door.close();
    await storage.close();
    throw error;
  }
}

interface Parts {
  readonly config: Config;
  readonly deploymentUrls: readonly string[];
  readonly storage: Storage;
  readonly log: Log;
}

function assemble({ config, deploymentUrls, storage, log }: Parts): HttpServer {
  const root = packageRoot();
  const documents = loadDocuments(root, deploymentUrls[0]);
  checkDocuments(documents, validators["docs.get"], config.checkAnswers, (faults) =>
    log.error("undocumented documents", { faults }),
  );
  const services: Services = {
    ...storage.stores,
    ping: storage.ping,
    documents,
    clock: systemClock,
  };
  const problemsUrl = `${deploymentUrls[0]}/api/?@=docs.get.problems`;
  const onFault = ({ code, cause }: Problem, requestId: string) => {
    // Going down is none; the line of the request has it.
    if (code !== "shutting-down") log.error("fault", { requestId, code }, cause);
  };
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
      onUndocumented: (operation, faults, requestId) =>
        log.error("undocumented answer", { requestId, operation, faults }),
    },
  );
  const app = createApp({
    config,
    dispatch,
    assets: new Map([
      ...loadContract(root, deploymentUrls),
      ["/robots.txt", createAsset({ mediaType: "text/plain; charset=utf-8", content: ROBOTS })],
    ]),
    systemInformation: (clientAddress, method) => systemInformation(systemClock, clientAddress, method),
    problemsUrl,
    onAnswer: (line) => log.info("request", { ...line }),
    onFault,
  });
  const { limits, timeouts } = config;
  return createServer(app.callback(), {
    problemsUrl,
    corsOrigins: config.corsOrigins,
    limits,
    timeouts,
    onRefusal: ({ problem: { code, status }, ...line }) =>
      log.info("request", { ...line, operation: null, status, code, keyId: null }),
  });
}
