import type { Api } from "../../client/api.ts";
import { describe, expectStatus, expectSuccess, fail } from "../../client/expect.ts";
import type { Reply } from "../../client/reply.ts";
import { type Check, check } from "../check.ts";
import { ask, emptyCreate } from "./support.ts";

/** A relative reference (RFC 3986, 4.2): no scheme and no authority. */
const RELATIVE = /^(?!\/\/|[\\/]{2})(?![a-z][a-z0-9+.-]*:)/i;

const QUERIES = {
  plain: "@=sysinfo",
  "encoded-at": "%40=sysinfo",
  "repeated-names": "@=user.list&limit=1&limit=2&@=sysinfo",
  "plus-and-blank": "@=a+b%20c%2Bd&x=+",
  "letter-case-of-escapes": "a=%c3%A9&b=%C3%a9",
  "broken-escapes": "@=%zz&%&%4",
  "empty-members": "&&=&a&b=&=c&",
  "further-marks": "a=b?c/d//e;f:g@h,i=j=k",
  "credentials-in-it": "X-API-KEY=not-a-key&X-PLATFORM=web",
  "line-break": "a=%0d%0aX-Injected:%201",
  "control-characters": "a=%00%1f%7f",
  unwise: "a=[b]|c^d`e{f}'g!h*(i)$",
  address: "next=https://other.example/api/%2f..",
  long: `@=${"x".repeat(4000)}`,
} as const;

/** Those that a server changes that writes the query anew. */
const UNUSUAL = [QUERIES["encoded-at"], QUERIES["letter-case-of-escapes"], QUERIES["broken-escapes"]];

function expectRedirect(api: Api, reply: Reply, query: string): void {
  if (reply.status !== 308) fail("status", "a redirect with 308", describe(reply));
  const [location, ...more] = reply.headerValues("location");
  if (location === undefined || more.length > 0) fail("body", "one Location", reply.header("location") ?? "none");
  if (!RELATIVE.test(location)) fail("body", "a relative Location", location);
  const mark = location.indexOf("?");
  const sent = mark < 0 ? "" : location.slice(mark + 1);
  if (sent !== query) fail("body", `the query ${JSON.stringify(query)} byte for byte`, location);
  const path = mark < 0 ? location : location.slice(0, mark);
  const resolved = new URL(path, `${api.url}/api`).href;
  if (resolved !== `${api.url}/api/`)
    fail("body", `a Location that leads to ${api.url}/api/`, `${location} (${resolved})`);
}

/** `/api` leads to `/api/` (D11). */
export const redirects: readonly Check[] = [
  ...Object.entries(QUERIES).map(([name, query]) =>
    check(`http/slash-redirect#${name}`, {}, async (api) => {
      expectRedirect(api, await ask(api, "GET", `/api?${query}`), query);
    }),
  ),
  check("http/slash-redirect#no-query", {}, async (api) => {
    expectRedirect(api, await ask(api, "GET", "/api"), "");
  }),
  check("http/slash-redirect#head", {}, async (api) => {
    expectRedirect(api, await ask(api, "HEAD", "/api?@=sysinfo"), "@=sysinfo");
    for (const query of UNUSUAL) expectRedirect(api, await ask(api, "HEAD", `/api?${query}`), query);
  }),
  check("http/slash-redirect#post", {}, async (api) => {
    expectRedirect(api, await ask(api, "POST", "/api", emptyCreate), "");
    expectRedirect(api, await ask(api, "POST", "/api?X-PLATFORM=web", emptyCreate), "X-PLATFORM=web");
    expectRedirect(api, await ask(api, "POST", "/api"), "");
    for (const query of UNUSUAL) expectRedirect(api, await ask(api, "POST", `/api?${query}`, emptyCreate), query);
  }),
  check("http/slash-redirect#whatever-the-credentials", {}, async (api) => {
    const headers = [["X-API-KEY", "not-a-key"]] as const;
    expectRedirect(api, await api.request({ method: "GET", target: "/api?@=user.list", headers }), "@=user.list");
    const good = [
      ["X-API-KEY", api.key],
      ["X-PLATFORM", api.platform],
    ] as const;
    expectRedirect(api, await api.request({ method: "GET", target: "/api?@=user.list", headers: good }), "@=user.list");
  }),
  check("http/slash-redirect#whatever-the-proxy-says", {}, async (api) => {
    const headers = [
      ["X-Forwarded-Host", "elsewhere.example"],
      ["X-Forwarded-Proto", "https"],
      ["X-Forwarded-Prefix", "/elsewhere"],
      ["Forwarded", "host=elsewhere.example;proto=https"],
    ] as const;
    expectRedirect(api, await api.request({ method: "GET", target: "/api?@=sysinfo", headers }), "@=sysinfo");
  }),
  check("http/slash-redirect#leads-there", {}, async (api) => {
    const reply = await api.request({ method: "GET", target: "/api?@=sysinfo" });
    expectRedirect(api, reply, "@=sysinfo");
    const there = new URL(reply.header("location") ?? "", `${api.url}/api`);
    const target = (there.pathname + there.search).slice(api.path("").length);
    expectSuccess(await api.request({ method: "GET", target }), "sysinfo");
  }),
  ...["/api", "/api?@=sysinfo", "/api?@=no.such.operation&%zz"].map((target, index) =>
    check(`http/slash-options#${["plain", "with-query", "with-bad-query"][index]}`, {}, async (api) => {
      const reply = await ask(api, "OPTIONS", target);
      expectStatus(reply, 204);
      if (reply.header("location") !== undefined) fail("body", "no Location", reply.header("location") ?? "");
      const headers = [
        ["Origin", "https://app.example"],
        ["Access-Control-Request-Method", "POST"],
      ] as const;
      expectStatus(await api.request({ method: "OPTIONS", target, headers }), 204);
    }),
  ),
];
