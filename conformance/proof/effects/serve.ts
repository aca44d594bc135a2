import { mkdtemp, readFile, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { generate } from "../../../spec/protocol/emitter/emit.ts";
import { contractIn } from "../../../spec/protocol/emitter/write.test-kit.ts";
import { runCli } from "../../../src/server/cli/run-cli.ts";
import { protocolMigrations } from "../../../src/server/index.ts";
import { startService } from "../../../src/server/service.ts";
import { readConfig } from "../../../src/server/settings/config.ts";
import { patience } from "../../../src/test/patience.ts";
import { readContract } from "../../oracle/read-contract.ts";
import type { Credentials } from "../../secrets/credentials.ts";
import { createSuite } from "../../suite.ts";
import { handlersOf, type Rules, rightRules, type Shape } from "./server.ts";

/**
 * Compiles the spec of a shape, and serves it in this process with keys for the suite. Its rules
 * can be changed while it listens.
 */
export async function serve(shape: Shape) {
  const files = await generate(join(import.meta.dirname, `${shape.name}.tsp`));
  const contract = await contractIn(files);
  let handlers = handlersOf(shape, rightRules(shape));
  type Handle = (input: never, context: never) => unknown;
  const current =
    (id: string): Handle =>
    (input, context) =>
      handlers[id]?.(input, context);
  const definition = {
    name: shape.name,
    contract,
    migrations: protocolMigrations,
    services: () => ({}),
    handlers: Object.fromEntries(Object.keys(contract.operations).map((id) => [id, current(id)])),
  };
  const folder = await mkdtemp(join(tmpdir(), "atpoint-effects-"));
  const env = {
    ...patience,
    DATABASE_URL: `sqlite:${join(folder, "keys.sqlite")}`,
    NODE_ENV: "test",
    LOG_LEVEL: "silent",
    PORT: "0",
    MANAGEMENT_PORT: "off",
    RATE_LIMITS: "off",
    SHUTDOWN_GRACE_MS: "1",
  };
  const silent = { write: () => {} };
  const terminal = { env, stdout: silent, stderr: process.stderr };
  const keys = join(folder, "credentials.json");
  for (const args of [["migrate"], ["keys", "conformance", "--out", keys]])
    if ((await runCli(definition, args, terminal)) !== 0) throw new Error(`${args[0]} failed`);
  const { full, ...special } = JSON.parse(await readFile(keys, "utf8"));
  const service = await startService(definition, readConfig(env, definition));
  return {
    url: service.url,
    credentials: { full, special } as Credentials,
    suite: createSuite(readContract(JSON.parse(files.get("contract.json") ?? ""))),
    /** From now on it has these rules, and no records. */
    begin(rules: Rules) {
      handlers = handlersOf(shape, rules);
    },
    async close() {
      await service.close();
      await rm(folder, { recursive: true });
    },
  };
}
