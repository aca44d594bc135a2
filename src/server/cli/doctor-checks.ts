import { constants, existsSync, readdirSync, statSync } from "node:fs";
import { access, statfs } from "node:fs/promises";
import { dirname, join } from "node:path";
import { systemClock } from "../clock.ts";
import type { Definition } from "../definition.ts";
import { checkDocuments, loadDocuments } from "../documents/documents.ts";
import { loadContract, loadSecurityTxt } from "../documents/files.ts";
import { siteOf } from "../documents/links.ts";
import { dayMs, keyState } from "../keys/key-lifecycle.ts";
import { tryRedis } from "../limits/redis.ts";
import { type Config, isPublicHost } from "../settings/config.ts";
import { databaseFolder, sqlitePath } from "../storage/address.ts";
import type { Storage } from "../storage/storage.ts";
import { expiryWarning } from "./key-commands.ts";
import { ALLOW_WRITING, RESTORE_BACKUP } from "./storage-advice.ts";
import { pluralize } from "./terminal.ts";

/**
 * One finding of a check, and how to correct it. A warning may be intended; a fault is not.
 * `skipped`: there is nothing to check, or it cannot be checked.
 */
export interface Verdict {
  readonly level: "ok" | "skipped" | "warning" | "fault";
  readonly says: string;
  readonly todo?: string | undefined;
}

const ok = (says: string): Verdict => ({ level: "ok", says });
const skipped = (says: string): Verdict => ({ level: "skipped", says });
const warning = (says: string, todo: string): Verdict => ({ level: "warning", says, todo });
const fault = (says: string, todo: string): Verdict => ({ level: "fault", says, todo });

/** Checks by what they examine; an error that one throws is its fault. Each only reads. */
export type Checks<Subject> = Readonly<
  Record<string, (config: Config, subject: Subject) => Verdict | Promise<Verdict>>
>;

const mebibyte = 2 ** 20;
const isWritable = (path: string): Promise<boolean> =>
  access(path, constants.W_OK).then(
    () => true,
    () => false,
  );

/** In addition, a backup needs the size of the database. */
const leastFree = 100 * mebibyte;

/** Checks that need no database. */
export const localChecks: Checks<Definition> = {
  documents({ DEPLOYMENT_URLS = [] }, definition) {
    if (definition.root === undefined) return skipped("None are published.");
    const site = siteOf(definition);
    const documents = loadDocuments(site, DEPLOYMENT_URLS[0]);
    checkDocuments(documents, definition.contract.validators["docs.get"], "throw", () => {});
    loadContract(site, DEPLOYMENT_URLS);
    return ok(`${documents.size} documents and the published contract can be served.`);
  },

  "security.txt"({ SECURITY_TXT }) {
    if (SECURITY_TXT === "") return skipped("SECURITY_TXT is not set.");
    const { expires } = loadSecurityTxt(SECURITY_TXT);
    const says = `It is valid until ${expires.toISOString()}.`;
    const leftMs = expires.getTime() - systemClock.now().getTime();
    if (leftMs > 14 * dayMs) return ok(says);
    return (leftMs > 0 ? warning : fault)(says, `Renew ${SECURITY_TXT}, and restart.`);
  },

  NODE_ENV(config) {
    if (config.production || !isPublicHost(config.HOST)) return ok("HOST matches.");
    const says =
      `HOST is ${config.HOST}, which other machines may reach, and NODE_ENV is not ` +
      "production.";
    return fault(says, "Set NODE_ENV=production, or HOST=127.0.0.1.");
  },

  proxy({ DEPLOYMENT_URLS = [], TRUST_PROXY_HOPS }) {
    if (TRUST_PROXY_HOPS === 0 && DEPLOYMENT_URLS.some((url) => url.startsWith("https:")))
      return warning(
        "DEPLOYMENT_URLS are https, so that a proxy is in front, and TRUST_PROXY_HOPS is " +
          "0: all callers have its address.",
        "Set TRUST_PROXY_HOPS to the number of proxies that write X-Forwarded-For.",
      );
    if (TRUST_PROXY_HOPS > 0 && DEPLOYMENT_URLS.length === 0)
      return warning(
        "TRUST_PROXY_HOPS is set, and DEPLOYMENT_URLS is not: what is published names this " +
          "machine.",
        "Set DEPLOYMENT_URLS to where callers reach it, or TRUST_PROXY_HOPS=0.",
      );
    return ok("TRUST_PROXY_HOPS matches DEPLOYMENT_URLS.");
  },

  async limits({ production, name, RATE_LIMITS, REDIS_URL, REDIS_TIMEOUT_MS, DATABASE_URL }) {
    const todo = "Set RATE_LIMITS=on, unless only machines of your own reach it.";
    if (production && RATE_LIMITS === "off")
      return warning("RATE_LIMITS is off: callers may send any number of requests.", todo);
    if (RATE_LIMITS === "off") return skipped("Rate limits are off: NODE_ENV is not production.");
    const alone = "Each replica counts alone; with REDIS_URL they count together.";
    if (REDIS_URL === undefined)
      return ok(sqlitePath(DATABASE_URL) === null ? alone : "Rate limits are on.");
    const rejected = await tryRedis(REDIS_URL, REDIS_TIMEOUT_MS, name);
    if (rejected) {
      const { reply, todo } = rejected;
      const says = `The Redis of REDIS_URL rejects counts (${reply}): each replica counts alone.`;
      return fault(says, `${reply}: ${todo}`);
    }
    return ok("Replicas count together: the Redis of REDIS_URL responds.");
  },

  "first key"(config) {
    const folder = databaseFolder(config.DATABASE_URL);
    // The file may belong to a database that is no longer used: see `firstKeyFile`.
    const name = /^first-key(-.+-\d+-.+)?$|\.first-key$/;
    const files = (existsSync(folder) ? readdirSync(folder) : []).filter((file) => name.test(file));
    if (files.length === 0) return ok("No file has a first key.");
    const says =
      "A key with every scope is still in " +
      `${files.map((file) => join(folder, file)).join(", ")}.`;
    const isReachable = config.production || isPublicHost(config.HOST);
    return (isReachable ? fault : warning)(says, "Keep the key elsewhere and delete the file.");
  },

  async disk({ DATABASE_URL }) {
    const path = sqlitePath(DATABASE_URL);
    if (path === null) return skipped("The disk of PostgreSQL cannot be checked from here.");
    let folder = dirname(path);
    // The start creates `DATA_FOLDER`; the check of the storage reports another missing folder.
    while (!existsSync(folder)) folder = dirname(folder);
    for (const place of [folder, path].filter((place) => existsSync(place)))
      if (!(await isWritable(place))) return fault(`${place} cannot be written.`, ALLOW_WRITING);
    const { bavail, bsize } = await statfs(folder);
    const needed = leastFree + (statSync(path, { throwIfNoEntry: false })?.size ?? 0);
    const says = `${Math.floor((bavail * bsize) / mebibyte)} MiB are free in ${folder}`;
    if (bavail * bsize >= needed) return ok(`${says}.`);
    return fault(
      `${says}; ${Math.ceil(needed / mebibyte)} MiB should be.`,
      "Make room, or move the database.",
    );
  },
};

