import { type DefaultTreeAdapterTypes, parse } from "parse5";
import { type Difference, differs, excerpt, type ParsedExchange } from "../../extension.ts";
import { codeOf, linkTo, startOf, wordsIn } from "./markdown.ts";

/** What an HTML page would run, load and show. */

/** A complete HTML page. */
export function pageDifference(parsed: ParsedExchange): Difference | null {
  if (parsed.mediaType !== "text/html")
    return differs("header:content-type", "an HTML page", parsed.shown);
  if (/<html[\s>]|<!doctype html/i.test(parsed.text)) return null;
  return differs("body", "an HTML page", excerpt(parsed.text));
}

/** A page that runs no script and loads nothing from other hosts. */
export function unsafeDifference(parsed: ParsedExchange): Difference | null {
  const unsafe = unsafeParts(parsed.text).slice(0, 3);
  const expected = "a page that runs no script and loads nothing from elsewhere";
  return unsafe.length > 0 ? differs("body", expected, unsafe.join(", ")) : null;
}

/** Browsers ignore these before an address and inside its scheme. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
const IGNORED = /[\u0000-\u0020]/g;

/**
 * Attributes whose address is loaded with the page; `href` is one only on elements that are not
 * links.
 */
const LOADING = new Set([
  "src",
  "srcset",
  "poster",
  "background",
  "data",
  "xlink:href",
  "manifest",
]);
const ADDRESSES = new Set([...LOADING, "href", "action", "formaction"]);
const LINKS = new Set(["a", "area"]);
/** A `link` of these kinds is a reference; it loads nothing. */
const LEADING = new RegExp(
  "^(canonical|alternate|author|license|next|prev|search|help|bookmark|service-(desc|doc)|" +
    "describedby)$",
  "i",
);
const UNSEEN = ["head", "script", "style", "template", "noscript"];

type Node = DefaultTreeAdapterTypes.Node;
type Element = DefaultTreeAdapterTypes.Element;

/**
 * The nodes of a page in their order, including the content of templates and of `noscript`, as
 * parsed by the HTML standard; none in `without`. A page may have any number of levels.
 */
function nodesOf(root: Node, without: readonly string[] = []): readonly Node[] {
  const nodes: Node[] = [];
  const open = [root];
  for (let node = open.pop(); node; node = open.pop()) {
    if (without.includes(node.nodeName)) continue;
    nodes.push(node);
    const inner = "content" in node ? [node.content] : "childNodes" in node ? node.childNodes : [];
    for (const child of inner.toReversed()) open.push(child);
  }
  return nodes;
}

const pageOf = (html: string) => parse(html, { scriptingEnabled: false });
const elementsOf = (html: string): readonly Element[] =>
  nodesOf(pageOf(html)).filter((node) => "tagName" in node);
const attributeOf = ({ attrs }: Element, wanted: string) =>
  attrs.find(({ name }) => name === wanted)?.value ?? "";
const textOf = (node: Node) => (node.nodeName === "#text" && "value" in node ? node.value : "");
const textIn = (node: Node, without?: readonly string[]): string =>
  nodesOf(node, without).map(textOf).join(" ");

const addressOf = (value: string) => value.replace(IGNORED, "").toLowerCase();
const isScript = (value: string) =>
  /^(javascript|vbscript):|^data:[^,]*(html|svg|xml|script)/.test(addressOf(value));
/**
 * An address on another host. `srcset` holds several; a comma in any other attribute does no harm.
 */
const isElsewhere = (value: string) =>
  value
    .split(",")
    .some((text) =>
      /^([a-z][a-z0-9+.-]*:)?\/\/|^(?!data:|about:)[a-z][a-z0-9+.-]*:/.test(addressOf(text)),
    );
