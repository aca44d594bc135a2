import { check } from "../../../checks/check.ts";
import type { Api } from "../../../client/api.ts";
import { describe, fail } from "../../../client/expect.ts";
import { excerpt } from "../../../client/reply.ts";
import { BROWSER, visibleText } from "../../../laws/html.ts";

/** The given requirements of the landing page (G6, G8): at any place, and in any format. */

/** Redirects that are followed to the landing page. */
const MAX_HOPS = 5;

const ELSEWHERE = "where it is elsewhere, --landing PATH";

/**
 * The words of the page, after redirects within the deployment; without rows and items that contain an operation and its method.
 */
async function shown(api: Api): Promise<string> {
  const get = (target: string) => api.request({ method: "GET", target, headers: [["Accept", BROWSER]] });
  let reply = await get(api.landing);
  for (let hops = 0; hops < MAX_HOPS && reply.status >= 300 && reply.status < 400; hops += 1) {
    const [location, { url }] = [reply.header("location") ?? "", reply.exchange.request];
    const href = URL.canParse(location, url) ? new URL(location, url).href : "";
    if (!href.startsWith(`${api.url}/`)) break;
    reply = await get(href.slice(api.url.length));
  }
  if (reply.refused) fail("status", "a landing page (2xx)", describe(reply) + api.advice(ELSEWHERE));
  const ids = Object.keys(api.model.oracle.contract.operations);
  const isOfOperation = (row: string) => ids.some((id) => visibleText(row).includes(id));
  return visibleText(
    reply.text.replace(/<(tr|li)\b[^>]*>[\s\S]*?<\/\1\s*>/gi, (row) => (isOfOperation(row) ? " " : row)),
  );
}

const IPV4 = /(?<![\d.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\d.]*\d)/g;
const IPV6 = /(?<![\w:.])(?=[0-9a-f:.]*:[0-9a-f:.]*:)[0-9a-f:]+(?::ffff:[\d.]+)?(?![\w:])/gi;
/** No part of a time or date is an address or a version. */
const TIME =
  /\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?|(?<![\w:])\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?(?![\w:])/g;

/** The addresses in a text. */
export const addressesIn = (text: string, family: "IPv4" | "IPv6"): readonly string[] =>
  text.replace(TIME, " ").match(family === "IPv6" ? IPV6 : IPV4) ?? [];

/** A version of several parts, or the single number of a runtime with such versions. */
const RUNTIME_VERSION =
  /\d+\.\d+|\bv\d+\b|(?<!\w)(?:node(?:\.js)?|deno|bun|c?python|go|java|jvm|(?:open)?jdk|otp|php|ruby|\.net|rust)[\s/]*v?\d+/i;

/** The version of the interface, not as a part of another number. */
const versionOf = (api: Api) =>
  new RegExp(`(?<![\\d.])${api.model.oracle.contract.version.replaceAll(".", "\\.")}(?![\\d.]*\\d)`, "g");

const expectShown = async (api: Api, facts: (text: string) => Readonly<Record<string, boolean>>) => {
  const text = await shown(api);
  for (const [what, there] of Object.entries(facts(text)))
    if (!there) fail("body", `${what} on the page`, excerpt(text) + api.advice(ELSEWHERE));
};

export const givenLanding = [
  check("landing/status-and-version", {}, (api) =>
    expectShown(api, (text) => ({
      "the status Operational": /\bOperational\b/.test(text),
      [`the version ${api.model.oracle.contract.version}`]: text.search(versionOf(api)) >= 0,
    })),
  ),
  check("landing/shows", {}, (api) =>
    expectShown(api, (text) => {
      const addresses = [...addressesIn(text, "IPv4"), ...addressesIn(text, "IPv6")];
      const rest = text.replace(TIME, " ").replace(IPV4, " ").replace(IPV6, " ").replace(versionOf(api), " ");
      return {
        "the method GET": /\bGET\b/.test(text),
        // No caller has these addresses.
        "an IP address": addresses.some((address) => !["0.0.0.0", "::"].includes(address)),
        "the version of the runtime": RUNTIME_VERSION.test(rest),
      };
    }),
  ),
];
