import {
  type Difference,
  differs,
  excerpt,
  firstOf,
  hasContent,
  isSuccess,
  type Law,
  law,
  type Memory,
  once,
  type ParsedExchange,
  stringOf,
  taggedLaw,
} from "../../extension.ts";
import { loadedFiles, pageDifference, visibleTextOf } from "../documents/html.ts";
import { objectsIn } from "../documents/laws.ts";
import { CONTRACT, serversOf } from "./published.ts";

/** Laws for the reference page, the catalog that links to it, and `/robots.txt` (D11, D12). */

const PAGE = "/reference";
const CATALOG = "/.well-known/api-catalog";
const ROBOTS = "/robots.txt";

/**
 * The paths that this service serves next to the endpoint, but for the files that its pages load.
 */
export const PATHS: readonly string[] = [...CONTRACT, PAGE, ROBOTS, CATALOG];

const isAt = (path: string) => (parsed: ParsedExchange) =>
  parsed.operation === null && parsed.place === path;
const wholeAt = (path: string) => (parsed: ParsedExchange) =>
  isAt(path)(parsed) && isSuccess(parsed) && parsed.status === 200;
const contentAt = (path: string) => (parsed: ParsedExchange) =>
  isAt(path)(parsed) && hasContent(parsed);

function namesOperations(parsed: ParsedExchange): Difference | null {
  const text = visibleTextOf(parsed);
  const names = Object.values(parsed.contract.operations).map(({ name }) => name);
  const missing = names.filter((name) => !text.includes(name));
  if (missing.length === 0) return pageDifference(parsed);
  return differs(
    "body",
    `the operations of ${parsed.contract.title}`,
    `no ${missing.join(", no ")}`,
  );
}

const typeOf = (place: string) => `the media type of ${place}`;

/**
 * For the page: its files, by path and with the required media type; for such a file, whether it is
 * as required.
 */
function ownFile(parsed: ParsedExchange, memory: Memory): Difference | null {
  if (parsed.place === PAGE) return pageFiles(parsed, memory);
  const type = memory.get(typeOf(parsed.place));
  if (type === undefined) return null;
  if (!RegExp(type).test(parsed.mediaType))
    return differs("header:content-type", `a media type of ${type}`, parsed.shown);
  return parsed.content.length === 0 ? differs("body", "a file", "nothing") : null;
}

function pageFiles(parsed: ParsedExchange, memory: Memory): Difference | null {
  const files = loadedFiles(parsed.text);
  const page = `http://${parsed.sent("Host")[0]}${PAGE}`;
  if (files.length === 0) return differs("body", "a page that loads a script", "none");
  return firstOf(files, ({ address, type }) => {
    const file = URL.canParse(address, page) ? new URL(address, page) : null;
    if (file?.host !== new URL(page).host)
      return differs("body", "files of the deployment itself", excerpt(address));
    memory.set(typeOf(file.pathname), type.source);
    return null;
  });
}

/** Sources that allow only the deployment's own files, and inline code of the page by its hash. */
const OWN = /^'(none|self|sha(256|384|512)-[\w+/=]+)'$/;
const DIRECTIVES = [
  "default-src",
  "script-src",
  "style-src",
  "connect-src",
  "font-src",
  "frame-src",
  "worker-src",
  "img-src",
  "base-uri",
  "form-action",
  "frame-ancestors",
];

function policy(parsed: ParsedExchange): Difference | null {
  const all = (parsed.header("content-security-policy") ?? "")
    .split(";")
    .map((one) => one.trim().split(/\s+/));
  const directives = new Map(all.map(([name = "", ...sources]) => [name.toLowerCase(), sources]));
  const open = DIRECTIVES.filter((name) => {
    // Falls back to `default-src` (CSP 3, 6.8.3).
    const byDefault = name.endsWith("-src") ? directives.get("default-src") : undefined;
    const sources = directives.get(name) ?? byDefault ?? ["*"];
    if (name === "frame-ancestors") return sources.join() !== "'none'";
    return sources.some(
      (source) => !OWN.test(source) && !(name === "img-src" && source === "data:"),
    );
  });
  if (open.length === 0) return null;
  return differs(
    "header:content-security-policy",
    "a policy that allows nothing of another host",
    open.join(", "),
  );
}

