import { isIP } from "node:net";
import type { Api } from "../../client/api.ts";
import { expectObject, expectSuccess, fail } from "../../client/expect.ts";
import { type Check, check } from "../check.ts";
import { answered } from "../probe.ts";

type Fields = readonly (readonly [name: string, value: string])[];

/** `clientAddress` of a `sysinfo` with these headers. */
async function addressOf(api: Api, headers: Fields = []): Promise<string> {
  const reply = await api.request({ method: "GET", target: "/api/?@=sysinfo", headers });
  return expectSuccess(reply, "sysinfo").clientAddress;
}

function expectAddress(address: string): void {
  if (/^::ffff:/i.test(address)) fail("body", "an IPv4 address without ::ffff:", address);
  if (isIP(address) === 0) fail("body", "an IP address", address);
}

const FORGED: Readonly<Record<string, string>> = {
  "one-address": "203.0.113.9",
  "several-addresses": "203.0.113.9, 198.51.100.7, 203.0.113.10",
  ipv6: "2001:db8::9",
  "with-a-port": "203.0.113.9:4711, [2001:db8::9]:4711",
  mapped: "::ffff:203.0.113.9",
  loopback: "127.0.0.99",
  garbage: "not-an-address, <script>, 203.0.113.9",
  empty: ", ,",
};

async function expectUnmoved(api: Api, forged: Fields): Promise<void> {
  const before = await addressOf(api);
  const address = await addressOf(api, forged);
  const after = await addressOf(api);
  // A caller with several addresses may be seen at another one by chance, but never at one that it made up.
  if (address !== before && address !== after)
    fail("body", `the clientAddress ${before}, as without ${forged.map(([name]) => name).join(", ")}`, address);
  expectAddress(address);
}

/** The caller's address (D22). */
export const clientAddress: readonly Check[] = [
  check("sysinfo/client-address#plain", {}, async (api) => expectAddress(await addressOf(api))),
  check("sysinfo/client-address#with-credentials", {}, async (api) => {
    expectAddress(expectSuccess(await api.call("sysinfo", { credentials: "good" }), "sysinfo").clientAddress);
  }),
  check("sysinfo/client-address#on-a-socket", {}, async (api) => {
    const reply = answered(await api.raw(api.rawRequest({ target: api.path("/api/?@=sysinfo") })), "GET");
    expectAddress(expectSuccess(reply, "sysinfo").clientAddress);
  }),
  check("sysinfo/client-address#landing", {}, async (api) => {
    const reply = await api.request({ method: "GET", target: "/", headers: [["Accept", "application/json"]] });
    const { clientAddress: address } = expectObject(reply.json());
    expectAddress(String(address));
  }),
  ...Object.entries(FORGED).map(([name, value]) =>
    check(`sysinfo/forwarded-for#${name}`, {}, (api) => expectUnmoved(api, [["X-Forwarded-For", value]])),
  ),
  check("sysinfo/forwarded-for#sent-twice", {}, (api) =>
    expectUnmoved(api, [
      ["X-Forwarded-For", "203.0.113.9"],
      ["X-Forwarded-For", "198.51.100.7"],
    ]),
  ),
  check("sysinfo/forwarded-for#by-another-name", {}, async (api) => {
    const names = ["X-Real-IP", "X-Client-IP", "True-Client-IP", "CF-Connecting-IP", "X-Original-Forwarded-For"];
    for (const name of names) await expectUnmoved(api, [[name, "203.0.113.9"]]);
    await expectUnmoved(api, [["Forwarded", 'for=203.0.113.9;by=198.51.100.7, for="[2001:db8::9]"']]);
  }),
];
