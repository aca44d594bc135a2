import { contract, operations } from "../../generated/operations.ts";
import type { Api } from "../client/api.ts";
import { describe, expectStatus, expectSuccess, fail } from "../client/expect.ts";
import { excerpt, type Reply } from "../client/reply.ts";
import { check } from "./check.ts";
import { unsafeParts, visibleText } from "./html.ts";
import { answered } from "./probe.ts";

/** What a browser sends for a page. */
const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

const page = (api: Api, accept?: string, headers: readonly (readonly [string, string])[] = []) =>
  api.request({
    method: "GET",
    target: "/",
    headers: [...(accept === undefined ? [] : [["Accept", accept] as const]), ...headers],
  });

const ids = Object.keys(operations);

/** A row or an item that speaks of an operation, and of its method: not what the page says of this request. */
const withoutOperations = (html: string) =>
  html.replace(/<(tr|li)\b[^>]*>[\s\S]*?<\/\1\s*>/gi, (row) =>
    ids.some((id) => visibleText(row).includes(id)) ? " " : row,
  );

/** The words of the page; accepted is 2xx, in whatever format. */
async function shown(api: Api): Promise<string> {
  const reply = await page(api, BROWSER);
  if (reply.status < 200 || reply.status >= 300) fail("body", "a landing page (2xx)", describe(reply));
  return visibleText(withoutOperations(reply.text));
}

const IPV4 = /(?<![\d.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\d.]*\d)/g;
const IPV6 = /(?<![\w:.])(?=[0-9a-f:.]*:[0-9a-f:.]*:)[0-9a-f:]+(?::ffff:[\d.]+)?(?![\w:])/gi;
/** Of time and date no part is an address or a version. */
const TIME =
  /\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?|(?<![\w:])\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?(?![\w:])/g;

/** A version of several parts, or the one number of a runtime that counts so. */
const RUNTIME_VERSION =
  /\d+\.\d+|\bv\d+\b|(?<!\w)(?:node(?:\.js)?|deno|bun|c?python|go|java|jvm|(?:open)?jdk|otp|php|ruby|\.net|rust)[\s/]*v?\d+/i;

const version = new RegExp(`(?<![\\d.])${contract.version.replaceAll(".", "\\.")}(?![\\d.]*\\d)`, "g");

function expectHtml(reply: Reply): void {
  expectStatus(reply, 200);
  if (reply.mediaType !== "text/html") fail("body", "an HTML page", describe(reply));
  if (!/<html[\s>]|<!doctype html/i.test(reply.text)) fail("body", "an HTML page", excerpt(reply.text));
}

function expectSafe(reply: Reply): void {
  const unsafe = /html|xml/.test(reply.mediaType) ? unsafeParts(reply.text) : [];
  if (unsafe.length > 0)
    fail("body", "a page that runs no script and loads nothing from elsewhere", unsafe.slice(0, 3).join(", "));
}

const MARKUP = '"><script>alert(1)</script><img src=x onerror=alert(1)>';

