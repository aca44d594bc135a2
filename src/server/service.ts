import type { AddressInfo, Server } from "node:net";
import { setTimeout as after } from "node:timers/promises";
import { createApp } from "./app.ts";
import type { ServerOptions } from "./client-connection.ts";
import { systemClock } from "./clock.ts";
import type { Definition } from "./definition.ts";
import { createDispatcher } from "./dispatch.ts";
import { checkDocuments, loadDocuments } from "./documents/documents.ts";
import { loadFiles } from "./documents/files.ts";
import { landingPage } from "./documents/landing.ts";
import { siteOf } from "./documents/links.ts";
import { HandlerCalls } from "./handler-calls.ts";
import { createListener, createServer, type HttpServer } from "./http-server.ts";
import { createKeyFinder } from "./keys/find-key.ts";
import { openKeyUses } from "./keys/key-uses.ts";
import { openRateLimits, type RateLimits } from "./limits/rate-limits.ts";
import { openFaultLog } from "./log/fault-log.ts";
import { type Log, openLog } from "./log/log.ts";
import { createMetrics } from "./management/metrics.ts";
import { openManagement, type Phase, readiness } from "./management/server.ts";
import { openTracing } from "./management/tracing.ts";
import { OverloadGuard, watchEventLoop } from "./overload-guard.ts";
import { challengeOf } from "./request/credentials.ts";
import {
  type IdempotencyKeys,
  openIdempotencyKeys,
  sweepIdempotencyKeys,
} from "./resources/idempotency.ts";
import { createSender, type SenderOptions } from "./response/send.ts";
import { type Config, localUrl } from "./settings/config.ts";
import { packageVersion, type Versions } from "./settings/package.ts";
import { openStorage, type Storage } from "./storage/storage.ts";
import { systemInformation } from "./system-information.ts";

/** A service that listens. */
export interface Service {
  /** Its address on this machine. */
  readonly url: string;
  /** The address of its management port; null when that is off. */
  readonly managementUrl: string | null;
  readonly versions: Versions;
  readonly storage: Storage;
  /**
   * Reports that it stops, finishes what is in flight, then closes the storage; once, however often
   * it is called.
   */
  close(): Promise<void>;
}

/**
 * Opens the management port, migrates the storage (or, with `migrates: false`, requires that it is
 * migrated), takes the port, assembles the parts and listens.
 */
export async function startService(
  definition: Definition,
  config: Config,
  log: Log = openLog(config),
  {
    migrates = true,
    print,
  }: { readonly migrates?: boolean; readonly print?: (line: string) => void } = {},
): Promise<Service> {
  const { contract, formerRecordColumn } = definition;
  const versions = { release: packageVersion(definition.root), contract: contract.version };
  // In production an empty folder is more likely a volume that is not mounted than a first start.
  const storage = openStorage(config, definition, config.production ? "never" : "ifMissing", print);
  // Takes the port before anything is served, since the documents name it.
  const listener = createListener();
  const eventLoop = watchEventLoop();
  const guard = new OverloadGuard(config, eventLoop.delayMs);
  let phase: Phase = "starting";
  let server: HttpServer | null = null;
  const rateLimits = openRateLimits(config, log);
  const keyUses = openKeyUses(storage.keys, systemClock, (error) =>
    log.warn("uses of keys not noted", {}, error),
  );
  const metrics = createMetrics(config.name.replaceAll("-", "_"), versions, {
    inFlight: () => guard.inFlight,
    overdue: () => guard.overdue,
    connections: () => server?.connectionCount() ?? 0,
    eventLoopDelayMs: eventLoop.delayMs,
    pools: storage.pools,
    lostLogLines: log.lostLines,
    rateLimits: rateLimits.stats,
  });
  const management = openManagement(
    config,
    versions,
    readiness(() => phase, storage, log),
    metrics.page,
  );
  // Closed in the reverse order of opening.
  const opened: { close(): unknown }[] = [storage, eventLoop, management, keyUses, rateLimits];
  const end = async () => {
    for (const part of [...opened].reverse()) await part.close();
  };
  try {
    const managementUrl = await management.opened;
    await (migrates ? storage.migrate() : storage.expectMigrated());
    const tracing = config.tracing && (await openTracing(config.tracing, contract, config, log));
    if (tracing) opened.push(tracing);
    await new Promise<void>((resolve, reject) =>
      listener.once("error", reject).listen(config.PORT, config.HOST, resolve),
    );
    // Nothing is awaited from here until `assemble`: a connection accepted meanwhile would be
    // neither served nor closed.
    const url = localUrl(config.HOST, (listener.address() as AddressInfo).port);
    const ttlMs = config.IDEMPOTENCY_TTL_S * 1000;
    const idempotencyKeys = openIdempotencyKeys(storage.database, ttlMs, formerRecordColumn);
    const sweep = sweepIdempotencyKeys({
      idempotencyKeys,
      clock: systemClock,
      ttlMs,
      onFault: (error) => log.warn("old idempotency keys not forgotten", {}, error),
    });
    const faults = openFaultLog(log);
    const calls = new HandlerCalls({
      timeoutMs: config.HANDLER_TIMEOUT_MS,
      log,
      containsKeyLike: storage.keys.form.containsKeyLike,
      beginSpan: tracing?.begin ?? null,
    });
    opened.push(sweep, faults);
    const listening = assemble(definition, config, config.DEPLOYMENT_URLS ?? [url], {
      storage,
      idempotencyKeys,
      log,
      rateLimits,
      guard,
      calls,
      listener,
      record(record, { keyInQuery, call }, { headers }) {
        log.info("request", record);
        metrics.count(record, keyInQuery);
        tracing?.note(record, headers, call?.begunTrace);
      },
      onKeyUse: keyUses.note,
      onFault: faults.note,
    });
    server = listening;
    phase = "ready";
    let closed: Promise<void> | null = null;
    const close = async () => {
      phase = "draining";
      if (config.SHUTDOWN_DELAY_MS > 0) await after(config.SHUTDOWN_DELAY_MS);
      await listening.shutDown(() => calls.stop());
      const ended = end();
      // A handler that goes on may keep a connection to the database for ever.
      if (guard.overdue > 0) await Promise.race([ended, after(config.DRAIN_TIMEOUT_MS)]);
      else await ended;
    };
    return { url, managementUrl, versions, storage, close: () => (closed ??= close()) };
  } catch (error) {
    listener.close();
    await end();
    throw error;
  }
}

