import { visibleText } from "../extensions/atpoint/html.ts";
import { excerpt } from "../laws/difference.ts";
import { Lacking } from "../run/state.ts";
import type { Check, Deployment } from "./deployment.ts";
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
    const location = reply.status >= 300 && reply.status < 400 ? reply.header("location") : undefined;
    const isAddress = location !== undefined && URL.canParse(location, url + target);
    const href = isAddress ? new URL(location, url + target).href : "";
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

/** What a landing page shows by each requirement, and whether this one does. */
function factsOf(text: string, version: string) {
  const timeless = text.replace(TIME, " ");
  const addresses = [IPV4, IPV6].flatMap((pattern) => timeless.match(pattern) ?? []);
  const own = versionPattern(version);
  const rest = timeless.replace(IPV4, " ").replace(IPV6, " ").replace(own, " ");
  return [
    ["landing/status-and-version", "the status Operational", /\bOperational\b/.test(text)],
    ["landing/status-and-version", `the version ${version}`, own.test(text)],
    ["landing/shows", "the method GET", /\bGET\b/.test(text)],
    // No caller has these addresses.
    ["landing/shows", "an IP address", addresses.some((address) => !["0.0.0.0", "::"].includes(address))],
    ["landing/shows", "the version of the runtime", RUNTIME_VERSION.test(rest)],
  ] as const;
}

const expectShown = async (deployment: Deployment, id: string) => {
  const { operations, version } = deployment.contract;
  const reply = await pageAt(deployment, "/");
  if (!reply.isAccepted) throw new Lacking(`no landing page at /: ${reply.status}`);
  const text = wordsOf(reply, Object.keys(operations));
  const facts = factsOf(text, version);
  // It may be elsewhere, or the work of a script: what shows nothing of it is another page.
  if (!facts.some(([, , isThere]) => isThere)) throw new Lacking("what is at / shows nothing of a landing page");
  const [, missing] = facts.find(([of, , isThere]) => of === id && !isThere) ?? [];
  if (missing) throw new NotKept(reply, "body", `${missing} on the page`, excerpt(text));
};

export const landingChecks: Readonly<Record<string, Check>> = {
  "landing/status-and-version": (deployment) => expectShown(deployment, "landing/status-and-version"),
  "landing/shows": (deployment) => expectShown(deployment, "landing/shows"),
};
