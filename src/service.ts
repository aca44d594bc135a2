import { type AddressInfo, createServer as createDoor } from "node:net";
import { operations } from "../generated/operations.ts";
import { validators } from "../generated/validators.ts";
import { createApp } from "./app.ts";
import { systemClock } from "./clock.ts";
import { type Config, ownUrl } from "./config.ts";
import { createDispatcher } from "./dispatcher.ts";
import { loadContract } from "./docs/contract-assets.ts";
import { checkDocuments, loadDocuments, packageRoot } from "./docs/documents.ts";
import { createAsset } from "./http/assets.ts";
import { createReplies } from "./http/reply.ts";
import { createServer, type HttpServer } from "./http/server.ts";
import { createKeyFinder } from "./keys/find-key.ts";
import { type Log, openLog } from "./log/log.ts";
import type { Services } from "./operations/handler.ts";
import { handlers } from "./operations/handlers.ts";
import { systemInformation } from "./operations/sysinfo.ts";
import type { Problem } from "./protocol/problem.ts";
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
  const onUndocumented = (operation: string | null, faults: readonly string[], requestId: string) =>
    log.error("undocumented answer", { requestId, operation, faults });
  const onFault = ({ code, cause }: Problem, requestId: string) => log.error("fault", { requestId, code }, cause);
  const replies = createReplies({
    problemsUrl: `${deploymentUrls[0]}/api/?@=docs.get.problems`,
    corsOrigins: config.corsOrigins,
    checkAnswers: config.checkAnswers,
    onAnswer: (line) => log.info("request", { ...line }),
    onFault,
    onUndocumented,
  });
  const findKey = createKeyFinder({
    keys: storage.keys,
    clock: systemClock,
    cacheMs: config.keyCacheMs,
    cacheEntries: config.keyCacheEntries,
  });
  const contract = { operations, validators, handlers };
  const app = createApp({
    config,
    dispatch: createDispatcher(contract, { services, findKey, config, onUndocumented }),
    assets: new Map([
      ...loadContract(root, deploymentUrls),
      ["/robots.txt", createAsset({ mediaType: "text/plain; charset=utf-8", content: ROBOTS })],
    ]),
    systemInformation: (clientAddress, method) => systemInformation(systemClock, clientAddress, method),
    replies,
    onFault,
  });
  return createServer(app.callback(), { replies, limits: config.limits, timeouts: config.timeouts });
}
