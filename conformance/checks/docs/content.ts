import { operations, problems } from "../../../generated/operations.ts";
import { requirements } from "../../../generated/requirements.ts";
import type { Api } from "../../client/api.ts";
import { expectText, fail } from "../../client/expect.ts";
import { excerpt } from "../../client/reply.ts";
import { check } from "../check.ts";
import { unsafeParts, visibleText } from "../html.ts";
import { documentNames, getDocument } from "./document.ts";

const escapeRegExp = (text: string) => text.replace(/[.*+?^${}()|[\]\\]/g, "\\$&");

/** A word of its own: not a part of a longer name. */
const named = (name: string) => new RegExp(`(?<![\\w.-])${escapeRegExp(name)}(?!\\w|[.-]\\w)`);

/** How an operation may be named; one with parts in any spelling of them: `docs.get.{name}`, `docs.get.<name>`. */
const operationNames = Object.values(operations).map(({ id, name, parts }) =>
  parts.length === 0
    ? { name, pattern: named(name) }
    : { name, pattern: new RegExp(`(?<![\\w.-])${escapeRegExp(id)}(?!\\w|-)`) },
);
const codes = Object.keys(problems).map((name) => ({ name, pattern: named(name) }));
const requirementIds = requirements.map(({ id }) => ({ name: id, pattern: named(id) }));

async function expectNames(
  api: Api,
  entry: string,
  accept: string,
  wanted: readonly { name: string; pattern: RegExp }[],
) {
  const text = expectText(await getDocument(api, entry, { accept }), "docs.get", accept);
  const words = accept === "text/html" ? visibleText(text) : text;
  const missing = wanted.filter(({ pattern }) => !pattern.test(words)).map(({ name }) => name);
  if (missing.length > 0) fail("body", `${entry} to name ${wanted.length} of them`, `no ${missing.join(", no ")}`);
}

const MARKUP = '"><script>alert(1)</script>';

/** What stands in the documents (D30, D31). */
export const docsContent = [
  ...["text/markdown", "text/html"].flatMap((accept) => [
    check(`docs.get/reference#${accept.slice(5)}`, {}, (api) => expectNames(api, "reference", accept, operationNames)),
    check(`docs.get/problems#${accept.slice(5)}`, {}, (api) => expectNames(api, "problems", accept, codes)),
    check(`docs.get/contract#${accept.slice(5)}`, {}, (api) => expectNames(api, "contract", accept, requirementIds)),
  ]),
  check("docs.get/html-safe#every-entry", {}, async (api) => {
    for (const name of await documentNames(api)) {
      const html = expectText(await getDocument(api, name, { accept: "text/html" }), "docs.get", "text/html");
      if (!/<html[\s>]|<!doctype html/i.test(html)) fail("body", `${name} as an HTML page`, excerpt(html));
      const unsafe = unsafeParts(html);
      if (unsafe.length > 0)
        fail(
          "body",
          `${name} as a page that runs no script and loads nothing from elsewhere`,
          unsafe.slice(0, 3).join(", "),
        );
    }
  }),
  check("docs.get/html-safe#reflected", {}, async (api) => {
    // Credentials are ignored on a public operation, whatever they hold; so nothing of them is on the page.
    for (const place of ["query", "header"] as const) {
      const reply = await api.call("docs.get.README", {
        accept: "text/html",
        credentials: { key: { [place]: MARKUP }, platform: { [place]: MARKUP } },
        headers: { "User-Agent": MARKUP, Referer: MARKUP },
      });
      const unsafe = unsafeParts(expectText(reply, "docs.get", "text/html"));
      if (unsafe.length > 0) fail("body", "a page without what the caller sent", unsafe.slice(0, 3).join(", "));
    }
  }),
];
