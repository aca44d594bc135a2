import { visibleText } from "../extensions/atpoint/html.ts";
import { excerpt } from "../laws/difference.ts";
import { fieldsOf } from "../oracle/world.ts";
import { Lacking } from "../run/script.ts";
import type { Deployment } from "./deployment.ts";
import { NotKept, type Reply } from "./reply.ts";

/** The given requirements of the landing page (G6, G8): at the base URL, and in any format. */

/** Redirects that are followed to the landing page. */
const MAX_HOPS = 5;
const ACCEPT = ["Accept", "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"] as const;

const IPV4 = /(?<![\d.])(?:(?:25[0-5]|2[0-4]\d|1?\d?\d)\.){3}(?:25[0-5]|2[0-4]\d|1?\d?\d)(?![\d.]*\d)/g;
const IPV6 = /(?<![\w:.])(?=[0-9a-f:.]*:[0-9a-f:.]*:)[0-9a-f:]+(?::ffff:[\d.]+)?(?![\w:])/gi;
/** No part of a time or date is an address or a version. */
const TIME =
  /\d{4}-\d\d-\d\d(?:[T ][\d:.]+(?:Z|[+-]\d\d:?\d\d)?)?|(?<![\w:])\d{1,2}:\d\d(?::\d\d(?:\.\d+)?)?(?![\w:])/g;
/** A version of several parts, or the single number of a runtime with such versions. */
const RUNTIME_VERSION =
  /\d+\.\d+|\bv\d+\b|(?<!\w)(?:node(?:\.js)?|deno|bun|c?python|go|java|jvm|(?:open)?jdk|otp|php|ruby|\.net|rust)[\s/]*v?\d+/i;

/** The version of the interface, not as a part of another number. */
export const versionPattern = (version: string): RegExp =>
  new RegExp(`(?<![\\d.])${version.replaceAll(".", "\\.")}(?![\\d.]*\\d)`, "g");

/** What is at this path, after redirects within the deployment. Without the key: a page is public. */
async function pageAt(deployment: Deployment, path: string): Promise<Reply> {
  const { url, host } = deployment.run.options.target;
  for (let [target, hops] = [path, 0]; ; hops += 1) {
    const reply = await deployment.send({ method: "GET", target, fields: [["Host", host], ACCEPT], body: "" });
    const location = fieldsOf(reply.exchange.response?.fields ?? [], "Location").join();
    const isRedirect = reply.status >= 300 && reply.status < 400 && URL.canParse(location, url + target);
    const href = isRedirect ? new URL(location, url + target).href : "";
    if (!href.startsWith(`${url}/`) || hops === MAX_HOPS) return reply;
    target = href.slice(url.length);
  }
}

/** The words of a page, without rows and items that contain an operation and its method. */
function wordsOf({ text }: Reply, ids: readonly string[]): string {
  const isOfOperation = (row: string) => ids.some((id) => visibleText(row).includes(id));
  const rows = /<(tr|li)\b[^>]*>[\s\S]*?<\/\1\s*>/gi;
  return visibleText(text.replace(rows, (row) => (isOfOperation(row) ? " " : row)));
}

/** What a landing page shows, each with whether this one does. */
function factsOf(text: string, version: string) {
  const addresses = [...text.replace(TIME, " ").matchAll(IPV4), ...text.replace(TIME, " ").matchAll(IPV6)];
  const own = versionPattern(version);
  const rest = text.replace(TIME, " ").replace(IPV4, " ").replace(IPV6, " ").replace(own, " ");
  const status = { "the status Operational": /\bOperational\b/.test(text), [`the version ${version}`]: own.test(text) };
  const shows = {
    "the method GET": /\bGET\b/.test(text),
    // No caller has these addresses.
    "an IP address": addresses.some(([address]) => !["0.0.0.0", "::"].includes(address)),
    "the version of the runtime": RUNTIME_VERSION.test(rest),
  };
  return { status, shows };
}

const expectShown = (which: "status" | "shows") => async (deployment: Deployment) => {
  const { contract } = deployment.run.suite.oracle;
  const reply = await pageAt(deployment, "/");
  if (!reply.isAccepted) throw new Lacking(`no landing page at /: ${reply.status}`);
  const text = wordsOf(reply, Object.keys(contract.operations));
  const facts = factsOf(text, contract.version);
  // It may be elsewhere, or the work of a script: what shows nothing of it is another page.
  if (!Object.values({ ...facts.status, ...facts.shows }).includes(true))
    throw new Lacking("what is at / shows nothing of a landing page");
  const missing = Object.entries(facts[which]).find(([, isThere]) => !isThere);
  if (missing) throw new NotKept(reply, "body", `${missing[0]} on the page`, excerpt(text));
};

export const landingChecks = {
  "landing/status-and-version": expectShown("status"),
  "landing/shows": expectShown("shows"),
};
