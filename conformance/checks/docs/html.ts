import { describe, expectStatus, fail } from "../../client/expect.ts";
import { excerpt, type Reply } from "../../client/reply.ts";

/** Words for judging an HTML page by its text, without a parser: enough to see what it would run, load and show. */

/** What a browser sends for a page. */
export const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

/** What a page must not reflect. */
export const MARKUP = '"><script>alert(1)</script><img src=x onerror=alert(1)>';

/** Header fields that a page, or what stands before it, likes to show. */
export const TOLD = [
  ...["X-Forwarded-For", "User-Agent", "Referer", "X-Real-IP"],
  ...["Forwarded", "X-Request-Id", "X-Forwarded-Host", "Origin"],
];

/** Status 200, and a whole page of HTML. */
export function expectPage(reply: Reply): void {
  expectStatus(reply, 200);
  if (reply.mediaType !== "text/html") fail("header:content-type", "an HTML page", describe(reply));
  if (!/<html[\s>]|<!doctype html/i.test(reply.text)) fail("body", "an HTML page", excerpt(reply.text));
}

/** Nothing runs, and nothing is loaded from elsewhere; what is no markup does neither. */
export function expectSafe(reply: Reply): void {
  const unsafe = /html|xml/.test(reply.mediaType) ? unsafeParts(reply.text) : [];
  if (unsafe.length > 0)
    fail("body", "a page that runs no script and loads nothing from elsewhere", unsafe.slice(0, 3).join(", "));
}

const COMMENT = /<!--[\s\S]*?-->/g;
const TAG = /<([a-z][^\s/>]*)((?:[^>"']|"[^"]*"|'[^']*')*)>/gi;
const ATTRIBUTE = /([^\s"'<>/=]+)(?:\s*=\s*(?:"([^"]*)"|'([^']*)'|([^\s"'<>`]+)))?/g;
/** Browsers ignore these in front of an address and inside of its scheme. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is removed.
const IGNORED = /[\u0000-\u0020]/g;

/** Attributes whose address is loaded with the page; `href` is one only outside of links. */
const LOADING = new Set(["src", "srcset", "poster", "background", "data", "xlink:href", "manifest"]);
const ADDRESSES = new Set([...LOADING, "href", "action", "formaction"]);
const LINKS = new Set(["a", "area"]);
/** A `link` of these kinds leads somewhere; it loads nothing. */
const LEADING =
  /^(canonical|alternate|author|license|next|prev|search|help|bookmark|service-desc|service-doc|describedby)$/i;

const NAMED: ReadonlyMap<string, string> = new Map(
  Object.entries({ amp: "&", lt: "<", gt: ">", quot: '"', apos: "'", nbsp: " ", colon: ":", tab: "\t", newline: "\n" }),
);

interface Tag {
  readonly name: string;
  readonly attributes: readonly { readonly name: string; readonly value: string }[];
}

const codePoint = (value: number) => (value <= 0x10ffff ? String.fromCodePoint(value) : "\uFFFD");

/** Text with its character references undone. */
function unescapeHtml(text: string): string {
  return text.replace(
    /&(?:#x([0-9a-f]+)|#(\d+)|([a-z]+));?/gi,
    (whole: string, hex?: string, decimal?: string, name?: string) => {
      if (hex) return codePoint(Number.parseInt(hex, 16));
      if (decimal) return codePoint(Number(decimal));
      return NAMED.get(name?.toLowerCase() ?? "") ?? whole;
    },
  );
}

function tagsOf(html: string): Tag[] {
  // What stands in a comment or a style sheet is no tag.
  const markup = html.replace(COMMENT, "").replace(/(<style\b[^>]*>)[\s\S]*?<\/style>/gi, "$1</style>");
  return [...markup.matchAll(TAG)].map(([, name = "", rest = ""]) => ({
    name: name.toLowerCase(),
    attributes: [...rest.matchAll(ATTRIBUTE)].map(([, attribute = "", double, single, bare]) => ({
      name: attribute.toLowerCase(),
      value: unescapeHtml(double ?? single ?? bare ?? ""),
    })),
  }));
}

const addressOf = (value: string) => value.replace(IGNORED, "").toLowerCase();
const isScript = (value: string) => /^(javascript|vbscript):|^data:[^,]*(html|svg|xml|script)/.test(addressOf(value));
/** An address of another host. `srcset` holds several; a comma in any other one does no harm. */
const isElsewhere = (value: string) =>
  value.split(",").some((one) => /^([a-z][a-z0-9+.-]*:)?\/\/|^(?!data:|about:)[a-z][a-z0-9+.-]*:/.test(addressOf(one)));
const loadsElsewhere = (css: string) =>
  /@import/i.test(css) || [...css.matchAll(/url\(\s*["']?([^"')]*)/gi)].some(([, url = ""]) => isElsewhere(url));

function faultsOf({ name, attributes }: Tag): string[] {
  const value = (wanted: string) => attributes.find((attribute) => attribute.name === wanted)?.value ?? "";
  // A block of JSON is data, whatever its element is called.
  if (name === "script" && !/json/i.test(value("type"))) return ["<script>"];
  const refresh = name === "meta" && /refresh/i.test(value("http-equiv")) && /url\s*=(.*)/i.exec(value("content"));
  const leads = LINKS.has(name) || (name === "link" && LEADING.test(value("rel")));
  const unsafe = attributes.filter((attribute) => {
    if (/^on/.test(attribute.name) || attribute.name === "srcdoc") return true;
    if (ADDRESSES.has(attribute.name) && isScript(attribute.value)) return true;
    if (attribute.name === "style") return loadsElsewhere(attribute.value);
    return (LOADING.has(attribute.name) || (attribute.name === "href" && !leads)) && isElsewhere(attribute.value);
  });
  return [
    ...(refresh && (isElsewhere(refresh[1] ?? "") || isScript(refresh[1] ?? "")) ? ["<meta http-equiv=refresh>"] : []),
    ...unsafe.map((attribute) => `<${name} ${attribute.name}=${JSON.stringify(attribute.value.slice(0, 80))}>`),
  ];
}

/** What of a page would run a script or load something from another host; empty when nothing does. */
export function unsafeParts(html: string): string[] {
  const styles = [...html.replace(COMMENT, "").matchAll(/<style\b[^>]*>([\s\S]*?)(?:<\/style>|$)/gi)];
  const imports = styles.some(([, css = ""]) => loadsElsewhere(css));
  return [...tagsOf(html).flatMap(faultsOf), ...(imports ? ["a style sheet that loads from elsewhere"] : [])];
}

/** What a page loads as scripts and styles, each with the media type that it has to have. */
export const loadedFiles = (html: string): readonly { readonly address: string; readonly type: RegExp }[] =>
  tagsOf(html).flatMap(({ name, attributes }) => {
    const value = (wanted: string) => attributes.find((attribute) => attribute.name === wanted)?.value ?? "";
    if (name === "script" && value("src") !== "")
      return [{ address: value("src"), type: /^(text|application)\/javascript$/ }];
    const loads = name === "link" && /\bstylesheet\b/i.test(value("rel"));
    return loads ? [{ address: value("href"), type: /^text\/css$/ }] : [];
  });

/** What a reader sees of a page: the text of its body, blanks joined. */
export function visibleText(html: string): string {
  const body = html.replace(COMMENT, " ").replace(/<(head|script|style|template|noscript)\b[\s\S]*?<\/\1\s*>/gi, " ");
  return unescapeHtml(body.replace(TAG, " ").replace(/<\/[^>]*>|<![^>]*>/g, " ")).replace(/\s+/g, " ");
}
