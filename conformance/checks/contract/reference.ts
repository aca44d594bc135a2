import { contract } from "../../../generated/operations.ts";
import type { Api } from "../../client/api.ts";
import { describe, expectObject, expectStatus, fail } from "../../client/expect.ts";
import { every } from "../../client/operation.ts";
import { excerpt, type Reply } from "../../client/reply.ts";
import { check } from "../check.ts";
import { expectNotModified } from "../docs/document.ts";
import { expectPage, loadedFiles, visibleText } from "../docs/html.ts";
import { inCase } from "../probe.ts";
import { getFile, objects, read } from "./files.ts";

/** The reference page, and the catalogue that leads to it (D11, D12). */

const PAGE = "/reference";
const CATALOG = "/.well-known/api-catalog";

async function page(api: Api): Promise<Reply> {
  const reply = await getFile(api, PAGE);
  expectPage(reply);
  return reply;
}

/** What the page loads, as paths below the base address. Anything else is of another host. */
async function filesOf(api: Api): Promise<readonly { readonly path: string; readonly type: RegExp }[]> {
  const base = `${api.url}${PAGE}`;
  const files = loadedFiles((await page(api)).text).map(({ address, type }) => {
    const { href } = new URL(address, base);
    if (!href.startsWith(`${api.url}/`)) fail("body", "files of the deployment itself", excerpt(address));
    return { path: href.slice(api.url.length), type };
  });
  if (files.length === 0) fail("body", "a page that loads a script", "none");
  return files;
}

/** What a directive allows, by its name; `default-src` where it is not there (CSP 3, 6.8.3). */
function policyOf(reply: Reply): (directive: string) => readonly string[] {
  const text = reply.header("content-security-policy") ?? "";
  const directives = new Map(
    text.split(";").map((one) => {
      const [name = "", ...sources] = one.trim().split(/\s+/);
      return [name.toLowerCase(), sources] as const;
    }),
  );
  return (name) => directives.get(name) ?? (name.endsWith("-src") ? directives.get("default-src") : undefined) ?? ["*"];
}

/** Sources that let in nothing but the deployment's own files, and what stands in the page by its hash. */
const OWN = /^'(none|self|sha(256|384|512)-[\w+/=]+)'$/;
const LOADS = ["default-src", "script-src", "style-src", "connect-src", "font-src", "frame-src", "worker-src"];

function expectPolicy(reply: Reply): void {
  const allowed = policyOf(reply);
  const open = [...LOADS, "base-uri", "form-action", "frame-ancestors"].filter((name) =>
    allowed(name).some((source) => !OWN.test(source)),
  );
  if (allowed("img-src").some((source) => !OWN.test(source) && source !== "data:")) open.push("img-src");
  if (allowed("frame-ancestors").some((source) => source !== "'none'")) open.push("frame-ancestors");
  if (open.length > 0)
    fail("header:content-security-policy", "a policy that allows nothing of another host", open.join(", "));
}

const LINKSET = /^application\/linkset\+json$/;
const RELATIONS = ["service-desc", "service-doc", "status"] as const;

async function expectCatalog(api: Api): Promise<void> {
  const reply = await getFile(api, CATALOG);
  expectStatus(reply, 200);
  if (!LINKSET.test(reply.mediaType)) fail("header:content-type", "application/linkset+json", describe(reply));
  const sets = objects(expectObject(reply.json()).linkset);
  const servers = objects((await read(api, "/openapi.json")).servers).map(({ url }) => String(url));
  const anchors = sets.map(({ anchor }) => String(anchor));
  const missing = servers.filter((url) => !anchors.includes(`${url}/api/`));
  if (missing.length > 0 || servers.length === 0)
    fail("body:/linkset/*/anchor", `the endpoint of ${missing.join(", ") || "a deployment"}`, anchors.join(", "));
  for (const [index, set] of sets.entries())
    for (const relation of RELATIONS) {
      const hrefs = objects(set[relation]).map(({ href }) => String(href));
      const elsewhere = hrefs.filter((href) => !href.startsWith(anchors[index]?.replace(/api\/$/, "") ?? "-"));
      if (hrefs.length === 0 || elsewhere.length > 0)
        fail(`body:/linkset/*/${relation}`, `addresses of ${anchors[index]}`, elsewhere.join(", ") || "none");
    }
}

export const reference = [
  check("reference/page", {}, async (api) => {
    const text = visibleText((await page(api)).text);
    const missing = every.filter(({ name }) => !text.includes(name)).map(({ name }) => name);
    if (missing.length > 0) fail("body", `the operations of ${contract.title}`, `no ${missing.join(", ")}`);
    const head = await api.request({ method: "HEAD", target: PAGE });
    expectStatus(head, 200);
  }),
  check("reference/own-files", {}, async (api) => {
    for (const { path, type } of await filesOf(api))
      await inCase(path, async () => {
        const reply = await getFile(api, path);
        expectStatus(reply, 200);
        if (!type.test(reply.mediaType)) fail("header:content-type", `a media type of ${type.source}`, describe(reply));
        if (reply.body.length === 0) fail("body", "a file", "nothing");
      });
  }),
  check("reference/policy", {}, async (api) => expectPolicy(await page(api))),
  check("reference/etag", {}, async (api) => {
    for (const path of [PAGE, CATALOG, ...(await filesOf(api)).map((file) => file.path)])
      await inCase(path, async () => {
        const tag = (await getFile(api, path)).header("etag") ?? fail("header:etag", "an ETag", "none");
        await expectNotModified(api, path, [["If-None-Match", tag]], tag);
        expectStatus(await getFile(api, path, { "If-None-Match": '"other"' }), 200);
      });
  }),
  check("catalog/linkset", {}, expectCatalog),
  check("catalog/link", {}, async (api) => {
    for (const method of ["GET", "HEAD"]) {
      const reply = await api.request({ method, target: CATALOG });
      expectStatus(reply, 200);
      const [, address, parameters = ""] = /^<([^>]*)>(.*)$/.exec(reply.header("link") ?? "") ?? [];
      const there = address !== undefined && new URL(address, api.url + CATALOG).pathname.endsWith(CATALOG);
      if (!there || !/;\s*rel="?api-catalog"?(;|$)/.test(parameters))
        fail("header:link", `Link: <…${CATALOG}>; rel="api-catalog" for ${method}`, reply.header("link") ?? "none");
    }
  }),
];