/**
 * Well above the error that NTP leaves, and below an error that would show in the expiry of keys or
 * the order of users.
 */
const clockToleranceMs = 1000;

/** Checks that need the database. */
export const storageChecks: Checks<Storage> = {
  async storage(_, storage) {
    await storage.tryTables();
    if (await storage.isSound()) return ok("The database of DATABASE_URL responds.");
    return fault(
      "The file of DATABASE_URL is damaged: `PRAGMA quick_check` finds faults.",
      RESTORE_BACKUP,
    );
  },

  async encoding({ name }, storage) {
    const { encoding } = await storage.diagnose();
    const says = `The encoding of the database is ${encoding}`;
    if (/^UTF-?8$/.test(encoding)) return ok(`${says}.`);
    const todo = `Create one with the encoding UTF8, and copy the data with \`${name} move\`.`;
    return fault(`${says}, which cannot hold every name.`, todo);
  },

  async migrations({ name }, storage) {
    const { missing, newer } = (await storage.diagnose()).migrations;
    if (missing.length > 0)
      return fault(`Pending: ${missing.join(", ")}.`, `Run \`${name} migrate\`.`);
    if (newer.length === 0) return ok("All are applied.");
    return warning(
      `A newer release has applied: ${newer.join(", ")}.`,
      "Run that release here too.",
    );
  },

  async clock(_, storage) {
    const { clockAheadMs } = await storage.diagnose();
    const apart = Math.abs(clockAheadMs);
    if (apart <= clockToleranceMs) return ok("It agrees with the clock of the database.");
    const says =
      `The clock of the database is ${apart} ms ${clockAheadMs > 0 ? "ahead of" : "behind"} ` +
      "the one of this machine.";
    return fault(says, "Synchronize both with NTP.");
  },

  async times(_, storage) {
    const { timeFault } = await storage.diagnose();
    if (timeFault === null) return ok("They are read as they were written.");
    return fault(
      timeFault,
      "Let no function of search_path replace to_char and timezone of PostgreSQL.",
    );
  },

  async keys({ name }, { keys }) {
    const now = systemClock.now();
    const all = await keys.list();
    const usable = all.filter((key) => ["valid", "expiring"].includes(keyState(key, now)));
    const none = all.length === 0 ? "There is no key." : "Every key is expired or revoked.";
    if (usable.length === 0) return fault(none, `Run \`${name} keys create\`.`);
    const expiring = expiryWarning(all, now);
    if (expiring === null) return ok(`${pluralize(usable.length, "key")} can be used.`);
    return warning(`${expiring}.`, "Rotate each, and give the new ones to their users.");
  },
};
