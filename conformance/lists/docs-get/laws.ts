import type { Check } from "../../checks/check.ts";
import { fail } from "../../client/expect.ts";
import { excerpt } from "../../client/reply.ts";
import { listed } from "../../laws/headers.ts";
import { expectSafePage, visibleText } from "../../laws/html.ts";
import { everyProblem } from "../../laws/problems.ts";
import { codedLaw, stronglyTaggedLaw, takes } from "../../laws/representations.ts";
import { agree, type Memory, type Success, successLaw } from "../../laws/success.ts";
import { fieldsOf } from "../../oracle/world.ts";

/** Laws for every document, and for the list of them (D30, D31). */

const isDocument = ({ operation }: Success) => operation?.id === "docs.get";
const isList = ({ operation }: Success) => operation?.id === "docs.list";
const isEither = (success: Success) => isDocument(success) || isList(success);
const isPage = (success: Success) => isDocument(success) && success.reply.mediaType === "text/html";
const nameOf = ({ place }: Success) => place.slice("docs.get.".length);
const itemsOf = ({ json }: Success) => (Array.isArray(json?.items) ? json.items : []).map((item) => Object(item));
/** The Markdown of a response; null for an HTML page. */
const markdownOf = (success: Success): string | null => {
  const { mediaType, text } = success.reply;
  if (success.json) return String(success.json.content);
  return mediaType === "text/html" ? null : text;
};

function items(success: Success): void {
  for (const { name, operation } of itemsOf(success))
    if (operation !== `docs.get.${name}`)
      fail("body:/items/*/operation", JSON.stringify(`docs.get.${name}`), JSON.stringify(operation) ?? "absent");
}

function entries(success: Success): void {
  const listed = itemsOf(success).map(({ name }) => `docs.get.${name}`);
  const { known = [] } = success.contract.operations["docs.get"] ?? {};
  const missing = known.filter((name) => !listed.includes(name));
  if (missing.length > 0) fail("body:/items", `the entries ${known.join(", ")}`, `no ${missing.join(", no ")}`);
  const twice = listed.filter((name, index) => listed.indexOf(name) !== index);
  if (twice.length > 0) fail("body:/items", "each entry once", `${twice.join(", ")} more than once`);
}

/** An entry agrees with the list. */
function asListed(success: Success, memory: Memory): void {
  const { json } = success;
  for (const one of isList(success) || !json ? itemsOf(success) : [json])
    for (const member of ["title", "mediaType"]) agree(memory, `the ${member} of ${one.name}`, String(one[member]));
}

function size(success: Success, memory: Memory): void {
  const markdown = isList(success) ? null : markdownOf(success);
  const sizes = isList(success)
    ? itemsOf(success).map((item) => [item.name, item.size] as const)
    : [[nameOf(success), Buffer.byteLength(markdown ?? "")] as const];
  const aspect = isList(success) ? "body:/items/*/size" : "body";
  if (isList(success) || markdown !== null)
    for (const [name, bytes] of sizes) agree(memory, `the size of ${name}`, String(bytes), aspect);
}

function sameBytes(success: Success, memory: Memory): void {
  const markdown = markdownOf(success);
  if (markdown !== null) agree(memory, `the content of ${nameOf(success)}`, markdown);
}

function ownName(success: Success): void {
  const name = success.json?.name;
  if (name !== nameOf(success)) fail("body:/name", `the name ${nameOf(success)}`, String(name));
}

/** The words that a reader of Markdown sees, without addresses and markup. */
const wordsOf = (markdown: string) => [
  ...new Set(markdown.replace(/\]\([^)]*\)|<[^>]*>|&\w+;|https?:\S+/g, " ").match(/[A-Za-z]{4,}/g) ?? []),
];
/** Minimum share of the words of a document that its page has: renderers change some. */
const RENDERED = 0.8;

