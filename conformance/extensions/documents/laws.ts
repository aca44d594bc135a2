import {
  agree,
  type Contract,
  codedLaw,
  type Difference,
  differs,
  excerpt,
  firstOf,
  hasContent,
  hasObject,
  isObject,
  isOf,
  isSuccess,
  type Law,
  law,
  lists,
  type Memory,
  once,
  type ParsedExchange,
  stringOf,
  stronglyTaggedLaw,
  tag,
  takes,
} from "../../extension.ts";
import { contentOfPage, placesIn, unsafeDifference, visibleTextOf } from "./html.ts";
import { contentOfMarkdown } from "./markdown.ts";

/** Laws for every document, and for the list of them (D30, D31). */

/** The objects of a list; none of any other value. */
export const objectsIn = (value: unknown): readonly Readonly<Record<string, unknown>>[] =>
  Array.isArray(value) ? value.map((one) => (isObject(one) ? one : {})) : [];

const PREFIX = "docs.get.";
const README = "README";
const isDocument = isOf("docs.get");
const isList = isOf("docs.list", hasContent);
const isContent = isOf("docs.get", hasContent);
const isPage = (parsed: ParsedExchange) => isContent(parsed) && parsed.mediaType === "text/html";
const isMarkdown = (parsed: ParsedExchange) =>
  isContent(parsed) && parsed.mediaType !== "text/html";
const documentName = ({ place }: ParsedExchange) => place.slice(PREFIX.length);

const entriesOf = ({ object }: ParsedExchange) => objectsIn(object?.items);
const namedBy = ({ name }: Readonly<Record<string, unknown>>): string => PREFIX + stringOf(name);
/** The Markdown of a response. */
const markdownOf = ({ object, text }: ParsedExchange): string =>
  object ? stringOf(object.content) : text;

const items = (parsed: ParsedExchange) =>
  firstOf(entriesOf(parsed).entries(), ([index, entry]) =>
    entry.operation === namedBy(entry)
      ? null
      : differs(
          `body:/items/${index}/operation`,
          namedBy(entry),
          excerpt(stringOf(entry.operation)),
        ),
  );

function entries(parsed: ParsedExchange): Difference | null {
  const listed = entriesOf(parsed).map(namedBy);
  const { known = [] } = parsed.contract.operations["docs.get"] ?? {};
  const missing = known.filter((name) => !listed.includes(name));
  if (missing.length > 0)
    return differs("body:/items", `the entries ${known.join(", ")}`, `no ${missing.join(", no ")}`);
  const twice = listed.filter((name, index) => listed.indexOf(name) !== index);
  return twice.length > 0
    ? differs("body:/items", "each entry once", `${twice.join(", ")} more than once`)
    : null;
}

const listsReadme = (parsed: ParsedExchange) =>
  entriesOf(parsed).some(({ name }) => name === README)
    ? null
    : differs("body:/items", `an entry ${README}`, excerpt(parsed.text));

/** An entry agrees with the list. */
const asListed = (parsed: ParsedExchange, memory: Memory) =>
  firstOf(isList(parsed) ? entriesOf(parsed) : [parsed.object ?? {}], (entry) =>
    firstOf(["title", "mediaType"], (member) =>
      agree(memory, `the ${member} of ${stringOf(entry.name)}`, stringOf(entry[member])),
    ),
  );

const size = (parsed: ParsedExchange, memory: Memory) =>
  isList(parsed)
    ? firstOf(entriesOf(parsed).entries(), ([index, entry]) =>
        agree(
          memory,
          `the size of ${stringOf(entry.name)}`,
          stringOf(entry.size),
          `body:/items/${index}/size`,
        ),
      )
    : agree(
        memory,
        `the size of ${documentName(parsed)}`,
        String(Buffer.byteLength(markdownOf(parsed))),
      );

