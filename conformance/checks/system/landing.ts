import { contract } from "../../../generated/operations.ts";
import type { Api } from "../../client/api.ts";
import { describe, expectStatus, expectSuccess, fail } from "../../client/expect.ts";
import { every } from "../../client/operation.ts";
import { excerpt } from "../../client/reply.ts";
import { check } from "../check.ts";
import { BROWSER, expectPage, expectSafe, MARKUP, TOLD, visibleText } from "../docs/html.ts";
import { answered, inCase } from "../probe.ts";

const page = (api: Api, headers: Readonly<Record<string, string>> = {}, target = "/") =>
  api.request({ method: "GET", target, headers: Object.entries(headers) });

/** A row or an item that speaks of an operation, and of its method: not what the page says of this request. */
const withoutOperations = (html: string) =>
  html.replace(/<(tr|li)\b[^>]*>[\s\S]*?<\/\1\s*>/gi, (row) =>
    every.some(({ id }) => visibleText(row).includes(id)) ? " " : row,
  );

/** Redirects that are followed to the landing page. */
const MAX_HOPS = 5;

/** The words of the page, behind redirects within the deployment; accepted is 2xx, in whatever format. */
async function shown(api: Api): Promise<string> {
  let reply = await page(api, { Accept: BROWSER }, api.landing);
  for (let hops = 0; hops < MAX_HOPS && reply.status >= 300 && reply.status < 400; hops += 1) {
    const [location, { url }] = [reply.header("location") ?? "", reply.exchange.request];
    const href = URL.canParse(location, url) ? new URL(location, url).href : "";
    if (!href.startsWith(`${api.url}/`)) break;
    reply = await page(api, { Accept: BROWSER }, href.slice(api.url.length));
  }
  if (reply.refused) fail("status", "a landing page (2xx)", describe(reply));
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

function expectShown(text: string, what: string, there: boolean): void {
  if (!there) fail("body", `${what} on the page`, excerpt(text));
}

/** `Accept` values that prefer the page; what is malformed is ignored (D10). */
const PAGE = [
  ...["*/*", "text/html", BROWSER, "application/json;q=0.5, text/html", "text/*", "application/json;q=0, */*"],
  ...["json", "application/json;q=2"],
];
const DOCUMENT = [
  ...["application/json", "APPLICATION/JSON", "application/*", "application/json, text/html;q=0.9"],
  ...["text/html;q=0.1, application/json;q=0.2", "text/html;q=0, */*", "application/json;version=1"],
  "application/json; charset=utf-8, text/html;q=0.9",
];

/** The landing page (G6, G8, D29). */
export const landing = [
  check("landing/status-and-version", {}, async (api) => {
    const text = await shown(api);
    expectShown(text, "the status Operational", /\bOperational\b/.test(text));
    expectShown(text, `the version ${contract.version}`, text.search(version) >= 0);
  }),
  check("landing/shows", {}, async (api) => {
    const text = await shown(api);
    expectShown(text, "the method GET", /\bGET\b/.test(text));
    const timeless = text.replace(TIME, " ");
    const addresses = [...(timeless.match(IPV4) ?? []), ...(timeless.match(IPV6) ?? [])];
    // Nobody comes from there.
    expectShown(
      text,
      "an IP address",
      addresses.some((address) => !["0.0.0.0", "::"].includes(address)),
    );
    const rest = timeless.replace(IPV4, " ").replace(IPV6, " ").replace(version, " ");
    expectShown(text, "the version of the runtime", RUNTIME_VERSION.test(rest));
  }),
  check("landing/as-sysinfo", {}, async (api) => {
    const text = await shown(api);
    const { server, runtime, requestMethod, clientAddress } = expectSuccess(await api.call("sysinfo"), "sysinfo");
    for (const [name, value] of Object.entries({ server, runtime, requestMethod })) {
      const words = value.split(/\s+/);
      expectShown(
        text,
        `the ${name} of sysinfo, ${value},`,
        words.every((word) => text.includes(word)),
      );
    }
    // A caller with an address of each family may come from either.
    const addresses: readonly string[] = text.replace(TIME, " ").match(clientAddress.includes(":") ? IPV6 : IPV4) ?? [];
    if (addresses.length > 0 && !addresses.includes(clientAddress))
      fail("body", `the clientAddress of sysinfo, ${clientAddress}, on the page`, addresses.join(", "));
  }),
  check("landing/html", {}, async (api) => {
    for (const target of ["/", "/?@=docs.list", "/?x=1"]) expectPage(await page(api, {}, target));
    for (const accept of PAGE) {
      const reply = await page(api, { Accept: accept });
      await inCase(`Accept: ${accept}`, () => expectPage(reply));
    }
    const head = await api.request({ method: "HEAD", target: "/" });
    expectStatus(head, 200);
    if (head.mediaType !== "text/html") fail("header:content-type", "text/html for HEAD", head.mediaType || "none");
  }),
  check("landing/json#accept", {}, async (api) => {
    for (const accept of DOCUMENT) {
      const reply = await page(api, { Accept: accept });
      await inCase(`Accept: ${accept}`, () => expectSuccess(reply, "sysinfo"));
    }
  }),
  check("landing/json#same", {}, async (api) => {
    // Whatever they make of such a header, both make the same of it.
    for (const headers of [{}, { "X-Forwarded-For": "203.0.113.7" }]) {
      const here = expectSuccess(await page(api, { Accept: "application/json", ...headers }), "sysinfo");
      const there = expectSuccess(await api.call("sysinfo", { headers }), "sysinfo");
      for (const name of ["status", "version", "server", "runtime", "clientAddress", "requestMethod"] as const) {
        // A caller with an address of each family may come from either.
        if (name === "clientAddress" && here[name].includes(":") !== there[name].includes(":")) continue;
        if (here[name] !== there[name]) fail(`body:/${name}`, `the ${name} of sysinfo, ${there[name]}`, here[name]);
      }
      const apart = Math.abs(Date.parse(here.time) - Date.parse(there.time));
      if (apart > 60_000) fail("body:/time", `the time of sysinfo, ${there.time}`, here.time);
    }
  }),
  check("landing/safe", {}, async (api) => {
    for (const headers of [{}, ...TOLD.map((name) => ({ [name]: MARKUP }))]) {
      const reply = await page(api, { Accept: BROWSER, ...headers });
      await inCase(`with markup in ${Object.keys(headers).join() || "nothing"}`, () => {
        expectPage(reply);
        expectSafe(reply);
      });
    }
    const escaped = encodeURIComponent(MARKUP);
    expectSafe(await page(api, {}, `/?q=${escaped}&${escaped}`));
    const raw = await api.raw(api.rawRequest({ target: api.path("/?<script>alert(1)</script>") }));
    expectSafe(answered(raw, "a query of markup"));
  }),
];
