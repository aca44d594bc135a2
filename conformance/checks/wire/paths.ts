import type { Api } from "../../client/api.ts";
import { describe, expectStatus, fail } from "../../client/expect.ts";
import type { Reply } from "../../client/reply.ts";
import type { RawRequest } from "../../client/wire/raw-request.ts";
import { type Check, check } from "../check.ts";
import { credentialFields, expectRefusedAs, inCase } from "../probe.ts";
import { answerTo, at, type Field, SYSINFO } from "./support.ts";

/** A relative reference (RFC 3986, 4.2): no scheme and no authority. */
const RELATIVE = /^(?!\/\/|[\\/]{2})(?![a-z][a-z0-9+.-]*:)/i;

const ELSEWHERE: readonly Field[] = Object.entries({
  "X-Forwarded-Host": "elsewhere.example",
  "X-Forwarded-Proto": "https",
  "X-Forwarded-Prefix": "/elsewhere",
  Forwarded: "host=elsewhere.example;proto=https",
});

const slashless = (api: Api, query: string, more: Partial<RawRequest> = {}) =>
  at(api, query === "" ? "/api" : `/api?${query}`, more);

async function expectRedirects(api: Api, queries: readonly string[], more: Partial<RawRequest> = {}): Promise<void> {
  for (const query of queries)
    await inCase(`${more.method ?? "GET"} with ${query}`, async () => {
      const reply = await answerTo(api, slashless(api, query, more));
      expectStatus(reply, 308);
      expectLocation(api, reply, query);
    });
}

function expectLocation(api: Api, reply: Reply, query: string): void {
  const [location, ...more] = reply.headerValues("location");
  if (location === undefined || more.length > 0)
    fail("header:location", "one Location", reply.header("location") ?? "none");
  if (!RELATIVE.test(location)) fail("header:location", "a relative Location", location);
  const [path = "", ...rest] = location.split("?");
  if (rest.join("?") !== query) fail("header:location", `the query ${JSON.stringify(query)} byte for byte`, location);
  const resolved = new URL(path, `${api.url}/api`).href;
  if (resolved !== `${api.url}/api/`)
    fail("header:location", `a Location that leads to ${api.url}/api/`, `${location} (${resolved})`);
}

/** `/api` redirects to `/api/` (D11). */
const redirects: readonly Check[] = [
  check("http/slash-redirect#whatever-the-headers", {}, async (api) => {
    for (const headers of [ELSEWHERE, [["X-API-KEY", `no-key-${api.runId}`] as const], credentialFields(api)])
      await expectRedirects(api, ["@=user.list"], { headers });
  }),
];

const search = SYSINFO.slice(SYSINFO.indexOf("?"));

/** `.` and `..` in a path (RFC 3986, 5.2.4): clients remove them, or leave it to the deployment (D11). */
const dotSegments: readonly Check[] = [
  check("http/dot-segments#redirected", {}, async (api) => {
    // The relative address resolves to the endpoint, even from a path with dot segments.
    const reply = await answerTo(api, at(api, `/x/../api${search}`));
    expectStatus(reply, 308);
    const there = new URL(reply.header("location") ?? "", `${api.url}/x/../api${search}`).href;
    if (there !== api.url + SYSINFO) fail("header:location", `a redirect to ${SYSINFO}`, there);
  }),
];

/** `/robots.txt` (D11). */
const robots: readonly Check[] = [
  check("http/robots", {}, async (api) => {
    for (const method of ["GET", "HEAD"]) {
      const reply = await api.request({ method, target: "/robots.txt" });
      expectStatus(reply, 200);
      if (reply.mediaType !== "text/plain") fail("header:content-type", "text/plain", describe(reply));
      if (method === "GET" && !/^(user-agent|#|sitemap)/im.test(reply.text))
        fail("body", "the lines of a robots.txt", describe(reply));
    }
  }),
  check("http/robots-etag", {}, async (api) => {
    const get = (tag: string) => answerTo(api, at(api, "/robots.txt", { headers: [["If-None-Match", tag]] }));
    const tag = (await get('"other"')).header("etag") ?? fail("header:etag", "an ETag", "none");
    expectStatus(await get(tag), 304);
  }),
];

/** `/.well-known/security.txt` (D11, RFC 9116), where there is one. */
const securityTxt = check("http/security-txt", {}, async (api) => {
  const reply = await answerTo(api, at(api, "/.well-known/security.txt"));
  if (reply.status === 404) return expectRefusedAs(reply, "path-not-found");
  expectStatus(reply, 200);
  if (reply.mediaType !== "text/plain") fail("header:content-type", "text/plain", describe(reply));
  const values = (name: string) =>
    [...reply.text.matchAll(new RegExp(`^${name}:[ \\t]*(\\S+)`, "gim"))].map((m) => m[1]);
  if (values("contact").length === 0) fail("body", "a field Contact", describe(reply));
  const [expires = "", ...more] = values("expires");
  if (more.length > 0 || !(Date.parse(expires) > Date.now()))
    fail("body", "one field Expires, with a time to come", describe(reply));
});

/** Paths that are served in addition to the endpoint, and other spellings of its path. */
export const paths: readonly Check[] = [...redirects, ...dotSegments, ...robots, securityTxt];
