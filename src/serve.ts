import closeWithGrace from "close-with-grace";
import type { Logger } from "pino";
import type { Terminal } from "./commands/terminal.ts";
import { type Config, readConfig } from "./config.ts";
import { firstKey } from "./first-key.ts";
import { openLog, type Service, startService } from "./service.ts";

/**
 * Signals of a fault in the process itself. A handler for one returns to the faulting instruction and faults again, for ever:
 * seen as a process that took a whole core after its terminal was closed.
 */
const FAULTS = ["SIGILL", "SIGTRAP", "SIGABRT", "SIGBUS", "SIGFPE", "SIGSEGV"] as const;

/** Serves until SIGTERM or SIGINT: then takes nothing new, finishes what is in flight and exits with 0. Throws when it cannot start. */
export async function serve(terminal: Terminal): Promise<void> {
  const config = readConfig(terminal.env);
  const log = openLog(config);
  // Before anything is begun, so that a signal which comes early finds a service that starts, then closes.
  const delay = config.timeouts.shutdownTimeoutMs;
  closeWithGrace({ delay, logger: log, skip: [...FAULTS, "beforeExit"] }, async ({ err }) => {
    if (err) log.fatal({ err }, "closing");
    await (await starting).close();
  });
  const starting = start(config, terminal, log);
  await starting;
}

/** Listens and makes the first key of a new database. Throws when one of these fails; nothing is left open then. */
export async function start(
  config: Config,
  { stdout, stderr }: Omit<Terminal, "env">,
  log: Logger = openLog(config),
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
  service.log.info({ url: service.url }, "listening");
  return service;
}
