import { expectStatus, expectSuccess, expectText, fail } from "../../client/expect.ts";
import { excerpt } from "../../client/reply.ts";
import { check } from "../check.ts";
import { visibleText } from "../html.ts";
import { decoded, documentNames, ENTRY, FORMATS, getDocument } from "./document.ts";

const JSON_TYPE = "application/json";
const texts = FORMATS.filter((format) => format !== JSON_TYPE);

/** What a browser sends for a page. */
const BROWSER = "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8";

/** `Accept` values by what they prefer. Ties are not judged, but that without any preference JSON is the default. */
const json: Readonly<Record<string, readonly (string | undefined)[]>> = {
  default: [undefined, "*/*"],
  accept: [JSON_TYPE, "APPLICATION/JSON", `${JSON_TYPE}; charset=utf-8`],
  weights: [
    "application/json, text/markdown;q=0.9",
    "text/html;q=0.3, text/plain;q=0.4, application/json;q=0.5",
    "text/markdown;q=0.999, application/json",
    "text/markdown;q=0, application/json;q=0.001",
  ],
  ranges: ["application/*", "application/*, text/*;q=0.5", "text/*;q=0.2, */*;q=0.8", "text/*;q=0, */*"],
};

const preferring = (format: string) => ({
  accept: [format, format.toUpperCase(), `${format};charset=utf-8`],
  weights: [
    `${format}, application/json;q=0.9`,
    `application/json;q=0.5, ${format};q=0.6`,
    `*/*;q=0.1, ${format}`,
    `application/json;q=0.999, text/*;q=0.5, ${format}`,
    `application/json;q=0, ${texts.filter((other) => other !== format).join(";q=0.1, ")};q=0.1, ${format};q=0.2`,
  ],
});

const slug = (mediaType: string) => mediaType.replace("/", "-");

/** The words that a reader of Markdown sees: no addresses, no markup. */
const wordsOf = (markdown: string) =>
  new Set(markdown.replace(/\]\([^)]*\)|<[^>]*>|&\w+;|https?:\S+/g, " ").match(/[A-Za-z]{4,}/g) ?? []);

/** Of the words of a document so many have to stand on its page; some are made into something else by some renderers. */
const RENDERED = 0.8;

/** The formats of a document, by `Accept` (D31). */
export const docsFormats = [
  check("docs.get/public#formats", {}, async (api) => {
    for (const accept of FORMATS) expectStatus(await getDocument(api, ENTRY, { accept }), 200);
  }),
  check("docs.get/public#every-entry", {}, async (api) => {
    for (const name of await documentNames(api)) expectStatus(await getDocument(api, name), 200);
  }),
  ...Object.entries(json).map(([variant, accepts]) =>
    check(`docs.get/json#${variant}`, {}, async (api) => {
      for (const accept of accepts) {
        const reply = await getDocument(api, ENTRY, accept === undefined ? {} : { accept });
        const { name } = expectSuccess(reply, "docs.get");
        if (name !== ENTRY) fail("body", `the name ${ENTRY}`, excerpt(name));
      }
    }),
  ),
  ...texts.flatMap((format) =>
    Object.entries(preferring(format)).map(([variant, accepts]) =>
      check(`docs.get/formats#${slug(format)}-${variant}`, {}, async (api) => {
        for (const accept of accepts) {
          const text = expectText(await getDocument(api, ENTRY, { accept }), "docs.get", format);
          if (text === "") fail("body", `a document as ${format}`, "nothing");
        }
      }),
    ),
  ),
  check("docs.get/formats#browser", {}, async (api) => {
    expectText(await getDocument(api, ENTRY, { accept: BROWSER }), "docs.get", "text/html");
  }),
  check("docs.get/formats#text-range", {}, async (api) => {
    for (const accept of ["text/*", "application/json;q=0.5, text/*", "application/json;q=0, */*"]) {
      const reply = await getDocument(api, ENTRY, { accept });
      expectStatus(reply, 200);
      if (!texts.includes(reply.mediaType)) fail("body", `${texts.join(", ")} for Accept: ${accept}`, reply.mediaType);
    }
  }),
  check("docs.get/formats#specific-range", {}, async (api) => {
    // The more specific range decides about its type, wherever it stands.
    for (const accept of [
      "text/*, text/markdown;q=0.1, text/plain;q=0.1",
      "text/plain;q=0, text/*, text/markdown;q=0",
    ]) {
      expectText(await getDocument(api, ENTRY, { accept }), "docs.get", "text/html");
    }
  }),
  check("docs.get/formats#every-entry", {}, async (api) => {
    for (const name of await documentNames(api)) {
      for (const accept of texts) expectText(await getDocument(api, name, { accept }), "docs.get", accept);
    }
  }),
  check("docs.get/formats#html-rendered", {}, async (api) => {
    const html = expectText(await getDocument(api, ENTRY, { accept: "text/html" }), "docs.get", "text/html");
    if (!/<h[1-6][\s>]/i.test(html)) fail("body", "Markdown made into HTML", excerpt(html));
  }),
  check("docs.get/formats#html-of-each", {}, async (api) => {
    for (const name of await documentNames(api)) {
      const { content } = expectSuccess(await getDocument(api, name), "docs.get");
      const html = expectText(await getDocument(api, name, { accept: "text/html" }), "docs.get", "text/html");
      const seen = visibleText(html);
      const words = [...wordsOf(content)];
      const missing = words.filter((word) => !seen.includes(word));
      if (missing.length > words.length * (1 - RENDERED)) {
        const some = missing.slice(0, 5).join(", ");
        fail("body", `the ${words.length} words of ${name} on its page`, `${missing.length} are missing: ${some}`);
      }
    }
  }),
  check("docs.get/same-bytes#every-entry", {}, async (api) => {
    for (const name of await documentNames(api)) {
      const { content } = expectSuccess(await getDocument(api, name), "docs.get");
      for (const accept of ["text/markdown", "text/plain"]) {
        const { body } = await getDocument(api, name, { accept });
        if (!body.equals(Buffer.from(content))) {
          fail(
            "body",
            `${name} as ${accept} with the bytes of its content, ${Buffer.byteLength(content)}`,
            `${body.length} other ones: ${excerpt(body.toString())}`,
          );
        }
      }
    }
  }),
  check("docs.get/same-bytes#compressed", {}, async (api) => {
    for (const encoding of ["gzip", "br"]) {
      const markdown = decoded(await getDocument(api, ENTRY, { accept: "text/markdown", encoding }));
      const plain = decoded(await getDocument(api, ENTRY, { accept: "text/plain", encoding }));
      if (!markdown.equals(plain))
        fail("body", `the same bytes as text/markdown and text/plain in ${encoding}`, excerpt(plain.toString()));
    }
  }),
];
