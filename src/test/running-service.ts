import { PassThrough } from "node:stream";
import { onTestFinished } from "vitest";
import { contract } from "../../generated/contract.ts";
import type { Definition } from "../server/definition.ts";
import { openLog } from "../server/log/log.ts";
import { startService } from "../server/service.ts";
import { definition } from "../service.ts";
import { readConfig } from "./atpoint.ts";
import { fresh, keyIn, sqlite } from "./databases.ts";
import { patience } from "./patience.ts";

/**
 * A service on a new database, its log kept, and a key with every scope; `changes` make it another
 * service than ours.
 */
export async function start(
  env: NodeJS.ProcessEnv = {},
  kind = sqlite,
  changes: Partial<Definition> = {},
) {
  const database = await fresh(kind);
  const DEPLOYMENT_URLS = "https://one.example,https://two.example/v3";
  const usual = { PORT: "0", NODE_ENV: "test", SHUTDOWN_GRACE_MS: "1", DEPLOYMENT_URLS };
  const config = readConfig({ ...patience, DATABASE_URL: database.url, ...usual, ...env });
  let written = "";
  const out = new PassThrough().on("data", (chunk) => (written += chunk));
  const log = openLog(config, out);
  const service = await startService({ ...definition, ...changes }, config, log);
  onTestFinished(() => service.close());
  /** The lines of the log until now. */
  const logged = async (): Promise<Record<string, unknown>[]> => {
    await log.flush();
    return (written.match(/.+/g) ?? []).map((line) => JSON.parse(line));
  };
  return { database, service, key: await keyIn(service.storage.keys, ...contract.scopes), logged };
}