interface Dependencies {
  readonly storage: Storage;
  readonly idempotencyKeys: IdempotencyKeys;
  readonly log: Log;
  readonly rateLimits: RateLimits;
  readonly guard: OverloadGuard;
  readonly calls: HandlerCalls;
  readonly listener: Server;
  readonly record: SenderOptions["record"];
  readonly onKeyUse: (id: string) => void;
  readonly onFault: SenderOptions["onFault"];
}

function assemble(
  definition: Definition,
  config: Config,
  deploymentUrls: readonly string[],
  dependencies: Dependencies,
): HttpServer {
  const { contract, handlers } = definition;
  const { storage, log, guard, onFault } = dependencies;
  const site = siteOf(definition);
  const documents = loadDocuments(site, deploymentUrls[0]);
  checkDocuments(documents, contract.validators["docs.get"], config.checkResponses, (faults) =>
    log.error("undocumented documents", { faults }),
  );
  const onUndocumented: SenderOptions["onUndocumented"] = (operation, faults, requestId) =>
    log.error("undocumented response", { requestId, operation, faults });
  const sender = createSender({
    contract,
    containsKeyLike: storage.keys.form.containsKeyLike,
    problemsUrl: `${deploymentUrls[0]}/api/?@=docs.get.problems`,
    corsOrigins: config.CORS_ORIGINS,
    checkResponses: config.checkResponses,
    record: dependencies.record,
    onFault,
    onUndocumented,
  });
  const app = createApp({
    config,
    dispatch: createDispatcher({
      contract,
      handlers,
      services: definition.services(storage.database, {
        documents,
        checkWritable: storage.checkWritable,
      }),
      now: systemClock.now,
      once: dependencies.idempotencyKeys.once,
      calls: dependencies.calls,
      findKey: createKeyFinder({
        keys: storage.keys,
        clock: systemClock,
        challenge: challengeOf(contract.keys.realm),
        cacheEntries: config.KEY_CACHE_ENTRIES,
        onUse: dependencies.onKeyUse,
      }),
      rateLimits: dependencies.rateLimits,
      config,
      onUndocumented,
    }),
    assets:
      definition.root === undefined
        ? new Map()
        : loadFiles(site, deploymentUrls, config.SECURITY_TXT),
    landingPage: landingPage(site, deploymentUrls),
    systemInformation: (clientAddress, method) =>
      systemInformation(contract, systemClock.now(), clientAddress, method),
    sender,
    guard,
    onFault,
  });
  return createServer(dependencies.listener, app.callback(), {
    sender,
    guard,
    ...httpLimits(config),
  });
}

/** How often Node.js and we look for timeouts: the shortest of them is a few times as long. */
const TIMEOUT_CHECK_MS = 2000;

const httpLimits = (config: Config): Pick<ServerOptions, "limits" | "timeouts"> => ({
  limits: {
    maxBodyBytes: config.MAX_BODY_BYTES,
    // A third above both together, so that the service itself rejects what is a little too long.
    parserHeaderBytes: Math.ceil((4 / 3) * (config.MAX_URL_BYTES + config.MAX_HEADER_BYTES)),
    maxConnections: config.MAX_CONNECTIONS,
  },
  timeouts: {
    headersTimeoutMs: config.HEADERS_TIMEOUT_MS,
    requestTimeoutMs: config.REQUEST_TIMEOUT_MS,
    stalledTimeoutMs: config.STALLED_TIMEOUT_MS,
    timeoutCheckMs: TIMEOUT_CHECK_MS,
    keepAliveTimeoutMs: config.KEEP_ALIVE_TIMEOUT_MS,
    drainTimeoutMs: config.DRAIN_TIMEOUT_MS,
    shutdownGraceMs: config.SHUTDOWN_GRACE_MS,
  },
});