/** A page is rendered from the Markdown: it has its words, and its headings are headings. */
function rendered(success: Success, memory: Memory): void {
  const [name, markdown] = [nameOf(success), markdownOf(success)];
  const [page, text] = [`${name} page`, `${name} text`];
  memory.set(markdown === null ? page : text, markdown ?? success.reply.text);
  const [html, source] = [memory.get(page), memory.get(text)];
  if (html === undefined || source === undefined) return;
  const seen = visibleText(html);
  const words = wordsOf(source);
  const missing = words.filter((word) => !seen.includes(word));
  if (missing.length > words.length * (1 - RENDERED))
    fail("body", `the words of ${name} on its page`, `no ${missing.slice(0, 5).join(", ")}`);
  if (/^# /m.test(source) && !/<h[1-6][\s>]/i.test(html)) fail("body", "Markdown made into HTML", excerpt(html));
}

const escaped = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
/** A separate word, not a part of a longer name; an operation with parts, in any spelling of them. */
const named = (name: string) => {
  const [fixed = "", part] = name.split(".{");
  return new RegExp(`(?<![\\w.-])${escaped(fixed)}${part === undefined ? "(?!\\w|[.-]\\w)" : "(?!\\w|-)"}`);
};

/** The names that an entry must have. */
const NAMES: Readonly<Record<string, (contract: Success["contract"]) => readonly string[]>> = {
  reference: ({ operations }) => Object.values(operations).map(({ name }) => name),
  problems: ({ problems }) => Object.keys(problems),
  contract: ({ requirements }) => requirements.map(({ id }) => id),
};

const namesAll = (entry: string) =>
  successLaw(
    `docs.get/${entry}`,
    (success) => isDocument(success) && nameOf(success) === entry,
    ({ reply, contract }) => {
      const text = reply.mediaType === "text/html" ? visibleText(reply.text) : reply.text;
      const missing = NAMES[entry]?.(contract).filter((name) => !named(name).test(text)) ?? [];
      if (missing.length > 0) fail("body", `all their names in ${entry}`, `no ${missing.join(", no ")}`);
    },
    { once: true },
  );

function varies(success: Success): void {
  const missing = ["accept", "accept-encoding"].filter((token) => !listed(success.reply.header("vary")).has(token));
  if (missing.length > 0) fail("header:vary", "Vary: Accept, Accept-Encoding", success.reply.header("vary") ?? "none");
}

/** Directives that would cache a document for longer, or shorter, than five minutes. */
const AGAINST = /^(no-store|no-cache|private|immutable|stale-|s-maxage=(?!300$)|max-age=(?!300$))/;

function caching(success: Success): void {
  const directives = [...listed(success.reply.header("cache-control"))];
  const kept = ["public", "max-age=300"].every((one) => directives.includes(one));
  if (!kept || directives.some((one) => AGAINST.test(one)))
    fail("header:cache-control", "Cache-Control: public, max-age=300", directives.join(", ") || "none");
}

/** A caller that accepts both codings gets one of them, and so does a caller that accepts only that one. */
function compresses({ request, reply, coding }: Success, memory: Memory): void {
  if (takes(request, "gzip") && takes(request, "br")) {
    if (coding === "identity") fail("header:content-encoding", "the document in gzip or in br", coding);
    memory.set(`${reply.mediaType} in ${coding}`, "");
  }
  const alone = fieldsOf(request.fields, "Accept-Encoding").join();
  if (memory.has(`${reply.mediaType} in ${alone}`) && coding !== alone)
    fail("header:content-encoding", `the document in ${alone}, as for others`, coding);
}

const PROBLEMS = "docs.get.problems";

/** The `type` of every problem leads to the document that explains it. */
const entryOfType = everyProblem("errors/type#entry", ({ type }) => {
  if (typeof type === "string" && URL.canParse(type) && new URL(type).searchParams.get("@") !== PROBLEMS)
    fail("body:/type", `a type that leads to ${PROBLEMS}`, excerpt(type));
});

export const documentLaws: readonly Check[] = [
  entryOfType,
  successLaw("docs.list/items", isList, items),
  successLaw("docs.list/entries", isList, entries),
  successLaw("docs.list/each-there", isEither, asListed),
  successLaw("docs.list/size", isEither, size),
  successLaw("docs.get/json#own-name", (one) => isDocument(one) && one.json !== null, ownName),
  successLaw("docs.get/same-bytes", isDocument, sameBytes),
  successLaw("docs.get/formats#rendered", isDocument, rendered, { once: true }),
  ...Object.keys(NAMES).map(namesAll),
  successLaw("docs.get/html-safe#every-page", isPage, ({ reply }) => expectSafePage(reply), { once: true }),
  stronglyTaggedLaw("docs.get/etag", isDocument),
  codedLaw("docs.get/compressed#every-response", isDocument),
  successLaw(
    "docs.get/compresses",
    (one) => isDocument(one) && nameOf(one) === one.operation?.example.name,
    compresses,
  ),
  successLaw("docs.get/vary", isDocument, varies, { bodiless: true }),
  successLaw("docs.get/caching", isDocument, caching, { bodiless: true }),
];
