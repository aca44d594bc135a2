import { fail } from "../../client/expect.ts";
import { queries } from "../../client/operation.ts";
import type { Reply } from "../../client/reply.ts";
import { type Check, check } from "../check.ts";
import { everyAnswer } from "./layers.ts";
import { listed } from "./support.ts";

const BANNERS = ["Server", "X-Powered-By", "Set-Cookie"];

/** The value, once or (as some proxies have it) several times. */
function expectValue(reply: Reply, name: string, value: string): void {
  const sent = listed(reply.header(name));
  if (sent.size !== 1 || !sent.has(value)) fail("body", `${name}: ${value}`, reply.header(name) ?? "none");
}

/** Documents, the contract and static files: found, and at another path than the endpoint's and the landing page's. */
function isCacheable(reply: Reply): boolean {
  if (reply.status !== 200 && reply.status !== 304) return false;
  // Of requests sent ahead only the first one is on record: what was asked for is not known.
  if (reply.exchange.request.raw) return true;
  const path = reply.exchange.request.url.replace(/\?.*$/s, "");
  return reply.header("x-operation") === "docs.get" || !/\/(?:api)?$/.test(path);
}

function expectNoStore(reply: Reply): void {
  const value = reply.header("cache-control");
  if (!isCacheable(reply) && !listed(value).has("no-store"))
    fail("header:cache-control", "Cache-Control: no-store", value ?? "none");
}

function expectNoBanner(reply: Reply): void {
  for (const name of BANNERS) {
    const value = reply.header(name);
    if (value !== undefined) fail("body", `no ${name}`, `${name}: ${value}`);
  }
}

/** What every answer says, and what none says (D12). */
export const headers: readonly Check[] = [
  ...everyAnswer("http/nosniff", (reply) => expectValue(reply, "X-Content-Type-Options", "nosniff")),
  ...everyAnswer("http/referrer-policy", (reply) => expectValue(reply, "Referrer-Policy", "no-referrer")),
  ...everyAnswer("http/no-store", expectNoStore),
  ...everyAnswer("http/no-banner", expectNoBanner),
  check("http/no-store#by-get-and-head", {}, async (api) => {
    for (const { id } of queries) {
      if (id === "docs.get") continue;
      const input = api.example(id);
      expectNoStore(await api.call(id, { input }));
      expectNoStore(await api.call(id, { input, method: "HEAD" }));
    }
  }),
];