/** The landing page (G6, G8, D29). */
export const landing = [
  check("landing/status-and-version#status", {}, async (api) => {
    const text = await shown(api);
    if (!/\bOperational\b/.test(text)) fail("status", "the status Operational on the page", excerpt(text));
  }),
  check("landing/status-and-version#version", {}, async (api) => {
    const text = await shown(api);
    if (text.search(version) < 0) fail("body", `the version ${contract.version} on the page`, excerpt(text));
  }),
  check("landing/shows#method", {}, async (api) => {
    const text = await shown(api);
    if (!/\bGET\b/.test(text)) fail("body", "the method GET on the page", excerpt(text));
  }),
  check("landing/shows#client-address", {}, async (api) => {
    const text = (await shown(api)).replace(TIME, " ");
    const addresses = [...(text.match(IPV4) ?? []), ...(text.match(IPV6) ?? [])];
    // Nobody comes from there.
    if (!addresses.some((address) => !["0.0.0.0", "::"].includes(address)))
      fail("body", "an IP address on the page", excerpt(text));
  }),
  check("landing/shows#runtime", {}, async (api) => {
    const text = (await shown(api)).replace(TIME, " ").replace(IPV4, " ").replace(IPV6, " ").replace(version, " ");
    if (!RUNTIME_VERSION.test(text)) fail("body", "the version of the runtime on the page", excerpt(text));
  }),
  check("landing/as-sysinfo", {}, async (api) => {
    const text = await shown(api);
    const { server, runtime, requestMethod, clientAddress } = expectSuccess(await api.call("sysinfo"), "sysinfo");
    for (const [name, value] of Object.entries({ server, runtime, requestMethod })) {
      if (value.split(/\s+/).some((word) => !text.includes(word)))
        fail("body", `the ${name} of sysinfo, ${value}, on the page`, excerpt(text));
    }
    // A caller with an address of each family may come from either.
    const addresses: readonly string[] = text.replace(TIME, " ").match(clientAddress.includes(":") ? IPV6 : IPV4) ?? [];
    if (addresses.length > 0 && !addresses.includes(clientAddress))
      fail("body", `the clientAddress of sysinfo, ${clientAddress}, on the page`, addresses.join(", "));
  }),
  check("landing/html#default", {}, async (api) => {
    for (const accept of [undefined, "*/*"]) expectHtml(await page(api, accept));
    for (const target of ["/?@=docs.list", "/?x=1"]) expectHtml(await api.request({ method: "GET", target }));
  }),
  check("landing/html#accept", {}, async (api) => {
    for (const accept of [
      "text/html",
      BROWSER,
      "application/json;q=0.5, text/html",
      "text/*",
      "application/json;q=0, */*",
      // Malformed, and so ignored (D10).
      "json",
      "application/json;q=2",
    ]) {
      expectHtml(await page(api, accept));
    }
  }),
  check("landing/html#head", {}, async (api) => {
    const reply = await api.request({ method: "HEAD", target: "/" });
    expectStatus(reply, 200);
    if (reply.mediaType !== "text/html") fail("body", "text/html for HEAD", reply.mediaType || "no media type");
  }),
  check("landing/json#accept", {}, async (api) => {
    for (const accept of [
      "application/json",
      "APPLICATION/JSON",
      "application/*",
      "application/json, text/html;q=0.9",
      "text/html;q=0.1, application/json;q=0.2",
      "text/html;q=0, */*",
      "application/json;version=1",
      "application/json; charset=utf-8, text/html;q=0.9",
    ]) {
      expectSuccess(await page(api, accept), "sysinfo");
    }
  }),
  check("landing/json#same", {}, async (api) => {
    // Whatever they make of such a header, both make the same of it.
    for (const headers of [{}, { "X-Forwarded-For": "203.0.113.7" }]) {
      const here = expectSuccess(await page(api, "application/json", Object.entries(headers)), "sysinfo");
      const there = expectSuccess(await api.call("sysinfo", { headers }), "sysinfo");
      for (const name of ["status", "version", "server", "runtime", "clientAddress", "requestMethod"] as const) {
        // A caller with an address of each family may come from either.
        if (name === "clientAddress" && here[name].includes(":") !== there[name].includes(":")) continue;
        if (here[name] !== there[name]) fail("body", `the ${name} of sysinfo, ${there[name]}`, here[name]);
      }
      const apart = Math.abs(Date.parse(here.time) - Date.parse(there.time));
      if (apart > 60_000) fail("body", `the time of sysinfo, ${there.time}`, here.time);
    }
  }),
  check("landing/safe#page", {}, async (api) => {
    const reply = await page(api, BROWSER);
    expectHtml(reply);
    expectSafe(reply);
  }),
  check("landing/safe#query", {}, async (api) => {
    expectSafe(
      await api.request({ method: "GET", target: `/?q=${encodeURIComponent(MARKUP)}&${encodeURIComponent(MARKUP)}` }),
    );
    const raw = await api.raw(api.rawRequest({ target: api.path("/?<script>alert(1)</script>") }));
    expectSafe(answered(raw, "a query of markup"));
  }),
  ...[
    "X-Forwarded-For",
    "User-Agent",
    "Referer",
    "X-Real-IP",
    "Forwarded",
    "X-Request-Id",
    "X-Forwarded-Host",
    "Origin",
  ].map((name) =>
    check(`landing/safe#${name.toLowerCase()}`, {}, async (api) => {
      const reply = await page(api, BROWSER, [[name, MARKUP]]);
      expectHtml(reply);
      expectSafe(reply);
    }),
  ),
];