function sameBytes(parsed: ParsedExchange, memory: Memory): Difference | null {
  // Without a charset a text is in ASCII (RFC 6657, 4).
  const isKnown =
    !parsed.mediaType.startsWith("text/") || /charset=/i.test(parsed.header("content-type") ?? "");
  if (!isKnown && /[\x80-\uffff]/.test(parsed.text))
    return parsed.headerDifference("Content-Type", "the charset of the text");
  return agree(memory, `the content of ${documentName(parsed)}`, markdownOf(parsed));
}

/** The place that the `type` of a problem names. */
function contentLocation(parsed: ParsedExchange): Difference | null {
  const places = placesIn(parsed.text);
  const missing = Object.keys(parsed.contract.problems).filter((code) => !places.has(code));
  return missing.length === 0
    ? null
    : differs("body", "a place in the page for each code", `none for ${missing.join(", ")}`);
}

function ownName(parsed: ParsedExchange): Difference | null {
  const name = parsed.object?.name;
  return name === documentName(parsed)
    ? null
    : differs("body:/name", `the name ${documentName(parsed)}`, stringOf(name));
}

/**
 * A page has what its Markdown has, in order: words, headings as headings, code as code, and links
 * to other hosts.
 */
function rendered(parsed: ParsedExchange, memory: Memory): Difference | null {
  const isHtml = isPage(parsed);
  const nameOfText = (kind: string) => `${documentName(parsed)} as ${kind}`;
  const content = isHtml ? contentOfPage(parsed.text) : contentOfMarkdown(markdownOf(parsed));
  memory.set(nameOfText(isHtml ? "a page" : "text"), JSON.stringify(content));
  const contentOf = (kind: string): readonly string[] =>
    JSON.parse(memory.get(nameOfText(kind)) ?? "[]");
  const [page, source] = [contentOf("a page"), contentOf("text")];
  if (page.length === 0 || source.length === 0) return null;
  const missing = firstMissing(source, page);
  if (missing === null) return null;
  const expected = source.slice(Math.max(0, missing - 5), missing + 1).join(" ");
  return differs(
    "body",
    `what the Markdown of ${documentName(parsed)} has: ${expected}`,
    `no ${source[missing]} there`,
  );
}

/** The index of the first of `wanted` that is not in `all`, in this order; null if all are. */
function firstMissing(wanted: readonly string[], all: readonly string[]): number | null {
  let index = 0;
  for (const text of all) if (text === wanted[index]) index += 1;
  return index < wanted.length ? index : null;
}

/**
 * A separate word, not a part of a longer name; an operation with parts, in any spelling of them.
 */
function isNamed(text: string, name: string): boolean {
  const [fixed = "", part] = name.split(".{");
  const escaped = fixed.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
  return new RegExp(
    `(?<![\\w.-])${escaped}${part === undefined ? "(?!\\w|[.-]\\w)" : "(?!\\w|-)"}`,
  ).test(text);
}

/** The names that an entry must have. */
const NAMES: Readonly<Record<string, (contract: Contract) => readonly string[]>> = {
  reference: ({ operations }) => Object.values(operations).map(({ name }) => name),
  problems: ({ problems }) => Object.keys(problems),
  contract: ({ requirements }) => requirements.map(({ id }) => id),
};

const namesAll = Object.entries(NAMES).map(([entry, names]) =>
  once(
    law(
      `docs.get/${entry}`,
      (parsed) => isContent(parsed) && documentName(parsed) === entry,
      (parsed) => {
        const text = parsed.mediaType === "text/html" ? visibleTextOf(parsed) : parsed.text;
        const missing = names(parsed.contract).filter((name) => !isNamed(text, name));
        return missing.length > 0
          ? differs("body", `all names in ${entry}`, `no ${missing.join(", no ")}`)
          : null;
      },
    ),
  ),
);

/** Directives that would cache a document for longer, or shorter, than five minutes. */
const AGAINST = /^(no-store|no-cache|private|immutable|stale-|s-maxage=(?!300$)|max-age=(?!300$))/;

function caching(parsed: ParsedExchange): Difference | null {
  const directives = [...parsed.listed("cache-control")];
  const isRight = ["public", "max-age=300"].every((one) => directives.includes(one));
  if (isRight && !directives.some((one) => AGAINST.test(one))) return null;
  return differs(
    "header:cache-control",
    "Cache-Control: public, max-age=300",
    directives.join(", ") || "none",
  );
}

