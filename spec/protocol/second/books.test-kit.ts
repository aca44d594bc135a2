// The service of the second spec: the protocol of this service, other operations, and handlers defined by a test.
import { subscribe, unsubscribe } from "node:diagnostics_channel";
import { mkdtemp, readFile, rm } from "node:fs/promises";
import type { ServerResponse } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { runCli } from "../../../src/server/cli/run-cli.ts";
import type { Contract } from "../../../src/server/contract.ts";
import type { Definition } from "../../../src/server/definition.ts";
import type { AnyHandlers } from "../../../src/server/request/operation-table.ts";
import { startService } from "../../../src/server/service.ts";
import { readConfig } from "../../../src/server/settings/config.ts";
import { protocolMigrations } from "../../../src/server/storage/protocol-migrations.ts";
import { sqlite } from "../../../src/test/databases.ts";
import { patience } from "../../../src/test/patience.ts";
import { generate } from "../emitter/emit.ts";
import { contractIn } from "../emitter/write.test-kit.ts";

/** The files that are generated from the spec. */
export const generateBooks = () => generate(join(import.meta.dirname, "main.tsp"));

/** The parts of the service. A test may add a defect to them. */
export interface Parts extends Pick<Contract, "operations" | "validators"> {
  readonly handlers: AnyHandlers;
  readonly env: NodeJS.ProcessEnv;
  /** Changes the header fields of a response before they are written: names and values alternate. */
  readonly fields: (fields: readonly string[]) => readonly string[];
}

/** Starts it on a free port of this machine, with the credentials that the suite sends. */
export async function startBooks(
  files: ReadonlyMap<string, string>,
  made: AnyHandlers,
  services: object,
  change: (parts: Parts) => Parts = (parts) => parts,
) {
  const contract = await contractIn(files);
  const { operations: all, validators: right } = contract;
  const root = await mkdtemp(join(tmpdir(), "atpoint-books-"));
  const database = await sqlite.fresh();
  const { env, fields, operations, validators, handlers } = change({
    ...{ operations: all, validators: right, handlers: made, fields: (sent) => sent },
    env: { ...patience, DATABASE_URL: database.url, CHECK_ANSWERS: "throw", PORT: "0", LOG_LEVEL: "silent" },
  });
  const definition: Definition = {
    name: "books",
    contract: { ...contract, operations, validators },
    migrations: protocolMigrations,
    services: () => services,
    handlers,
  };
  const service = await startService(
    definition,
    readConfig({ ...env, MANAGEMENT_PORT: "off", DEPLOYMENT_URLS: "https://books.invalid" }, definition),
  );
  const onRequest = (message: unknown) => {
    const { response } = message as { response: ServerResponse }; // what Node documents of this channel
    const { writeHead } = response;
    // A response has its status and its fields in one write.
    const write = (status: number, sent: readonly string[]) => writeHead.call(response, status, [...fields(sent)]);
    Object.assign(response, { writeHead: write });
  };
  subscribe("http.server.request.start", onRequest);
  const file = join(root, "credentials.json");
  const nowhere = { write: () => true };
  await runCli(definition, ["keys", "conformance", "--out", file], { env, stdout: nowhere, stderr: nowhere });
  return {
    url: service.url,
    credentials: JSON.parse(await readFile(file, "utf8")),
    validators,
    async close() {
      unsubscribe("http.server.request.start", onRequest);
      await service.close();
      await database.drop();
      await rm(root, { recursive: true });
    },
  };
}
