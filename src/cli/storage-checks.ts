import { systemClock } from "../clock.ts";
import { keyState } from "../keys/key-state.ts";
import type { Storage } from "../storage/storage.ts";
import { expiryWarning } from "./key-text.ts";
import { counted } from "./table.ts";
import type { Checks } from "./verdict.ts";

/** Well above what NTP leaves, and below what the expiry of a key or the order of users would show. */
const clockToleranceMs = 1000;

/** What can be seen in the database. */
export const storageChecks: Checks<Storage> = {
  async encoding(_, storage) {
    const { encoding } = await storage.condition();
    const says = `The database holds text as ${encoding}`;
    if (/^UTF-?8$/.test(encoding)) return { level: "ok", says: `${says}.` };
    const todo = "Make one with the encoding UTF8, and `atpoint move` there.";
    return { level: "fault", says: `${says}, which cannot hold every name.`, todo };
  },

  async migrations(_, storage) {
    const { missing, newer } = (await storage.condition()).migrations;
    if (missing.length > 0)
      return { level: "fault", says: `Not yet done: ${missing.join(", ")}.`, todo: "Run `atpoint migrate`." };
    if (newer.length > 0)
      return {
        level: "warning",
        says: `A newer release has done more: ${newer.join(", ")}.`,
        todo: "Run that release here too.",
      };
    return { level: "ok", says: "All are done." };
  },

  async clock(_, storage) {
    const { clockAheadMs } = await storage.condition();
    const apart = Math.abs(clockAheadMs);
    if (apart <= clockToleranceMs) return { level: "ok", says: "It is that of the database." };
    const says = `That of the database is ${apart} ms ${clockAheadMs > 0 ? "ahead of" : "behind"} that of this machine.`;
    return { level: "fault", says, todo: "Let NTP set both." };
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
      return { level: "warning", says: `${warning}.`, todo: "Run that for each, and pass the new ones on." };
    return { level: "ok", says: `${counted(usable.length, "key")} can be used.` };
  },
};