const loadsElsewhere = (css: string) =>
  /@import/i.test(css) ||
  [...css.matchAll(/url\(\s*["']?([^"')]*)/gi)].some(([, url = ""]) => isElsewhere(url));

function unsafeIn(element: Element): readonly string[] {
  const { tagName, attrs } = element;
  // A block of JSON is data, whatever its element is.
  if (tagName === "script" && !/json/i.test(attributeOf(element, "type"))) return ["<script>"];
  if (tagName === "style")
    return loadsElsewhere(textIn(element)) ? ["a style sheet that loads from elsewhere"] : [];
  const [, refresh = ""] = /url\s*=(.*)/i.exec(attributeOf(element, "content")) ?? [];
  const isRefresh = tagName === "meta" && /refresh/i.test(attributeOf(element, "http-equiv"));
  const leads =
    LINKS.has(tagName) || (tagName === "link" && LEADING.test(attributeOf(element, "rel")));
  const unsafe = attrs.filter(({ name, value }) => {
    if (/^on/.test(name) || name === "srcdoc") return true;
    if (ADDRESSES.has(name) && isScript(value)) return true;
    if (name === "style") return loadsElsewhere(value);
    return (LOADING.has(name) || (name === "href" && !leads)) && isElsewhere(value);
  });
  return [
    ...(isRefresh && (isElsewhere(refresh) || isScript(refresh))
      ? ["<meta http-equiv=refresh>"]
      : []),
    ...unsafe.map(({ name, value }) => `<${tagName} ${name}=${excerpt(value)}>`),
  ];
}

/**
 * The parts of a page that would run a script or load something from another host; empty if none.
 */
export const unsafeParts = (html: string): readonly string[] => elementsOf(html).flatMap(unsafeIn);

/** The scripts and styles that a page loads, each with its required media type. */
export const loadedFiles = (
  html: string,
): readonly { readonly address: string; readonly type: RegExp }[] =>
  elementsOf(html).flatMap((element) => {
    const [src, href] = [attributeOf(element, "src"), attributeOf(element, "href")];
    if (element.tagName === "script" && src !== "")
      return [{ address: src, type: /^(text|application)\/javascript$/ }];
    const loads = element.tagName === "link" && /\bstylesheet\b/i.test(attributeOf(element, "rel"));
    return loads ? [{ address: href, type: /^text\/css$/ }] : [];
  });

/** What a page has, as `contentOfMarkdown` lists it. */
export function contentOfPage(html: string): readonly string[] {
  const content: string[] = [];
  const open: { readonly node: Node; readonly mark: string }[] = [{ node: pageOf(html), mark: "" }];
  for (let next = open.pop(); next; next = open.pop()) {
    const { node, mark } = next;
    const { nodeName } = node;
    if (UNSEEN.includes(nodeName)) continue;
    if (nodeName === "a" && "attrs" in node) content.push(...linkTo(attributeOf(node, "href")));
    if (nodeName === "ol" && "attrs" in node)
      content.push(...startOf(attributeOf(node, "start") || undefined));
    if (nodeName === "pre") content.push(codeOf(nodesOf(node).map(textOf).join("")));
    else content.push(...wordsIn(textOf(node), mark));
    if (nodeName === "pre" || !("childNodes" in node)) continue;
    const inner = nodeName === "code" ? `${mark}code:` : /^h[1-6]$/.test(nodeName) ? "h:" : mark;
    for (const childNode of node.childNodes.toReversed())
      open.push({ node: childNode, mark: inner });
  }
  return content;
}

/** The places in a page that an address can end with. */
export const placesIn = (html: string): ReadonlySet<string> =>
  new Set(elementsOf(html).map((element) => attributeOf(element, "id")));

/** The visible text of a page: the text of its body, blanks collapsed. */
export const visibleText = (html: string): string =>
  textIn(pageOf(html), UNSEEN).replace(/\s+/g, " ").trim();

export const visibleTextOf = (parsed: ParsedExchange): string =>
  parsed.once("visible text", () => visibleText(parsed.text));
