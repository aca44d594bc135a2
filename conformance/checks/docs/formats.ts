import { problems } from "../../../generated/operations.ts";
import { requirements } from "../../../generated/requirements.ts";
import { describe, expectStatus, expectSuccess, expectText, fail } from "../../client/expect.ts";
import { every } from "../../client/operation.ts";
import { excerpt } from "../../client/reply.ts";
import { check } from "../check.ts";
import { inCase } from "../probe.ts";
import { CODINGS, decoded, documentNames, ENTRY, FORMATS, getDocument } from "./document.ts";
import { BROWSER, expectPage, expectSafe, MARKUP, TOLD, visibleText } from "./html.ts";

const [JSON_TYPE = "", ...texts] = FORMATS;

/** `Accept` values that prefer JSON, or nothing: then JSON is the default. Other ties are not judged. */
const preferringJson: readonly (string | undefined)[] = [
  ...[undefined, "*/*", JSON_TYPE, JSON_TYPE.toUpperCase(), `${JSON_TYPE}; charset=utf-8`],
  "application/json, text/markdown;q=0.9",
  "text/html;q=0.3, text/plain;q=0.4, application/json;q=0.5",
  "text/markdown;q=0.999, application/json",
  "text/markdown;q=0, application/json;q=0.001",
  ...["application/*", "application/*, text/*;q=0.5", "text/*;q=0.2, */*;q=0.8", "text/*;q=0, */*"],
];

const preferring = (format: string): readonly string[] => [
  ...[format, format.toUpperCase(), `${format};charset=utf-8`],
  `${format}, application/json;q=0.9`,
  `application/json;q=0.5, ${format};q=0.6`,
  `*/*;q=0.1, ${format}`,
  `application/json;q=0.999, text/*;q=0.5, ${format}`,
  `application/json;q=0, ${texts.filter((other) => other !== format).join(";q=0.1, ")};q=0.1, ${format};q=0.2`,
];

/** What each `Accept` may be answered with. */
const negotiated: readonly (readonly [accept: string, formats: readonly string[]])[] = [
  ...texts.flatMap((format) => preferring(format).map((accept) => [accept, [format]] as const)),
  [BROWSER, ["text/html"]],
  ...["text/*", "application/json;q=0.5, text/*", "application/json;q=0, */*"].map(
    (accept) => [accept, texts] as const,
  ),
  // The more specific range decides about its type, wherever it stands.
  ["text/*, text/markdown;q=0.1, text/plain;q=0.1", ["text/html"]],
  ["text/plain;q=0, text/*, text/markdown;q=0", ["text/html"]],
];

/** The words that a reader of Markdown sees: no addresses, no markup. */
const wordsOf = (markdown: string) => [
  ...new Set(markdown.replace(/\]\([^)]*\)|<[^>]*>|&\w+;|https?:\S+/g, " ").match(/[A-Za-z]{4,}/g) ?? []),
];

/** Of the words of a document so many have to stand on its page; some are made into something else by some renderers. */
const RENDERED = 0.8;

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");
/** A word of its own: not a part of a longer name. */
const named = (name: string) => new RegExp(`(?<![\\w.-])${escapeRegExp(name)}(?!\\w|[.-]\\w)`);
/** An operation with parts, in any spelling of them: `docs.get.{name}`, `docs.get.<name>`. */
const namedWithParts = (id: string) => new RegExp(`(?<![\\w.-])${escapeRegExp(id)}(?!\\w|-)`);

/** What an entry has to name, each by a pattern. */
const nameable = {
  reference: every.map(({ id, name, parts }) => [name, parts.length === 0 ? named(name) : namedWithParts(id)] as const),
  problems: Object.keys(problems).map((code) => [code, named(code)] as const),
  contract: requirements.map(({ id }) => [id, named(id)] as const),
};

/** The formats of a document, by `Accept`, and what stands in them (D30, D31). */
export const docsFormats = [
  check("docs.get/json", {}, async (api) => {
    for (const accept of preferringJson) {
      const { name } = expectSuccess(await getDocument(api, ENTRY, { accept }), "docs.get");
      if (name !== ENTRY) fail("body:/name", `the name ${ENTRY}`, excerpt(name));
    }
  }),
  check("docs.get/formats#accept", {}, async (api) => {
    for (const [accept, formats] of negotiated) {
      const reply = await getDocument(api, ENTRY, { accept });
      expectStatus(reply, 200);
      if (!formats.includes(reply.mediaType))
        fail("header:content-type", `${formats.join(" or ")} for Accept: ${accept}`, describe(reply));
      if (expectText(reply, "docs.get", reply.mediaType) === "") fail("body", "a document", "nothing");
    }
  }),
  check("docs.get/formats#every-entry", {}, async (api) => {
    for (const name of await documentNames(api)) {
      const words = wordsOf(expectSuccess(await getDocument(api, name), "docs.get").content);
      for (const format of texts) {
        const text = expectText(await getDocument(api, name, { accept: format }), "docs.get", format);
        if (format !== "text/html") continue;
        const seen = visibleText(text);
        const missing = words.filter((word) => !seen.includes(word));
        if (missing.length > words.length * (1 - RENDERED))
          fail("body", `the words of ${name} on its page`, `no ${missing.slice(0, 5).join(", ")}`);
        if (name === ENTRY && !/<h[1-6][\s>]/i.test(text)) fail("body", "Markdown made into HTML", excerpt(text));
      }
    }
  }),
  check("docs.get/same-bytes", {}, async (api) => {
    for (const name of await documentNames(api)) {
      const wanted = Buffer.from(expectSuccess(await getDocument(api, name), "docs.get").content);
      for (const accept of ["text/markdown", "text/plain"])
        for (const encoding of name === ENTRY ? CODINGS : [undefined]) {
          const bytes = decoded(await getDocument(api, name, { accept, encoding }));
          if (!bytes.equals(wanted))
            fail("body", `${name} as ${accept} with the bytes of its content`, excerpt(`${bytes}`));
        }
    }
  }),
  ...(["reference", "problems", "contract"] as const).map((entry) =>
    check(`docs.get/${entry}`, {}, async (api) => {
      for (const accept of ["text/markdown", "text/html"]) {
        const text = expectText(await getDocument(api, entry, { accept }), "docs.get", accept);
        const words = accept === "text/html" ? visibleText(text) : text;
        const missing = nameable[entry].flatMap(([name, pattern]) => (pattern.test(words) ? [] : [name]));
        if (missing.length > 0) fail("body", `all their names in ${entry} as ${accept}`, `no ${missing.join(", no ")}`);
      }
    }),
  ),
  check("docs.get/html-safe#every-entry", {}, async (api) => {
    for (const name of await documentNames(api)) {
      const reply = await getDocument(api, name, { accept: "text/html" });
      await inCase(name, () => {
        expectPage(reply);
        expectSafe(reply);
      });
    }
  }),
  check("docs.get/html-safe#reflected", {}, async (api) => {
    // Credentials are ignored on a public operation, whatever they hold; so nothing of them is on the page.
    for (const place of ["query", "header"] as const)
      expectSafe(
        await api.call(`docs.get.${ENTRY}`, {
          accept: "text/html",
          credentials: { key: { [place]: MARKUP }, platform: { [place]: MARKUP } },
          headers: Object.fromEntries(TOLD.map((name) => [name, MARKUP])),
        }),
      );
  }),
];
