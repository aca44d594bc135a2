import type { Difference, Memory } from "../../exchange.ts";
import { differs, excerpt, firstOf, stringOf } from "../../laws/difference.ts";
import { lists } from "../../laws/headers.ts";
import {
  agree,
  hasContent,
  hasObject,
  isOf,
  isSuccess,
  law,
  once,
  type ViewLaw,
} from "../../laws/law.ts";
import { predicted } from "../../laws/predicted.ts";
import { codedLaw, stronglyTaggedLaw, takes } from "../../laws/representations.ts";
import type { View } from "../../laws/view.ts";
import type { Contract } from "../../oracle/contract.ts";
import { contentOfPage, placesIn, unsafeDifference, visibleTextOf } from "./html.ts";
import { contentOfMarkdown } from "./markdown.ts";
import { objectsIn } from "./published.ts";

/** Laws for every document, and for the list of them (D30, D31). */

const PREFIX = "docs.get.";
const README = "README";
const isDocument = isOf("docs.get");
const isList = isOf("docs.list", hasContent);
const isContent = isOf("docs.get", hasContent);
const isPage = (view: View) => isContent(view) && view.mediaType === "text/html";
const isMarkdown = (view: View) => isContent(view) && view.mediaType !== "text/html";
const nameOf = ({ place }: View) => place.slice(PREFIX.length);

const entriesOf = ({ object }: View) => objectsIn(object?.items);
const namedBy = ({ name }: Readonly<Record<string, unknown>>): string => PREFIX + stringOf(name);
/** The Markdown of a response. */
const markdownOf = ({ object, text }: View): string => (object ? stringOf(object.content) : text);

const items = (view: View) =>
  firstOf(entriesOf(view).entries(), ([index, entry]) =>
    entry.operation === namedBy(entry)
      ? null
      : differs(
          `body:/items/${index}/operation`,
          namedBy(entry),
          excerpt(stringOf(entry.operation)),
        ),
  );

function entries(view: View): Difference | null {
  const listed = entriesOf(view).map(namedBy);
  const { known = [] } = view.contract.operations["docs.get"] ?? {};
  const missing = known.filter((name) => !listed.includes(name));
  if (missing.length > 0)
    return differs("body:/items", `the entries ${known.join(", ")}`, `no ${missing.join(", no ")}`);
  const twice = listed.filter((name, index) => listed.indexOf(name) !== index);
  return twice.length > 0
    ? differs("body:/items", "each entry once", `${twice.join(", ")} more than once`)
    : null;
}

const listsReadme = (view: View) =>
  entriesOf(view).some(({ name }) => name === README)
    ? null
    : differs("body:/items", `an entry ${README}`, excerpt(view.text));

/** An entry agrees with the list. */
const asListed = (view: View, memory: Memory) =>
  firstOf(isList(view) ? entriesOf(view) : [view.object ?? {}], (one) =>
    firstOf(["title", "mediaType"], (member) =>
      agree(memory, `the ${member} of ${stringOf(one.name)}`, stringOf(one[member])),
    ),
  );

const size = (view: View, memory: Memory) =>
  isList(view)
    ? firstOf(entriesOf(view).entries(), ([index, one]) =>
        agree(
          memory,
          `the size of ${stringOf(one.name)}`,
          stringOf(one.size),
          `body:/items/${index}/size`,
        ),
      )
    : agree(memory, `the size of ${nameOf(view)}`, String(Buffer.byteLength(markdownOf(view))));

function sameBytes(view: View, memory: Memory): Difference | null {
  // Without a charset a text is in ASCII (RFC 6657, 4).
  const isKnown =
    !view.mediaType.startsWith("text/") || /charset=/i.test(view.header("content-type") ?? "");
  if (!isKnown && /[\x80-\uffff]/.test(view.text))
    return view.headerDifference("Content-Type", "the charset of the text");
  return agree(memory, `the content of ${nameOf(view)}`, markdownOf(view));
}

/** The place that the `type` of a problem names. */
function placed(view: View): Difference | null {
  const places = placesIn(view.text);
  const missing = Object.keys(view.contract.problems).filter((code) => !places.has(code));
  return missing.length === 0
    ? null
    : differs("body", "a place in the page for each code", `none for ${missing.join(", ")}`);
}

function ownName(view: View): Difference | null {
  const name = view.object?.name;
  return name === nameOf(view)
    ? null
    : differs("body:/name", `the name ${nameOf(view)}`, stringOf(name));
}

