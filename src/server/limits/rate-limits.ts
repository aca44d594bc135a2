import { isIPv6 } from "node:net";
import type { Log } from "../log/log.ts";
import { Problem } from "../problem.ts";
import type { Caller } from "../request/credentials.ts";
import type { Request } from "../request/request.ts";
import type { Headers } from "../response/send.ts";
import type { Config } from "../settings/config.ts";
import { type Count, openCounters, type RateLimitStats } from "./counters.ts";

type Call = Pick<Request, "method" | "clientAddress">;

/** How often each caller may call (D21). */
export interface RateLimits {
  /**
   * Counts a call that is about to be handled, and returns the headers of its response. Throws
   * `rate-limited`.
   */
  count(call: Call, caller: Caller | null): Headers | Promise<Headers>;
  /** Counts rejected credentials by address, and returns the problem to reject them with. */
  countRejected(call: Call, problem: Problem): Promise<Problem>;
  stats(): RateLimitStats;
  close(): void;
}

const NO_RATE_LIMITS: RateLimits = {
  count: () => ({}),
  countRejected: async (_, problem) => problem,
  stats: () => ({ calls: {}, isDegraded: false }),
  close() {},
};

export function openRateLimits(config: Config, log: Pick<Log, "info" | "warn">): RateLimits {
  if (config.RATE_LIMITS === "off") return NO_RATE_LIMITS;
  const counters = openCounters(config, log);
  const windowS = config.RATE_LIMIT_WINDOW_S;
  const key = counters.open("key", config.RATE_LIMIT_KEY);
  const commands = counters.open("commands", config.RATE_LIMIT_COMMANDS);
  const address = counters.open("address", config.RATE_LIMIT_ADDRESS);
  const rejected = counters.open("rejected", config.RATE_LIMIT_REFUSED);

  return {
    async count({ method, clientAddress }, caller) {
      // Both at the same time: neither ever rejects.
      const first = caller ? key(caller.keyId) : address(addressBlock(clientAddress));
      const second = caller && method === "POST" ? commands(caller.keyId) : null;
      const counts = second ? [await first, await second] : [await first];
      if (counts.some(({ over }) => over)) throw limited(counts, windowS);
      return rateLimitHeaders(counts, windowS);
    },

    async countRejected({ clientAddress }, problem) {
      const counts = [await rejected(addressBlock(clientAddress))];
      if (counts.some(({ over }) => over)) return limited(counts, windowS);
      const { code, detail, headers } = problem;
      return new Problem(code, {
        detail,
        headers: { ...headers, ...rateLimitHeaders(counts, windowS) },
      });
    },

    stats: counters.stats,
    close: counters.close,
  };
}

const seconds = (milliseconds: number): number => Math.max(1, Math.ceil(milliseconds / 1000));

/** draft-ietf-httpapi-ratelimit-headers-10: lists of named limits. */
const rateLimitHeaders = (counts: readonly Count[], windowS: number): Headers => ({
  "RateLimit-Policy": counts
    .map(({ limit, most }) => `"${limit}";q=${most};w=${windowS}`)
    .join(", "),
  RateLimit: counts
    .map(({ limit, left, resetMs }) => `"${limit}";r=${left};t=${seconds(resetMs)}`)
    .join(", "),
});

function limited(counts: readonly Count[], windowS: number): Problem {
  const wait = Math.max(
    ...counts.filter(({ over }) => over).map(({ resetMs }) => seconds(resetMs)),
  );
  const headers = { ...rateLimitHeaders(counts, windowS), "Retry-After": String(wait) };
  return new Problem("rate-limited", { headers });
}

/**
 * The unit that is counted: an IPv4 address, or the first 64 bits of an IPv6 address, since one
 * subscriber has all the rest.
 */
export function addressBlock(address: string): string {
  if (!isIPv6(address)) return address;
  const [ip] = address.split("%", 1);
  // In hexadecimal, without leading zeros, and the longest run of zeros as `::`.
  const { hostname } = new URL(`http://[${ip}]`);
  const [before = [], after = []] = hostname.split("::").map((part) => part.match(/\w+/g) ?? []);
  const zeros = Array(8 - before.length - after.length).fill("0");
  return `${[...before, ...zeros, ...after].slice(0, 4).join(":")}::/64`;
}