/**
 * A caller that accepts both codings gets one of them, and so does one that accepts only that, in
 * any form.
 */
function compresses(parsed: ParsedExchange, memory: Memory): Difference | null {
  const { coding, mediaType } = parsed;
  const known = (one: string) => `a document as ${mediaType} in ${one}`;
  const accepted = ["gzip", "br"].filter((one) => takes(parsed, one));
  if (coding !== "identity") memory.set(known(coding), "");
  // It may prefer no coding to these.
  if (coding !== "identity" || /identity|\*/i.test(parsed.sent("Accept-Encoding").join()))
    return null;
  const wanted =
    accepted.length === 2 ? accepted : accepted.filter((one) => memory.has(known(one)));
  if (wanted.length === 0) return null;
  return differs("header:content-encoding", `the document in ${wanted.join(" or in ")}`, coding);
}
const isExample = (parsed: ParsedExchange) =>
  isContent(parsed) && documentName(parsed) === parsed.operation?.example.name;

const PROBLEMS = `${PREFIX}problems`;
const isProblem = (parsed: ParsedExchange) =>
  parsed.status >= 400 && parsed.member("type") !== null && parsed.member("code") !== null;
const isContract = (parsed: ParsedExchange) =>
  parsed.operation === null && parsed.place === "/openapi.json" && hasContent(parsed);

/**
 * The `type` of every problem names the document that explains it, on the first deployment of the
 * published contract.
 */
function entryOfType(parsed: ParsedExchange, memory: Memory): Difference | null {
  const servers = parsed.object?.servers;
  const [{ url = null } = {}] = Array.isArray(servers) ? servers : [];
  const type = parsed.member("type") ?? "";
  const address = isContract(parsed) ? url : type.split("/api/?")[0];
  const isEntry = !URL.canParse(type) || new URL(type).searchParams.get("@") === PROBLEMS;
  if (!isEntry) return differs("body:/type", `a type that names ${PROBLEMS}`, excerpt(type));
  if (typeof address !== "string") return null;
  return agree(
    memory,
    "the first deployment of the contract",
    address.replace(/\/$/, ""),
    "body:/type",
  );
}

export const documentLaws: readonly Law[] = [
  law("errors/type", (parsed) => isProblem(parsed) || isContract(parsed), entryOfType),
  law("docs.list/items", isList, items),
  law("docs.list/entries", isList, entries),
  law(
    "docs.list/each-there",
    (parsed) => isList(parsed) || (isContent(parsed) && parsed.object !== null),
    asListed,
  ),
  law("docs.list/readme", isOf("docs.list", hasObject), listsReadme),
  law("docs.list/size", (parsed) => isList(parsed) || isMarkdown(parsed), size),
  law("docs.get/json", isOf("docs.get", hasObject), ownName),
  law("docs.get/same-bytes", isMarkdown, sameBytes),
  once(law("docs.get/formats", isContent, rendered)),
  ...namesAll,
  once(
    law(
      "docs.get/problems",
      (parsed) => isPage(parsed) && documentName(parsed) === "problems",
      contentLocation,
    ),
  ),
  once(law("docs.get/html-safe", isPage, unsafeDifference)),
  stronglyTaggedLaw("docs.get/etag", isDocument),
  codedLaw("docs.get/compressed", isDocument),
  law("docs.get/compresses", isExample, compresses),
  law("docs.get/vary", isOf("docs.get", isSuccess), lists("Vary", "Accept, Accept-Encoding")),
  law("docs.get/caching", isOf("docs.get", isSuccess), caching),
  // What the given document says of this service.
  tag(
    "docs.get/document",
    (parsed) => isDocument(parsed) && isSuccess(parsed) && documentName(parsed) === README,
  ),
  tag("docs.get/by-name", (parsed) => isDocument(parsed) && documentName(parsed) !== README),
];
