import type { AddressInfo, Server } from "node:net";
import { setTimeout as after } from "node:timers/promises";
import { createApp } from "./app.ts";
import { systemClock } from "./clock.ts";
import type { Definition } from "./definition.ts";
import { createDispatcher } from "./dispatch.ts";
import { checkDocuments, loadDocuments } from "./documents/documents.ts";
import { loadFiles } from "./documents/files.ts";
import { landingPage, systemInformation } from "./documents/landing.ts";
import { publishedOf } from "./documents/links.ts";
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
  onceByKey,
  openIdempotencyKeys,
  sweepIdempotencyKeys,
} from "./resources/idempotency.ts";
import { createSender, type SenderOptions } from "./response/send.ts";
import { type Config, ownUrl } from "./settings/config.ts";
import { openStorage, type Storage } from "./storage/storage.ts";

/** A service that listens. */
export interface Service {
  /** Its address on this machine. */
  readonly url: string;
  /** The address of its management port; null when that is off. */
  readonly managementUrl: string | null;
  readonly storage: Storage;
  /** Reports that it stops, finishes what is in flight, then closes the storage; once, however often it is called. */
  close(): Promise<void>;
}

/** Opens the management port, migrates the storage (or, with `migrates: false`, requires that it is migrated), takes the port, assembles the parts and listens. */
export async function startService(
  definition: Definition,
  config: Config,
  log: Log = openLog(config),
  {
    migrates = true,
    print,
  }: { readonly migrates?: boolean; readonly print?: (line: string) => void } = {},
): Promise<Service> {
  const { contract, idempotency = { table: "idempotency_keys", column: "resource_id" } } =
    definition;
  // In production an empty folder is more likely a volume that is not mounted than a first start.
  const storage = openStorage(config, definition, config.production ? "never" : "ifMissing", print);
  // Takes the port before anything is served, since the documents name it.
  const listener = createListener();
  const eventLoop = watchEventLoop();
  const guard = new OverloadGuard(config.limits, eventLoop.delayMs);
  const calls = new HandlerCalls(config.timeouts.handlerTimeoutMs, log);
  let phase: Phase = "starting";
  let server: HttpServer | null = null;
  const rateLimits = openRateLimits(config.rateLimits, log);
  const keyUses = openKeyUses(storage.keys, systemClock, (error) =>
    log.warn("uses of keys not noted", {}, error),
  );
  const metrics = createMetrics(
    { name: config.name.replaceAll("-", "_"), version: contract.version },
    {
      inFlight: () => guard.inFlight,
      overdue: () => guard.overdue,
      connections: () => server?.connectionCount() ?? 0,
      eventLoopDelayMs: eventLoop.delayMs,
      pools: storage.pools,
      lostLogLines: log.lostLines,
      rateLimits: rateLimits.stats,
    },
  );
  const management = openManagement(
    config,
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
      listener.once("error", reject).listen(config.port, config.host, resolve),
    );
    // Nothing is awaited from here until `assemble`: a connection accepted meanwhile would be neither served nor closed.
    const url = ownUrl(config.host, (listener.address() as AddressInfo).port);
    const deploymentUrls = config.deploymentUrls ?? [url];
    const idempotencyKeys = openIdempotencyKeys(storage.database, idempotency);
    const sweep = sweepIdempotencyKeys({
      idempotencyKeys,
      clock: systemClock,
      ttlMs: config.idempotencyTtlMs,
      onFault: (error) => log.warn("old idempotency keys not forgotten", {}, error),
    });
    opened.push(sweep);
    const record: Parts["record"] = (record, { keyInQuery }, { headers }) => {
      log.info("request", record);
      metrics.count(record, keyInQuery);
      tracing?.note(record, headers);
    };
    const faults = openFaultLog(log);
    opened.push(faults);
    const parts = {
      storage,
      idempotencyKeys,
      log,
      rateLimits,
      guard,
      calls,
      listener,
      record,
      onKeyUse: keyUses.note,
      onFault: faults.note,
    };
    const listening = assemble(definition, config, deploymentUrls, parts);
    server = listening;
    phase = "ready";
    let closed: Promise<void> | null = null;
    const close = async () => {
      phase = "draining";
      const { shutdownDelayMs, drainTimeoutMs } = config.timeouts;
      if (shutdownDelayMs > 0) await after(shutdownDelayMs);
      await listening.shutDown(() => calls.stop());
      const ended = end();
      // A handler that goes on may keep a connection to the database for ever.
      if (guard.overdue > 0) await Promise.race([ended, after(drainTimeoutMs)]);
      else await ended;
    };
    return { url, managementUrl, storage, close: () => (closed ??= close()) };
  } catch (error) {
    listener.close();
    await end();
    throw error;
  }
}

interface Parts {
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
  parts: Parts,
): HttpServer {
  const {
    storage,
    idempotencyKeys,
    log,
    rateLimits,
    guard,
    calls,
    listener,
    record,
    onKeyUse,
    onFault,
  } = parts;
  const { contract, handlers } = definition;
  const { corsOrigins, checkAnswers, limits, timeouts } = config;
  const published = publishedOf(definition);
  const documents = loadDocuments(published, deploymentUrls[0]);
  checkDocuments(documents, contract.validators["docs.get"], checkAnswers, (faults) =>
    log.error("undocumented documents", { faults }),
  );
  const onUndocumented = (operation: string | null, faults: readonly string[], requestId: string) =>
    log.error("undocumented response", { requestId, operation, faults });
  const sender = createSender({
    contract,
    holdsKey: storage.keys.form.isIn,
    problemsUrl: `${deploymentUrls[0]}/api/?@=docs.get.problems`,
    corsOrigins,
    checkAnswers,
    record,
    onFault,
    onUndocumented,
  });
  const findKey = createKeyFinder({
    keys: storage.keys,
    clock: systemClock,
    challenge: challengeOf(contract.keys.realm),
    cacheMs: config.keyCacheMs,
    cacheEntries: config.keyCacheEntries,
    onUse: onKeyUse,
  });
  const app = createApp({
    config,
    dispatch: createDispatcher({
      contract,
      handlers,
      services: definition.services(storage.database, { documents, tryWrite: storage.tryWrite }),
      now: systemClock.now,
      createOnce: onceByKey(idempotencyKeys, config.idempotencyTtlMs),
      calls,
      findKey,
      rateLimits,
      config,
      onUndocumented,
    }),
    assets:
      definition.root === undefined
        ? new Map()
        : loadFiles(published, deploymentUrls, config.securityTxt),
    landingPage: landingPage(published, deploymentUrls),
    systemInformation: (clientAddress, method) =>
      systemInformation(contract, systemClock.now(), clientAddress, method),
    sender,
    guard,
    onFault,
  });
  return createServer(listener, app.callback(), { sender, guard, limits, timeouts });
}
