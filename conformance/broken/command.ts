import { pathToFileURL } from "node:url";
import { Command, CommanderError, InvalidArgumentError } from "commander";
import { outliveReaders } from "../cli/reader-gone.ts";
import type { GoodCredentials } from "./defect.ts";
import { defects } from "./defects.ts";
import { type BrokenServer, startBroken, transparent } from "./server.ts";

/** What the command needs of its process. */
export interface BrokenIo {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly out: (text: string) => void;
  readonly error: (text: string) => void;
}

/** A running server, or the code to exit with: 0 after `--list` and `--help`, 2 for a wrong command line, 3 when the port is taken. */
export type Started = BrokenServer | number;

interface Options {
  readonly target?: URL;
  readonly defect?: string;
  readonly port: number;
  readonly seed: number;
  readonly list?: boolean;
}

/** `npm run broken -- --target URL --defect ID [--port P]`; the key and platform come from `API_KEY` and `PLATFORM`. */
export async function main(args: readonly string[], io: BrokenIo): Promise<Started> {
  const command = new Command("broken")
    .description("Serves a good deployment with one defect, to see what the conformance suite makes of it.")
    .option("--target <url>", "base URL of the good deployment", target)
    .option("--defect <id>", "the defect; `none` changes nothing")
    .option("--port <port>", "port on 127.0.0.1; 0 takes a free one", number, 0)
    .option("--seed <seed>", "for defects that draw at random", number, 1)
    .option("--list", "list the defects")
    .exitOverride()
    .configureOutput({ writeOut: io.out, writeErr: io.error });
  try {
    command.parse(args, { from: "user" });
    return await start(command, command.opts<Options>(), io);
  } catch (thrown) {
    if (thrown instanceof CommanderError) return thrown.exitCode === 0 ? 0 : 2;
    io.error(`${thrown instanceof Error ? thrown.message : thrown}\n`);
    return 3;
  }
}

async function start(command: Command, options: Options, io: BrokenIo): Promise<Started> {
  if (options.list) {
    for (const { id, description } of defects) io.out(`${id}\n    ${description}\n`);
    return 0;
  }
  if (!options.target || !options.defect) return command.error("--target and --defect are needed, or --list");
  const defect = [transparent, ...defects].find(({ id }) => id === options.defect);
  if (!defect) return command.error(`no defect is called ${options.defect}; --list names them`);
  const credentials = credentialsOf(io.env);
  const server = await startBroken(defect, options.target.href, options.port, {
    seed: options.seed,
    ...(credentials ? { credentials } : {}),
  });
  io.out(`${server.url} has the defect ${defect.id}: ${defect.description}\n`);
  return server;
}

function credentialsOf({ API_KEY: key, PLATFORM: platform = "web" }: BrokenIo["env"]): GoodCredentials | null {
  return key ? { key, platform } : null;
}

function target(text: string): URL {
  if (!URL.canParse(text) || !/^https?:/i.test(text)) throw new InvalidArgumentError("an http or https URL is needed");
  return new URL(text);
}

function number(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("a whole number is needed");
  return Number(text);
}

if (process.argv[1] && import.meta.url === pathToFileURL(process.argv[1]).href) {
  outliveReaders();
  const started = await main(process.argv.slice(2), {
    env: process.env,
    out: (text) => process.stdout.write(text),
    error: (text) => process.stderr.write(text),
  });
  if (typeof started === "number") process.exitCode = started;
}
