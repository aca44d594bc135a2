import { type DefaultTreeAdapterTypes, parse } from "parse5";
import { describe, expectStatus, fail } from "../client/expect.ts";
import { excerpt, type Reply } from "../client/reply.ts";

/** Helpers to check an HTML page: what it would run, load and show. */

/** The `Accept` header of a browser for a page. */
export const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

/** What a page must not reflect. */
export const MARKUP = '"><script>alert(1)</script><img src=x onerror=alert(1)>';

/** Header fields that a page, or a proxy in front of it, tends to reflect. */
export const TOLD = [
  ...["X-Forwarded-For", "User-Agent", "Referer", "X-Real-IP"],
  ...["Forwarded", "X-Request-Id", "X-Forwarded-Host", "Origin"],
];

/** Status 200, and a complete HTML page. */
export function expectPage(reply: Reply): void {
  expectStatus(reply, 200);
  if (reply.mediaType !== "text/html") fail("header:content-type", "an HTML page", describe(reply));
  if (!/<html[\s>]|<!doctype html/i.test(reply.text)) fail("body", "an HTML page", excerpt(reply.text));
}

/** A page that runs no script and loads nothing from other hosts. */
export function expectSafePage(reply: Reply): void {
  expectPage(reply);
  const unsafe = unsafeParts(reply.text);
  if (unsafe.length > 0)
    fail("body", "a page that runs no script and loads nothing from elsewhere", unsafe.slice(0, 3).join(", "));
}

/** Browsers ignore these before an address and inside its scheme. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
const IGNORED = /[\u0000-\u0020]/g;

/** Attributes whose address is loaded with the page; `href` is one only on elements that are not links. */
const LOADING = new Set(["src", "srcset", "poster", "background", "data", "xlink:href", "manifest"]);
const ADDRESSES = new Set([...LOADING, "href", "action", "formaction"]);
const LINKS = new Set(["a", "area"]);
/** A `link` of these kinds is a reference; it loads nothing. */
const LEADING =
  /^(canonical|alternate|author|license|next|prev|search|help|bookmark|service-desc|service-doc|describedby)$/i;

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/** Every node of a page, including the content of templates and of `noscript`, as parsed by the HTML standard. */
function nodesOf(node: Node): readonly Node[] {
  const inner = "content" in node ? [node.content] : "childNodes" in node ? node.childNodes : [];
  return [node, ...inner.flatMap(nodesOf)];
}

const pageOf = (html: string) => parse(html, { scriptingEnabled: false });
const elementsOf = (html: string): readonly Element[] => nodesOf(pageOf(html)).filter((node) => "tagName" in node);
const attributeOf = ({ attrs }: Element, wanted: string) => attrs.find(({ name }) => name === wanted)?.value ?? "";
const textIn = (node: Node): string =>
  nodesOf(node)
    .map((one) => ("value" in one ? one.value : ""))
    .join(" ");

const addressOf = (value: string) => value.replace(IGNORED, "").toLowerCase();
const isScript = (value: string) => /^(javascript|vbscript):|^data:[^,]*(html|svg|xml|script)/.test(addressOf(value));
/** An address on another host. `srcset` holds several; a comma in any other attribute does no harm. */
const isElsewhere = (value: string) =>
  value.split(",").some((one) => /^([a-z][a-z0-9+.-]*:)?\/\/|^(?!data:|about:)[a-z][a-z0-9+.-]*:/.test(addressOf(one)));
const loadsElsewhere = (css: string) =>
  /@import/i.test(css) || [...css.matchAll(/url\(\s*["']?([^"')]*)/gi)].some(([, url = ""]) => isElsewhere(url));

function faultsOf(element: Element): string[] {
  const { tagName, attrs } = element;
  // A block of JSON is data, whatever its element is.
  if (tagName === "script" && !/json/i.test(attributeOf(element, "type"))) return ["<script>"];
  if (tagName === "style") return loadsElsewhere(textIn(element)) ? ["a style sheet that loads from elsewhere"] : [];
  const [, refresh = ""] = /url\s*=(.*)/i.exec(attributeOf(element, "content")) ?? [];
  const isRefresh = tagName === "meta" && /refresh/i.test(attributeOf(element, "http-equiv"));
  const leads = LINKS.has(tagName) || (tagName === "link" && LEADING.test(attributeOf(element, "rel")));
  const unsafe = attrs.filter(({ name, value }) => {
    if (/^on/.test(name) || name === "srcdoc") return true;
    if (ADDRESSES.has(name) && isScript(value)) return true;
    if (name === "style") return loadsElsewhere(value);
    return (LOADING.has(name) || (name === "href" && !leads)) && isElsewhere(value);
  });
  return [
    ...(isRefresh && (isElsewhere(refresh) || isScript(refresh)) ? ["<meta http-equiv=refresh>"] : []),
    ...unsafe.map(({ name, value }) => `<${tagName} ${name}=${JSON.stringify(value.slice(0, 80))}>`),
  ];
}

/** The parts of a page that would run a script or load something from another host; empty if none. */
export const unsafeParts = (html: string): string[] => elementsOf(html).flatMap(faultsOf);

/** The scripts and styles that a page loads, each with its required media type. */
export const loadedFiles = (html: string): readonly { readonly address: string; readonly type: RegExp }[] =>
  elementsOf(html).flatMap((element) => {
    const [src, href] = [attributeOf(element, "src"), attributeOf(element, "href")];
    if (element.tagName === "script" && src !== "") return [{ address: src, type: /^(text|application)\/javascript$/ }];
    const loads = element.tagName === "link" && /\bstylesheet\b/i.test(attributeOf(element, "rel"));
    return loads ? [{ address: href, type: /^text\/css$/ }] : [];
  });

const UNSEEN = ["head", "script", "style", "template", "noscript"];

/** The visible text of a page: the text of its body, blanks collapsed. */
export function visibleText(html: string): string {
  const seen = (node: Node): string => {
    if (node.nodeName === "#text" && "value" in node) return node.value;
    return "childNodes" in node && !UNSEEN.includes(node.nodeName) ? node.childNodes.map(seen).join(" ") : "";
  };
  return seen(pageOf(html)).replace(/\s+/g, " ").trim();
}
