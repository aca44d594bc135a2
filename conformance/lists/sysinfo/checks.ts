import { BlockList, isIP } from "node:net";
import { check } from "../../checks/check.ts";
import type { Api } from "../../client/api.ts";
import { describe, expectAccepted, expectObject, expectSuccess, fail } from "../../client/expect.ts";
import { Stopped } from "../../client/expectation.ts";
import { memberIn } from "../../client/reply.ts";

/** Checks of `sysinfo` that need several requests: its clock moves, and callers are distinguished. */

/** Between two replicas of one deployment. */
const SKEW_MS = 1000;
/** A clock with milliseconds must have moved within this time. */
const MOVED_MS = 40;

async function timeOf(api: Api): Promise<string> {
  const reply = await api.call("sysinfo");
  return memberIn(reply.body, "time") ?? fail("body:/time", "a text as time", describe(reply));
}

/** Addresses that no caller has: unspecified, for documentation, multicast and reserved (RFC 6890). */
const NOBODYS = new BlockList();
for (const net of ["0.0.0.0/8", "192.0.2.0/24", "198.51.100.0/24", "203.0.113.0/24", "224.0.0.0/3"])
  NOBODYS.addSubnet(net.replace(/\/.*/, ""), Number(net.replace(/.*\//, "")));
for (const net of ["::/128", "2001:db8::/32", "ff00::/8"])
  NOBODYS.addSubnet(net.replace(/\/.*/, ""), Number(net.replace(/.*\//, "")), "ipv6");

const OWN = ["127.0.0.2", "127.0.0.3"];

export const sysinfoChecks = [
  check("sysinfo/json", {}, async (api) => {
    expectAccepted(await api.call("sysinfo"));
  }),
  check("sysinfo/time#moves", {}, async (api) => {
    const first = await timeOf(api);
    const start = performance.now();
    for (let time = first; time === first; ) {
      // A clock of whole seconds may be unchanged for so long.
      if (performance.now() - start > MOVED_MS && !/\.0+Z$|:\d\dZ$/.test(time))
        fail("body:/time", "a time that moves on", `${time} again after ${MOVED_MS} ms`);
      if (performance.now() - start > MOVED_MS) return;
      time = await timeOf(api);
      // The clocks of two replicas may differ a little.
      if (Date.parse(time) < Date.parse(first) - SKEW_MS) fail("body:/time", `a time after ${first}`, time);
    }
  }),
  /**
   * On loopback a caller has any number of addresses, and a direct target distinguishes two of them. A target that reports the
   * same for both may be behind a container's gateway, a tunnel or a bastion; or it invented an address that no caller has.
   */
  check("sysinfo/client-address#two-callers", {}, async (api) => {
    if (!api.loopback) return;
    const told: string[] = [];
    for (const from of OWN) {
      const { replies } = await api.raw(api.rawRequest({ target: api.path("/api/?@=sysinfo") }), { from });
      // Not every system has these addresses, and not every target listens on them.
      if (!replies[0]) return;
      told.push(String(expectObject(expectSuccess(replies[0], "sysinfo")).clientAddress));
    }
    const [address = "", ...others] = new Set(told);
    if (others.length > 0) return;
    if (NOBODYS.check(address, isIP(address) === 6 ? "ipv6" : "ipv4"))
      fail("body:/clientAddress", `the addresses ${OWN.join(" and ")} of two callers`, `${address} for both`);
    throw new Stopped(`clientAddress is ${address} for any caller: a constant, or what is between hides them`);
  }),
];
