import closeWithGrace from "close-with-grace";
import type { Definition } from "../definition.ts";
import { ExpectedError } from "../expected-error.ts";
import { openLog } from "../log/log.ts";
import { type Service, startService } from "../service.ts";
import { type Config, isPublicHost } from "../settings/config.ts";
import { databaseName } from "../storage/address.ts";
import { withTimeout } from "../with-timeout.ts";
import { firstKey } from "./first-key.ts";
import type { Cli, Outputs } from "./terminal.ts";

/**
 * Signals of a fault in the process itself. A handler for one returns to the faulting instruction,
 * which faults again, for ever: observed as a process that used a whole core after its terminal was
 * closed.
 */
const FAULTS = ["SIGILL", "SIGTRAP", "SIGABRT", "SIGBUS", "SIGFPE", "SIGSEGV"] as const;

/** Signals that end the service: of a supervisor, a terminal, and a terminal that closes. */
const SIGNALS = ["SIGTERM", "SIGINT", "SIGHUP"] as const;

/**
 * A terminal signals its whole group, and npm passes the signal on to its child once more: within
 * so many milliseconds the same signal counts once.
 */
const SAME_SIGNAL_MS = 500;

/** Calls `end` at the first signal, and `endAtOnce` at a further one of an impatient user. */
function onSignals(end: (signal: string) => void, endAtOnce: (signal: string) => void): void {
  let first: { readonly signal: string; readonly at: number } | undefined;
  const received = (signal: string) => {
    const now = performance.now();
    if (first === undefined) {
      first = { signal, at: now };
      end(signal);
    } else if (signal !== first.signal || now - first.at >= SAME_SIGNAL_MS) endAtOnce(signal);
  };
  for (const signal of SIGNALS) process.on(signal, received);
}

/**
 * Serves until SIGTERM or SIGINT: then it accepts nothing new, finishes what is in flight and exits
 * with 0. Throws when it cannot start; unless it `migrates`, also when a migration is pending.
 */
export async function serve(definition: Definition, cli: Cli, migrates: boolean): Promise<void> {
  const config = cli.config();
  const log = openLog(config);
  const {
    SHUTDOWN_DELAY_MS: shutdownDelayMs,
    SHUTDOWN_GRACE_MS: shutdownGraceMs,
    SHUTDOWN_TIMEOUT_MS: shutdownTimeoutMs,
  } = config;
  process
    .removeAllListeners("warning")
    .on("warning", (warning) => log.warn("warning of Node", {}, warning));
  let service: Service | undefined;
  let signal: string | undefined;
  // It exits on any second signal, whatever its options say: it has the faults alone.
  const { close } = closeWithGrace(
    {
      // Our limit covers the requests only: a log without a reader is waited for afterwards, and is
      // no failure.
      delay: false,
      logger: null,
      skip: [...FAULTS, ...SIGNALS, "beforeExit"],
      // The process ends in the same turn, so buffered lines are written now.
      onSecondError(error) {
        log.fatal("second fault: exiting at once", {}, error);
        void log.flush();
      },
    },
    async ({ err }) => {
      const facts = { shutdownDelayMs, shutdownGraceMs, shutdownTimeoutMs };
      if (err) log.fatal("closing", facts, err);
      else log.info("closing", { signal, ...facts });
      try {
        // During the start there is nothing to finish: it changes the database in transactions.
        // The process ends afterwards, so late work is not waited for.
        const deadlineExceeded = () =>
          new ExpectedError(`killed by timeout (${shutdownTimeoutMs}ms)`);
        await withTimeout(shutdownTimeoutMs, Promise.resolve(service?.close()), deadlineExceeded);
        log.info("closed");
      } catch (error) {
        log.error("not closed", {}, error);
        throw error;
      } finally {
        const lost = await log.flush();
        if (lost > 0)
          cli.stderr.write(`${lost} lines of the log could not be written to standard output.\n`);
      }
    },
  );
  onSignals(
    (first) => {
      signal = first;
      void close();
    },
    (second) => {
      log.warn("second signal: exiting at once", { signal: second });
      void log.flush();
      process.exit(1);
    },
  );
  service = await start(definition, config, cli, log, migrates);
}

/**
 * Listens and creates the first key of a new database. Throws when one of these fails, and leaves
 * nothing open then.
 */
export async function start(
  definition: Definition,
  config: Config,
  { stdout, stderr }: Outputs,
  log = openLog(config),
  migrates = true,
): Promise<Service> {
  const tty = stdout.isTTY === true;
  // Standard output is the log, unless a person reads it.
  const print = (text: string) => void (tty ? stdout : stderr).write(text);
  const service = await startService(definition, config, log, { migrates, print });
  try {
    await firstKey(definition.contract, config, service, { tty, print });
  } catch (error) {
    await service.close();
    throw error;
  }
  if (tty && !config.production) print("For a readable log: npm start | npx pino-pretty\n");
  if (!config.production && isPublicHost(config.HOST))
    log.warn("other machines may reach HOST, and NODE_ENV is not production", {
      host: config.HOST,
      nodeEnv: config.NODE_ENV,
    });
  const { url, managementUrl, versions } = service;
  log.info("listening", {
    url,
    managementUrl,
    ...versions,
    nodeEnv: config.NODE_ENV,
    database: databaseName(config.DATABASE_URL),
    rateLimits: config.RATE_LIMITS === "on",
    trustProxyHops: config.TRUST_PROXY_HOPS,
  });
  return service;
}
