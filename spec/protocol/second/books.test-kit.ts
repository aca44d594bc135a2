// The service of the second spec: the protocol of this service, other operations, and handlers defined by a test.
import type { AddressInfo } from "node:net";
import { join } from "node:path";
import { transform } from "esbuild";
import { systemInformation } from "../../../src/operations/sysinfo.ts";
import { publication } from "../../../src/publication.ts";
import { createApp } from "../../../src/server/app.ts";
import { systemClock } from "../../../src/server/clock.ts";
import { createDispatcher } from "../../../src/server/dispatch.ts";
import { landingPage } from "../../../src/server/documents/landing.ts";
import { createListener, createServer } from "../../../src/server/http-server.ts";
import { createKeyFinder } from "../../../src/server/keys/find-key.ts";
import { createKey } from "../../../src/server/keys/key-lifecycle.ts";
import { noRateLimits } from "../../../src/server/limits/rate-limits.ts";
import { OverloadGuard } from "../../../src/server/overload-guard.ts";
import type { Contract } from "../../../src/server/request/operation-table.ts";
import { createSender } from "../../../src/server/response/send.ts";
import { readConfig } from "../../../src/server/settings/config.ts";
import { openStorage } from "../../../src/server/storage/storage.ts";
import { sqlite } from "../../../src/test/databases.ts";
import { patience } from "../../../src/test/patience.ts";
import { generate } from "../emitter/emit.ts";

const DAY_MS = 86_400_000;
const URL_OF_SPEC = "https://books.invalid";

/** The files that are generated from the spec. */
export const generateBooks = () => generate(join(import.meta.dirname, "main.tsp"));

/** The exports of a generated module. */
async function load(files: ReadonlyMap<string, string>, name: string) {
  const { code } = await transform(files.get(name) ?? "", { loader: "ts", format: "esm" });
  return import(`data:text/javascript,${encodeURIComponent(code)}`);
}

/** The parts of the service. A test may add a defect to them. */
export interface Parts<Services extends object>
  extends Pick<Contract<Services>, "operations" | "validators" | "handlers"> {
  readonly env: NodeJS.ProcessEnv;
  /** Changes the header fields of a response before they are written: names and values alternate. */
  readonly fields: (fields: readonly string[]) => readonly string[];
}

/** Starts it on a free port of this machine, with a storage for its keys and the credentials that the suite sends. */
export async function startBooks<Services extends object>(
  files: ReadonlyMap<string, string>,
  handlers: Contract<Services>["handlers"],
  services: Services,
  change: (parts: Parts<Services>) => Parts<Services> = (parts) => parts,
) {
  const { operations, scopes } = await load(files, "operations.ts");
  const { validators } = await load(files, "validators.ts");
  const database = await sqlite.fresh();
  const env = { ...patience, DATABASE_URL: database.url, CHECK_ANSWERS: "throw", DEPLOYMENT_URLS: URL_OF_SPEC };
  const { env: own, fields, ...contract } = change({ operations, validators, handlers, env, fields: (sent) => sent });
  const config = readConfig(own);
  const storage = openStorage(config);
  await storage.migrate();
  const createdAt = systemClock.now();
  const issue = async (more: Partial<Parameters<typeof createKey>[1]> = {}) => {
    const wanted = { name: "books", scopes, platforms: ["web"], createdAt, lifetimeMs: DAY_MS, ...more };
    return { key: (await createKey(storage.keys, wanted)).key, platform: "web" };
  };
  const ofScopes: [string, Awaited<ReturnType<typeof issue>>][] = [];
  for (const scope of scopes) ofScopes.push([scope, await issue({ scopes: [scope] })]);
  const credentials = {
    full: await issue(),
    noScopes: await issue({ scopes: [] }),
    ...Object.fromEntries(ofScopes),
    otherPlatform: await issue({ platforms: ["other"] }),
    expired: await issue({ lifetimeMs: 0 }),
    revoked: await issue({ revokedAt: createdAt }),
  };
  const { keyCacheMs: cacheMs, keyCacheEntries: cacheEntries, corsOrigins, checkAnswers } = config;
  const findKey = createKeyFinder({ keys: storage.keys, clock: systemClock, cacheMs, cacheEntries });
  const ignore = () => {};
  const dispatch = createDispatcher(contract, {
    ...{ services, findKey, rateLimits: noRateLimits, config, onUndocumented: ignore },
  });
  const sender = createSender({
    ...{ problemsUrl: `${URL_OF_SPEC}/api/?@=docs.get.problems`, corsOrigins, checkAnswers },
    ...{ record: ignore, onFault: ignore, onUndocumented: ignore },
  });
  const guard = new OverloadGuard(config.limits, () => 0);
  const app = createApp({
    ...{ config, dispatch, assets: new Map(), sender, onFault: ignore },
    landingPage: landingPage({ ...publication, operations: Object.values(contract.operations) }, []),
    systemInformation: (address, method) => systemInformation(systemClock, address, method),
    guard,
  });
  const listener = createListener();
  const server = createServer(listener, app.callback(), {
    sender,
    guard,
    limits: config.limits,
    timeouts: config.timeouts,
  });
  server.prependListener("request", (_, response) => {
    const { writeHead } = response;
    // A response has its status and its fields in one write.
    const write = (status: number, sent: readonly string[]) => writeHead.call(response, status, [...fields(sent)]);
    Object.assign(response, { writeHead: write });
  });
  await new Promise<void>((resolve) => listener.listen(0, "127.0.0.1", resolve));
  return {
    url: `http://127.0.0.1:${(listener.address() as AddressInfo).port}`,
    credentials,
    validators,
    async close() {
      await server.shutDown();
      await storage.close();
      await database.drop();
    },
  };
}