/** A page has what its Markdown has, in order: words, headings as headings, code as code, and links to other hosts. */
function rendered(view: View, memory: Memory): Difference | null {
  const isHtml = isPage(view);
  const nameOfText = (kind: string) => `${nameOf(view)} as ${kind}`;
  const content = isHtml ? contentOfPage(view.text) : contentOfMarkdown(markdownOf(view));
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
    `what the Markdown of ${nameOf(view)} has: ${expected}`,
    `no ${source[missing]} there`,
  );
}

/** The index of the first of `wanted` that is not in `all`, in this order; null if all are. */
function firstMissing(wanted: readonly string[], all: readonly string[]): number | null {
  let found = 0;
  for (const one of all) if (one === wanted[found]) found += 1;
  return found < wanted.length ? found : null;
}

/** A separate word, not a part of a longer name; an operation with parts, in any spelling of them. */
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
      (view) => isContent(view) && nameOf(view) === entry,
      (view) => {
        const text = view.mediaType === "text/html" ? visibleTextOf(view) : view.text;
        const missing = names(view.contract).filter((name) => !isNamed(text, name));
        return missing.length > 0
          ? differs("body", `all names in ${entry}`, `no ${missing.join(", no ")}`)
          : null;
      },
    ),
  ),
);

/** Directives that would cache a document for longer, or shorter, than five minutes. */
const AGAINST = /^(no-store|no-cache|private|immutable|stale-|s-maxage=(?!300$)|max-age=(?!300$))/;

function caching(view: View): Difference | null {
  const directives = [...view.listed("cache-control")];
  const isRight = ["public", "max-age=300"].every((one) => directives.includes(one));
  if (isRight && !directives.some((one) => AGAINST.test(one))) return null;
  return differs(
    "header:cache-control",
    "Cache-Control: public, max-age=300",
    directives.join(", ") || "none",
  );
}

/** A caller that accepts both codings gets one of them, and so does one that accepts only that, in any form. */
function compresses(view: View, memory: Memory): Difference | null {
  const { coding, mediaType } = view;
  const known = (one: string) => `a document as ${mediaType} in ${one}`;
  const accepted = ["gzip", "br"].filter((one) => takes(view, one));
  if (coding !== "identity") memory.set(known(coding), "");
  // It may prefer no coding to these.
  if (coding !== "identity" || /identity|\*/i.test(view.sent("Accept-Encoding").join()))
    return null;
  const wanted =
    accepted.length === 2 ? accepted : accepted.filter((one) => memory.has(known(one)));
  if (wanted.length === 0) return null;
  return differs("header:content-encoding", `the document in ${wanted.join(" or in ")}`, coding);
}
const isExample = (view: View) => isContent(view) && nameOf(view) === view.operation?.example.name;

const PROBLEMS = `${PREFIX}problems`;
const isProblem = (view: View) =>
  view.status >= 400 && view.member("type") !== null && view.member("code") !== null;
const isContract = (view: View) =>
  view.operation === null && view.place === "/openapi.json" && hasContent(view);

/** The `type` of every problem names the document that explains it, on the first deployment of the published contract. */
function entryOfType(view: View, memory: Memory): Difference | null {
  const servers = view.object?.servers;
  const [{ url = null } = {}] = Array.isArray(servers) ? servers : [];
  const type = view.member("type") ?? "";
  const address = isContract(view) ? url : type.split("/api/?")[0];
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

export const documentLaws: readonly ViewLaw[] = [
  law("errors/type", (view) => isProblem(view) || isContract(view), entryOfType),
  law("docs.list/items", isList, items),
  law("docs.list/entries", isList, entries),
  law(
    "docs.list/each-there",
    (view) => isList(view) || (isContent(view) && view.object !== null),
    asListed,
  ),
  law("docs.list/readme", isOf("docs.list", hasObject), listsReadme),
  law("docs.list/size", (view) => isList(view) || isMarkdown(view), size),
  law("docs.get/json", isOf("docs.get", hasObject), ownName),
  law("docs.get/same-bytes", isMarkdown, sameBytes),
  once(law("docs.get/formats", isContent, rendered)),
  ...namesAll,
  once(law("docs.get/problems", (view) => isPage(view) && nameOf(view) === "problems", placed)),
  once(law("docs.get/html-safe", isPage, unsafeDifference)),
  stronglyTaggedLaw("docs.get/etag", isDocument),
  codedLaw("docs.get/compressed", isDocument),
  law("docs.get/compresses", isExample, compresses),
  law("docs.get/vary", isOf("docs.get", isSuccess), lists("Vary", "Accept, Accept-Encoding")),
  law("docs.get/caching", isOf("docs.get", isSuccess), caching),
  // What the given document says of this service.
  predicted(
    "docs.get/document",
    (view) => isDocument(view) && isSuccess(view) && nameOf(view) === README,
  ),
  predicted("docs.get/by-name", (view) => isDocument(view) && nameOf(view) !== README),
];
