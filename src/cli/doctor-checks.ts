import { constants, existsSync, readdirSync, statSync } from "node:fs";
import { access, statfs } from "node:fs/promises";
import { isIPv4 } from "node:net";
import { dirname, join } from "node:path";
import { validators } from "../../generated/validators.ts";
import { systemClock } from "../clock.ts";
import type { Config } from "../config.ts";
import { loadContract } from "../docs/contract-assets.ts";
import { checkDocuments, loadDocuments } from "../docs/documents.ts";
import { loadSecurityTxt } from "../docs/security-txt.ts";
import { keyState } from "../keys/key-state.ts";
import { pingRedis } from "../limits/redis.ts";
import { packageRoot } from "../package.ts";
import { sqlitePath } from "../storage/driver.ts";
import type { Storage } from "../storage/storage.ts";
import { databaseFolder } from "../storage/storage.ts";
import { restore } from "./failure.ts";
import { expiryWarning } from "./key-text.ts";
import { counted } from "./table.ts";

/** One finding of a check. A warning may be intended; a fault is not. `skipped`: there is nothing to check, or it cannot be. */
export interface Verdict {
  readonly level: "ok" | "skipped" | "warning" | "fault";
  readonly says: string;
  /** How to mend it. */
  readonly todo?: string | undefined;
}

/** Checks by what they examine; an error that one throws is its fault. Each only reads. */
export type Checks<Subject> = Readonly<
  Record<string, (config: Config, subject: Subject) => Verdict | Promise<Verdict>>
>;

const isPublic = ({ host }: Config): boolean =>
  host !== "localhost" && host !== "::1" && !(isIPv4(host) && host.startsWith("127."));

const mebibyte = 2 ** 20;
/** In addition, a backup needs the size of the database. */
const leastFree = 100 * mebibyte;

/** Checks that need no database. */
export const houseChecks: Checks<undefined> = {
  documents({ deploymentUrls = [] }) {
    const root = packageRoot();
    const documents = loadDocuments(root, deploymentUrls[0]);
    checkDocuments(documents, validators["docs.get"], "throw", () => {});
    loadContract(root, deploymentUrls);
    return { level: "ok", says: `${documents.list().length} documents and the published contract can be served.` };
  },

  "security.txt"({ securityTxt }) {
    if (securityTxt === "") return { level: "skipped", says: "SECURITY_TXT is not set." };
    const { expires } = loadSecurityTxt(securityTxt);
    const says = `It is valid until ${expires.toISOString()}`;
    const left = expires.getTime() - systemClock.now().getTime();
    if (left > 14 * 86_400_000) return { level: "ok", says: `${says}.` };
    return { level: left > 0 ? "warning" : "fault", says: `${says}.`, todo: `Renew ${securityTxt}, and restart.` };
  },

  NODE_ENV(config) {
    if (config.production || !isPublic(config)) return { level: "ok", says: "It suits HOST." };
    const says = `HOST is ${config.host}, which other machines may reach, and NODE_ENV is not production.`;
    return { level: "fault", says, todo: "Set NODE_ENV=production, or HOST=127.0.0.1." };
  },

  proxy({ deploymentUrls = [], trustProxyHops }) {
    if (trustProxyHops === 0 && deploymentUrls.some((url) => url.startsWith("https:")))
      return {
        level: "warning",
        says: "DEPLOYMENT_URLS are https, so that a proxy is in front, and TRUST_PROXY_HOPS is 0: all callers have its address.",
        todo: "Set TRUST_PROXY_HOPS to the number of proxies that write X-Forwarded-For.",
      };
    if (trustProxyHops > 0 && deploymentUrls.length === 0)
      return {
        level: "warning",
        says: "TRUST_PROXY_HOPS is set, and DEPLOYMENT_URLS is not: what is published names this machine.",
        todo: "Set DEPLOYMENT_URLS to where callers reach it, or TRUST_PROXY_HOPS=0.",
      };
    return { level: "ok", says: "TRUST_PROXY_HOPS suits DEPLOYMENT_URLS." };
  },

  async limits({ production, rateLimits: { on, redisUrl, redisTimeoutMs }, database }) {
    if (production && !on) {
      const todo = "Set RATE_LIMITS=on, unless only machines of your own reach it.";
      return { level: "warning", says: "RATE_LIMITS is off: callers may send any number of requests.", todo };
    }
    if (!on) return { level: "skipped", says: "Rate limits are off: NODE_ENV is not production." };
    const says =
      sqlitePath(database.url) === null
        ? "Each replica counts alone; with REDIS_URL they count together."
        : "Rate limits are on.";
    if (redisUrl === undefined) return { level: "ok", says };
    await pingRedis(redisUrl, redisTimeoutMs);
    return { level: "ok", says: "Replicas count together: the Redis of REDIS_URL responds." };
  },

  "first key"(config) {
    const folder = databaseFolder(config.database.url);
    // Of any database, also of one that is no longer used: see `firstKeyFile`.
    const name = /^first-key(-.+-\d+-.+)?$|\.first-key$/;
    const files = (existsSync(folder) ? readdirSync(folder) : []).filter((file) => name.test(file));
    if (files.length === 0) return { level: "ok", says: "No file has a first key." };
    const level = config.production || isPublic(config) ? "fault" : "warning";
    return {
      level,
      says: `A key with every scope is still in ${files.map((file) => join(folder, file)).join(", ")}.`,
      todo: "Keep the key elsewhere and delete the file.",
    };
  },

  async disk({ database }) {
    const path = sqlitePath(database.url);
    if (path === null) return { level: "skipped", says: "The disk of PostgreSQL cannot be checked from here." };
    let folder = dirname(path);
    // The start creates the missing ones.
    while (!existsSync(folder)) folder = dirname(folder);
    for (const place of [folder, path]) if (existsSync(place)) await access(place, constants.W_OK);
    const { bavail, bsize } = await statfs(folder);
    const needed = leastFree + (statSync(path, { throwIfNoEntry: false })?.size ?? 0);
    const says = `${Math.floor((bavail * bsize) / mebibyte)} MiB are free in ${folder}`;
    if (bavail * bsize >= needed) return { level: "ok", says: `${says}.` };
    const todo = "Make room, or move the database.";
    return { level: "fault", says: `${says}; ${Math.ceil(needed / mebibyte)} MiB should be.`, todo };
  },
};

