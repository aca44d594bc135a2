import { setTimeout as after } from "node:timers/promises";
import closeWithGrace from "close-with-grace";
import { type Config, readConfig } from "../config.ts";
import { type Log, openLog } from "../log/log.ts";
import { SafeError } from "../log/safe-error.ts";
import { type Service, startService } from "../service.ts";
import { firstKey } from "./first-key.ts";
import type { Terminal } from "./terminal.ts";

/**
 * Signals of a fault in the process itself. A handler for one returns to the faulting instruction and faults again, for ever:
 * seen as a process that took a whole core after its terminal was closed.
 */
const FAULTS = ["SIGILL", "SIGTRAP", "SIGABRT", "SIGBUS", "SIGFPE", "SIGSEGV"] as const;

/** Serves until SIGTERM or SIGINT: then takes nothing new, finishes what is in flight and exits with 0. Throws when it cannot start. */
export async function serve(terminal: Terminal): Promise<void> {
  const config = readConfig(terminal.env);
  const log = openLog(config);
  process.removeAllListeners("warning").on("warning", (warning) => log.warn("warning of Node", {}, warning));
  let service: Service | undefined;
  closeWithGrace(
    {
      // Ours counts the requests only: a log that nobody reads is waited for after it, and is no failure.
      delay: false,
      logger: null,
      skip: [...FAULTS, "beforeExit"],
      onSecondSignal: (signal) => log.warn("second signal: exiting at once", { signal }),
      onSecondError: (error) => log.fatal("second fault: exiting at once", {}, error),
    },
    async ({ signal, err }) => {
      if (err) log.fatal("closing", {}, err);
      else log.info("closing", { signal });
      try {
        // While it starts there is nothing to finish: what it does to the database is done in transactions.
        await inTime(config.timeouts.shutdownTimeoutMs, async () => service?.close());
        log.info("closed");
      } catch (error) {
        log.error("not closed", {}, error);
        throw error;
      } finally {
        const lost = await log.flush();
        if (lost > 0) terminal.stderr.write(`Standard output did not take ${lost} lines of the log.\n`);
      }
    },
  );
  service = await start(config, terminal, log);
}

/** The process ends afterwards, so what is late is left as it is. */
async function inTime(milliseconds: number, work: () => Promise<void>): Promise<void> {
  const late = after(milliseconds).then(() => {
    throw new SafeError(`killed by timeout (${milliseconds}ms)`);
  });
  await Promise.race([work(), late]);
}

/** Listens and makes the first key of a new database. Throws when one of these fails; nothing is left open then. */
export async function start(
  config: Config,
  { stdout, stderr }: Omit<Terminal, "env">,
  log: Log = openLog(config),
): Promise<Service> {
  const service = await startService(config, log);
  try {
    const tty = stdout.isTTY === true;
    // Standard output is the log, unless a person reads it.
    const print = (text: string) => void (tty ? stdout : stderr).write(text);
    await firstKey({ storage: service.storage, config, url: service.url, tty, print });
  } catch (error) {
    await service.close();
    throw error;
  }
  log.info("listening", { url: service.url });
  return service;
}
