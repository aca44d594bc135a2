import type { Api } from "../../client/api.ts";
import { expectObject, expectSuccess, fail } from "../../client/expect.ts";
import { type Check, check } from "../check.ts";
import { inCase } from "../probe.ts";

type Headers = readonly (readonly [name: string, value: string])[];

const MADE_UP = "203.0.113.9";

/** Names of a header, known from proxies and hosts, beside those that one thinks of first. */
const FURTHER = [
  "X-Cluster-Client-IP",
  "X-Forwarded",
  "Forwarded-For",
  "Client-IP",
  "Fastly-Client-IP",
  "Fly-Client-IP",
  "X-Appengine-User-IP",
  "X-Azure-ClientIP",
  "X-Remote-Addr",
  "X-ProxyUser-Ip",
];

async function addressAt(api: Api, target: string, headers: Headers): Promise<string> {
  const reply = await api.request({ method: "GET", target, headers: [["Accept", "application/json"], ...headers] });
  if (target !== "/") return expectSuccess(reply, "sysinfo").clientAddress;
  return String(expectObject(reply.json()).clientAddress);
}

/** D22: nobody chooses the address that is taken for the caller's. */
export const forwarded: readonly Check[] = [
  check("sysinfo/forwarded-for#further-names", {}, async (api) => {
    for (const name of FURTHER)
      await inCase(name, async () => {
        const address = await addressAt(api, "/api/?@=sysinfo", [[name, MADE_UP]]);
        if (address === MADE_UP) fail("body", "the caller's own clientAddress", address);
      });
  }),
  check("sysinfo/forwarded-for#landing", {}, async (api) => {
    for (const name of ["X-Forwarded-For", "X-Real-IP", "Forwarded"])
      await inCase(name, async () => {
        const value = name === "Forwarded" ? `for=${MADE_UP}` : MADE_UP;
        const address = await addressAt(api, "/", [[name, value]]);
        if (address === MADE_UP) fail("body", "the caller's own clientAddress on the landing page", address);
      });
  }),
];