/** Well above the error that NTP leaves, and below an error that would show in the expiry of keys or the order of users. */
const clockToleranceMs = 1000;

/** Checks that need the database. */
export const storageChecks: Checks<Storage> = {
  async storage(_, storage) {
    if (await storage.isSound()) return { level: "ok", says: "The database of DATABASE_URL responds." };
    const says = "The file of DATABASE_URL is damaged: `PRAGMA quick_check` finds faults.";
    return { level: "fault", says, todo: restore };
  },

  async encoding(_, storage) {
    const { encoding } = await storage.condition();
    const says = `The encoding of the database is ${encoding}`;
    if (/^UTF-?8$/.test(encoding)) return { level: "ok", says: `${says}.` };
    const todo = "Create one with the encoding UTF8, and copy the data with `atpoint move`.";
    return { level: "fault", says: `${says}, which cannot hold every name.`, todo };
  },

  async migrations(_, storage) {
    const { missing, newer } = (await storage.condition()).migrations;
    if (missing.length > 0)
      return { level: "fault", says: `Pending: ${missing.join(", ")}.`, todo: "Run `atpoint migrate`." };
    if (newer.length > 0)
      return {
        level: "warning",
        says: `A newer release has applied: ${newer.join(", ")}.`,
        todo: "Run that release here too.",
      };
    return { level: "ok", says: "All are applied." };
  },

  async clock(_, storage) {
    const { clockAheadMs } = await storage.condition();
    const apart = Math.abs(clockAheadMs);
    if (apart <= clockToleranceMs) return { level: "ok", says: "It agrees with the clock of the database." };
    const says = `The clock of the database is ${apart} ms ${clockAheadMs > 0 ? "ahead of" : "behind"} the one of this machine.`;
    return { level: "fault", says, todo: "Synchronize both with NTP." };
  },

  async times(_, storage) {
    const { timeFault } = await storage.condition();
    if (timeFault === null) return { level: "ok", says: "They are read as they were written." };
    const todo = "Let no function of search_path replace to_char and timezone of PostgreSQL.";
    return { level: "fault", says: timeFault, todo };
  },

  async keys(_, { keys }) {
    const now = systemClock.now();
    const all = await keys.list();
    const usable = all.filter((key) => ["valid", "expiring"].includes(keyState(key, now)));
    if (usable.length === 0) {
      const says = all.length === 0 ? "There is no key." : "Every key is expired or revoked.";
      return { level: "fault", says, todo: "Run `atpoint keys create`." };
    }
    const warning = expiryWarning(all, now);
    if (warning !== null)
      return { level: "warning", says: `${warning}.`, todo: "Rotate each, and give the new ones to their users." };
    return { level: "ok", says: `${counted(usable.length, "key")} can be used.` };
  },
};
