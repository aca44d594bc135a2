import closeWithGrace from "close-with-grace";
import type { Definition } from "../definition.ts";
import { inTime } from "../in-time.ts";
import { openLog } from "../log/log.ts";
import { SafeError } from "../safe-error.ts";
import { type Service, startService } from "../service.ts";
import type { Config } from "../settings/config.ts";
import { databaseName } from "../storage/address.ts";
import { firstKey } from "./first-key.ts";
import type { Cli, Outputs } from "./terminal.ts";

/**
 * Signals of a fault in the process itself. A handler for one returns to the faulting instruction, which faults again, for ever:
 * observed as a process that used a whole core after its terminal was closed.
 */
const FAULTS = ["SIGILL", "SIGTRAP", "SIGABRT", "SIGBUS", "SIGFPE", "SIGSEGV"] as const;

/**
 * Serves until SIGTERM or SIGINT: then it accepts nothing new, finishes what is in flight and exits with 0. Throws when it cannot
 * start; unless it `migrates`, also when a migration is pending.
 */
export async function serve(definition: Definition, cli: Cli, migrates: boolean): Promise<void> {
  const config = cli.config();
  const log = openLog(config);
  const { shutdownDelayMs, shutdownGraceMs, shutdownTimeoutMs } = config.timeouts;
  process
    .removeAllListeners("warning")
    .on("warning", (warning) => log.warn("warning of Node", {}, warning));
  let service: Service | undefined;
  closeWithGrace(
    {
      // Our limit covers the requests only: a log without a reader is waited for afterwards, and is no failure.
      delay: false,
      logger: null,
      skip: [...FAULTS, "beforeExit"],
      // The process ends in the same turn, so buffered lines are written now.
      onSecondSignal(signal) {
        log.warn("second signal: exiting at once", { signal });
        void log.flush();
      },
      onSecondError(error) {
        log.fatal("second fault: exiting at once", {}, error);
        void log.flush();
      },
    },
    async ({ signal, err }) => {
      const facts = { shutdownDelayMs, shutdownGraceMs, shutdownTimeoutMs };
      if (err) log.fatal("closing", facts, err);
      else log.info("closing", { signal, ...facts });
      try {
        // During the start there is nothing to finish: it changes the database in transactions.
        // The process ends afterwards, so late work is not waited for.
        const late = () => new SafeError(`killed by timeout (${shutdownTimeoutMs}ms)`);
        await inTime(shutdownTimeoutMs, Promise.resolve(service?.close()), late);
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
  service = await start(definition, config, cli, log, migrates);
}

/** Listens and creates the first key of a new database. Throws when one of these fails, and leaves nothing open then. */
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
  const { url, managementUrl } = service;
  const { nodeEnv, trustProxyHops, rateLimits } = config;
  const database = databaseName(config.database.url);
  log.info("listening", {
    url,
    managementUrl,
    nodeEnv,
    database,
    rateLimits: rateLimits.on,
    trustProxyHops,
  });
  return service;
}
