import type { Check } from "../../checks/check.ts";
import { describe, expectObject, fail } from "../../client/expect.ts";
import { excerpt } from "../../client/reply.ts";
import { expectPage, loadedFiles, visibleText } from "../../laws/html.ts";
import { taggedLaw } from "../../laws/representations.ts";
import { type Memory, type Success, successLaw } from "../../laws/success.ts";
import { objects, serversOf } from "./contract.ts";
import { CATALOG, CONTRACT, PAGE } from "./list.ts";

/** The reference page, and the catalog that links to it (D11, D12). */

const at = (path: string) => (success: Success) => success.operation === null && success.place === path;

function namesOperations({ reply, contract }: Success): void {
  expectPage(reply);
  const text = visibleText(reply.text);
  const missing = Object.values(contract.operations).filter(({ name }) => !text.includes(name));
  if (missing.length > 0)
    fail("body", `the operations of ${contract.title}`, `no ${missing.map(({ name }) => name).join(", ")}`);
}

/** For the page: its files, by path and with the required media type; for such a file, whether it is as required. */
function ownFile({ reply, place }: Success, memory: Memory): void {
  if (place !== PAGE) {
    const type = memory.get(place);
    if (type === undefined) return;
    if (!RegExp(type).test(reply.mediaType)) fail("header:content-type", `a media type of ${type}`, describe(reply));
    if (reply.body.length === 0) fail("body", "a file", "nothing");
    return;
  }
  const { url } = reply.exchange.request;
  const root = url.slice(0, url.indexOf(PAGE));
  const files = loadedFiles(reply.text);
  if (files.length === 0) fail("body", "a page that loads a script", "none");
  for (const { address, type } of files) {
    const { href } = new URL(address, url);
    if (!href.startsWith(`${root}/`)) fail("body", "files of the deployment itself", excerpt(address));
    memory.set(href.slice(root.length).replace(/[?#].*/s, ""), type.source);
  }
}

/** Sources that allow only the deployment's own files, and inline code of the page by its hash. */
const OWN = /^'(none|self|sha(256|384|512)-[\w+/=]+)'$/;
const DIRECTIVES = [
  ...["default-src", "script-src", "style-src", "connect-src", "font-src", "frame-src", "worker-src", "img-src"],
  ...["base-uri", "form-action", "frame-ancestors"],
];

function policy({ reply }: Success): void {
  const all = (reply.header("content-security-policy") ?? "").split(";").map((one) => one.trim().split(/\s+/));
  const directives = new Map(all.map(([name = "", ...sources]) => [name.toLowerCase(), sources]));
  const open = DIRECTIVES.filter((name) => {
    // Falls back to `default-src` (CSP 3, 6.8.3).
    const sources = directives.get(name) ??
      (name.endsWith("-src") ? directives.get("default-src") : undefined) ?? ["*"];
    if (name === "frame-ancestors") return sources.join() !== "'none'";
    return sources.some((source) => !OWN.test(source) && !(name === "img-src" && source === "data:"));
  });
  if (open.length > 0)
    fail("header:content-security-policy", "a policy that allows nothing of another host", open.join(", "));
}

const RELATIONS = ["service-desc", "service-doc", "status"] as const;

/** The contract names the deployments, the catalog their addresses. */
function linkset({ reply, place, json }: Success, memory: Memory): void {
  if (place !== CATALOG) {
    memory.set("servers", JSON.stringify(serversOf(json ?? {})));
    return;
  }
  if (reply.mediaType !== "application/linkset+json")
    fail("header:content-type", "application/linkset+json", describe(reply));
  const sets = objects(expectObject(reply.json()).linkset);
  const anchors = sets.map(({ anchor }) => String(anchor));
  const servers: readonly unknown[] = JSON.parse(memory.get("servers") ?? "[]");
  const missing = servers.filter((url) => !anchors.includes(`${url}/api/`));
  if (missing.length > 0 || anchors.length === 0)
    fail(
      "body:/linkset/*/anchor",
      `the endpoint of ${missing.join(", ") || "a deployment"}`,
      anchors.join(", ") || "none",
    );
  for (const [index, set] of sets.entries())
    for (const relation of RELATIONS) {
      const hrefs = objects(set[relation]).map(({ href }) => String(href));
      const elsewhere = hrefs.filter((href) => !href.startsWith(anchors[index]?.replace(/api\/$/, "") ?? "-"));
      if (hrefs.length === 0 || elsewhere.length > 0)
        fail(`body:/linkset/*/${relation}`, `addresses of ${anchors[index]}`, elsewhere.join(", ") || "none");
    }
}

function link({ reply, request }: Success): void {
  const [, address, parameters = ""] = /^<([^>]*)>(.*)$/.exec(reply.header("link") ?? "") ?? [];
  const there = address !== undefined && new URL(address, reply.exchange.request.url).pathname.endsWith(CATALOG);
  if (!there || !/;\s*rel="?api-catalog"?(;|$)/.test(parameters))
    fail("header:link", `Link: <…${CATALOG}>; rel="api-catalog" for ${request.method}`, reply.header("link") ?? "none");
}

const is200 = ({ reply }: Success) => reply.status === 200;
const isTagged = ({ place, operation }: Success) =>
  operation === null && !["/", "/robots.txt", ...CONTRACT].includes(place);

export const referenceLaws: readonly Check[] = [
  successLaw("reference/page", at(PAGE), namesOperations, { once: true }),
  successLaw("reference/own-files", ({ operation }) => operation === null, ownFile),
  successLaw("reference/policy", at(PAGE), policy),
  taggedLaw("reference/etag#every-response", isTagged),
  successLaw("catalog/linkset", (one) => at(CATALOG)(one) || at("/openapi.json")(one), linkset),
  successLaw("catalog/link", (one) => at(CATALOG)(one) && is200(one), link, { bodiless: true }),
];