/** Whether a deployment serves this, next to the endpoint or as a name that needs no input. */
const isServed = ({ contract }: ParsedExchange, path: string): boolean => {
  const [, name] = /^api\/\?(?:@|%40)=(.*)$/.exec(path) ?? [];
  if (name === undefined) return path === "" || PATHS.includes(`/${path}`);
  return Object.values(contract.operations).some(
    ({ name: one, known }) => one === name || known.includes(name),
  );
};

const RELATIONS = ["service-desc", "service-doc", "status"] as const;
const SERVERS = "the servers of the contract";

/** The contract names the deployments, the catalog their addresses. */
function linkset(parsed: ParsedExchange, memory: Memory): Difference | null {
  if (parsed.place !== CATALOG) {
    memory.set(SERVERS, JSON.stringify(serversOf(parsed.object ?? {})));
    return null;
  }
  if (parsed.mediaType !== "application/linkset+json")
    return differs("header:content-type", "application/linkset+json", parsed.shown);
  if (!parsed.object) return differs("body", "a JSON object", parsed.shown);
  const sets = objectsIn(parsed.object.linkset);
  const anchors = sets.map(({ anchor }) => stringOf(anchor));
  const servers: readonly string[] = JSON.parse(memory.get(SERVERS) ?? "[]");
  const missing = servers.filter((url) => !anchors.includes(`${url}/api/`));
  if (missing.length > 0 || anchors.length === 0) {
    const expected = `the endpoint of ${missing.join(", ") || "a deployment"}`;
    return differs("body:/linkset/*/anchor", expected, anchors.join(", ") || "none");
  }
  return firstOf(sets.entries(), ([index, set]) => {
    const root = anchors[index]?.replace(/api\/$/, "") ?? "";
    return firstOf(RELATIONS, (relation) => {
      const addresses = objectsIn(set[relation]).map(({ href }) => stringOf(href));
      const elsewhere = addresses.filter(
        (one) => !one.startsWith(root) || !isServed(parsed, one.slice(root.length)),
      );
      if (addresses.length > 0 && elsewhere.length === 0) return null;
      const actual = elsewhere.join(", ") || "none";
      return differs(`body:/linkset/${index}/${relation}`, `addresses of ${root}`, actual);
    });
  });
}

function link(parsed: ParsedExchange): Difference | null {
  const said = parsed.header("link") ?? "";
  const [, address = "", parameters = ""] = /^<([^<>]*)>(.*)$/.exec(said) ?? [];
  const base = `http://h${CATALOG}`;
  const isThere = URL.canParse(address, base) && new URL(address, base).pathname.endsWith(CATALOG);
  if (isThere && /;\s*rel="?api-catalog"?(;|$)/.test(parameters)) return null;
  const expected = `Link: <…${CATALOG}>; rel="api-catalog" for ${parsed.request.method}`;
  return differs("header:link", expected, said || "none");
}

function robots(parsed: ParsedExchange): Difference | null {
  if (parsed.mediaType !== "text/plain")
    return differs("header:content-type", "text/plain", parsed.mediaType || "none");
  if (parsed.isHead || /^(?:user-agent|#|sitemap)/im.test(parsed.text)) return null;
  return differs("body", "the lines of a robots.txt", excerpt(parsed.text) || "an empty body");
}

const UNTAGGED = ["/", ROBOTS, ...CONTRACT];
const isTagged = ({ place, operation }: ParsedExchange) =>
  operation === null && !UNTAGGED.includes(place);

export const referenceLaws: readonly Law[] = [
  once(law("reference/page", contentAt(PAGE), namesOperations)),
  law("reference/own-files", (parsed) => parsed.operation === null && hasContent(parsed), ownFile),
  law("reference/policy", contentAt(PAGE), policy),
  taggedLaw("reference/etag", isTagged),
  law(
    "catalog/linkset",
    (parsed) => contentAt(CATALOG)(parsed) || contentAt("/openapi.json")(parsed),
    linkset,
  ),
  law("catalog/link", wholeAt(CATALOG), link),
  law("http/robots", wholeAt(ROBOTS), robots),
  taggedLaw("http/robots-etag", isAt(ROBOTS)),
];
