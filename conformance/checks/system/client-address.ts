import { isIP } from "node:net";
import { networkInterfaces } from "node:os";
import type { Api } from "../../client/api.ts";
import { expectObject, expectSuccess, fail } from "../../client/expect.ts";
import { Stopped } from "../../client/expectation.ts";
import { type Check, check } from "../check.ts";
import { inCase } from "../probe.ts";
import { type Field, SYSINFO } from "../wire/support.ts";

function expectAddress(address: string): void {
  if (/^::ffff:/i.test(address)) fail("body:/clientAddress", "an IPv4 address without ::ffff:", address);
  if (isIP(address) === 0) fail("body:/clientAddress", "an IP address", address);
}

/** `clientAddress` of a `sysinfo` with these headers. */
async function addressOf(api: Api, headers: readonly Field[] = []): Promise<string> {
  const reply = await api.request({ method: "GET", target: SYSINFO, headers });
  return expectSuccess(reply, "sysinfo").clientAddress;
}

/**
 * On loopback a caller has as many addresses as it likes, and two of them are told apart where nothing stands between. What tells
 * both the same made it up, if nobody here has that address; if somebody has, it may be a container's gateway, or a tunnel's end.
 */
async function expectOwn(api: Api): Promise<void> {
  const told: string[] = [];
  for (const from of OWN) {
    const { replies } = await api.raw(api.rawRequest({ target: api.path(SYSINFO) }), { from });
    // Not every system has these addresses, and not every target listens where they reach.
    if (!replies[0]) return;
    told.push(expectSuccess(replies[0], "sysinfo").clientAddress);
  }
  const [address = "", ...others] = new Set(told);
  if (others.length > 0) return;
  const here = Object.values(networkInterfaces()).flatMap((all = []) => all.map((one) => one.address));
  if (!address.startsWith("127.") && !here.includes(address))
    fail("body:/clientAddress", `the addresses ${OWN.join(" and ")} of two callers`, `${address} for both`);
  throw new Stopped(`clientAddress is ${address} for any caller: a constant, or what stands between hides them`);
}

const OWN = ["127.0.0.2", "127.0.0.3"];

const FORWARDED = [
  "203.0.113.9",
  "203.0.113.9, 198.51.100.7, 203.0.113.10",
  "2001:db8::9",
  "203.0.113.9:4711, [2001:db8::9]:4711",
  "::ffff:203.0.113.9",
  "127.0.0.99",
  "not-an-address, <script>, 203.0.113.9",
  ", ,",
];

const NAMES = [
  ...["X-Real-IP", "X-Client-IP", "True-Client-IP", "CF-Connecting-IP", "X-Original-Forwarded-For"],
  ...["X-Cluster-Client-IP", "X-Forwarded", "Forwarded-For", "Client-IP", "Fastly-Client-IP", "Fly-Client-IP"],
  ...["X-Appengine-User-IP", "X-Azure-ClientIP", "X-Remote-Addr", "X-ProxyUser-Ip"],
];

const FORGED: readonly (readonly Field[])[] = [
  ...FORWARDED.map((value): Field[] => [["X-Forwarded-For", value]]),
  ["203.0.113.9", "198.51.100.7"].map((value) => ["X-Forwarded-For", value]),
  ...NAMES.map((name): Field[] => [[name, "203.0.113.9"]]),
  [["Forwarded", 'for=203.0.113.9;by=198.51.100.7, for="[2001:db8::9]"']],
];

/** The caller's address (D22). */
export const clientAddress: readonly Check[] = [
  check("sysinfo/client-address", {}, async (api) => {
    expectAddress(await addressOf(api));
    expectAddress(expectSuccess(await api.call("sysinfo", { credentials: "good" }), "sysinfo").clientAddress);
    const landing = await api.request({ method: "GET", target: "/", headers: [["Accept", "application/json"]] });
    expectAddress(String(expectObject(landing.json()).clientAddress));
    if (api.loopback) await expectOwn(api);
  }),
  check("sysinfo/forwarded-for", {}, async (api) => {
    const known = await addressOf(api);
    const all = NAMES.map((name): Field => [name, "203.0.113.9"]);
    const fields: Field[] = [["Accept", "application/json"], ["X-Forwarded-For", "203.0.113.9"], ...all];
    const landing = expectObject((await api.request({ method: "GET", target: "/", headers: fields })).json());
    if (landing.clientAddress === "203.0.113.9")
      fail("body:/clientAddress", `the clientAddress ${known} on the landing page`, "one that was made up");
    for (const headers of FORGED)
      await inCase(headers.map((field) => field.join(": ")).join(", "), async () => {
        const address = await addressOf(api, headers);
        // A caller with several addresses may be seen at another one by chance, but never at one that it made up.
        if (address !== known && address !== (await addressOf(api)))
          fail("body:/clientAddress", `the clientAddress ${known}, as without it`, address);
      });
  }),
];
