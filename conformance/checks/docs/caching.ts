import type { Api } from "../../client/api.ts";
import { expectStatus, fail } from "../../client/expect.ts";
import type { Reply } from "../../client/reply.ts";
import { check } from "../check.ts";
import { inCase } from "../probe.ts";
import {
  CODINGS,
  codingOf,
  documentNames,
  ENTRY,
  expectNotModified,
  FORMATS,
  getDocument,
  strongTag,
  tokens,
} from "./document.ts";

const TARGET = `/api/?@=docs.get.${ENTRY}`;

/** A document in every format and coding. */
async function representations(api: Api, name: string) {
  const asked = FORMATS.flatMap((accept) => CODINGS.map((encoding) => ({ accept, encoding })));
  return Promise.all(
    asked.map(async (one) => {
      const reply = await getDocument(api, name, one);
      return { ...one, what: `${name} as ${one.accept} in ${codingOf(reply)}`, tag: strongTag(reply) };
    }),
  );
}

/** Answers that all have the headers of a document: each entry, format and coding, HEAD, and 304 (RFC 9110, 15.4.5). */
async function* answersOf(api: Api): AsyncGenerator<Reply> {
  for (const name of await documentNames(api))
    for (const accept of [undefined, ...FORMATS]) yield getDocument(api, name, { accept });
  for (const accept of FORMATS) {
    for (const encoding of CODINGS) yield getDocument(api, ENTRY, { accept, encoding });
    const head = await getDocument(api, ENTRY, { accept, method: "HEAD" });
    yield head;
    yield getDocument(api, ENTRY, { accept, ifNoneMatch: head.header("etag") ?? "*" });
  }
}

/** What would keep a document for longer, or shorter, than five minutes. */
const AGAINST = /^(no-store|no-cache|private|immutable|stale-|s-maxage=(?!300$)|max-age=(?!300$))/;

/** Validators and caching of a document (D31). */
export const docsCaching = [
  check("docs.get/vary", {}, async (api) => {
    for await (const reply of answersOf(api)) {
      const missing = ["accept", "accept-encoding"].filter((token) => !tokens(reply, "vary").includes(token));
      if (missing.length > 0) fail("header:vary", "Vary: Accept, Accept-Encoding", reply.header("vary") ?? "none");
    }
  }),
  check("docs.get/caching", {}, async (api) => {
    for await (const reply of answersOf(api)) {
      const directives = tokens(reply, "cache-control");
      const wanted = ["public", "max-age=300"].every((one) => directives.includes(one));
      if (!wanted || directives.some((one) => AGAINST.test(one)))
        fail("header:cache-control", "Cache-Control: public, max-age=300", reply.header("cache-control") ?? "none");
    }
  }),
  check("docs.get/etag#of-each-representation", {}, async (api) => {
    for (const name of await documentNames(api)) {
      const tagged = new Map<string, string>();
      for (const { what, tag } of await representations(api, name)) {
        const other = tagged.get(tag) ?? what;
        if (other !== what) fail("header:etag", `another ETag for ${what} than for ${other}`, tag);
        tagged.set(tag, what);
      }
    }
  }),
  check("docs.get/etag#stable", {}, async (api) => {
    for (const { what, tag, ...asked } of await representations(api, ENTRY))
      for (const method of ["GET", "HEAD"]) {
        const again = strongTag(await getDocument(api, ENTRY, { ...asked, method }));
        if (again !== tag) fail("header:etag", `the ETag ${tag} by ${method}, as before, for ${what}`, again);
      }
  }),
  check("docs.get/not-modified#each-representation", {}, async (api) => {
    const all = await representations(api, ENTRY);
    for (const { accept, encoding, what, tag } of all)
      await inCase(what, async () => {
        const asked = [
          ["Accept", accept],
          ["Accept-Encoding", encoding],
        ] as const;
        await expectNotModified(api, TARGET, [...asked, ["If-None-Match", tag]], tag);
        // The other formats in one list, the other codings one by one: they differ the least.
        const others = all.filter((one) => one.tag !== tag);
        const formats = others.filter((one) => one.accept !== accept).map((one) => one.tag);
        const codings = others.filter((one) => one.accept === accept).map((one) => one.tag);
        for (const ifNoneMatch of new Set([formats.join(", "), ...codings])) {
          const reply = await getDocument(api, ENTRY, { accept, encoding, ifNoneMatch });
          await inCase(`If-None-Match: ${ifNoneMatch}`, () => expectStatus(reply, 200));
        }
      });
  }),
  check("docs.get/not-modified#every-entry", {}, async (api) => {
    for (const name of await documentNames(api)) {
      const ifNoneMatch = strongTag(await getDocument(api, name));
      const reply = await getDocument(api, name, { ifNoneMatch });
      expectStatus(reply, 304);
      if (strongTag(reply) !== ifNoneMatch) fail("header:etag", `304 with the ETag ${ifNoneMatch}`, strongTag(reply));
    }
  }),
  check("docs.get/not-modified#if-none-match", {}, async (api) => {
    const tag = strongTag(await getDocument(api, ENTRY));
    const bare = tag.slice(1, -1);
    // RFC 9110, 13.1.2: a list, in two lines as well (5.3), weak comparison, and `*` for anything.
    const lists = [`"other", ${tag}`, `${tag},"other"`, `"a,b" , W/"c",${tag}`, `W/${tag}`, "*"].map((one) => [one]);
    for (const lines of [...lists, ['"other"', tag], [tag, '"other"']])
      await expectNotModified(
        api,
        TARGET,
        lines.map((line) => ["If-None-Match", line] as const),
        tag,
      );
    const others = ['"other"', '"other", W/"another"', `"${bare}x"`, `"x${bare}"`, `"${bare.slice(0, -1)}"`, '""'];
    for (const ifNoneMatch of others) {
      const reply = await getDocument(api, ENTRY, { ifNoneMatch });
      await inCase(`If-None-Match: ${ifNoneMatch}`, () => expectStatus(reply, 200));
      if (reply.body.length === 0) fail("body", "the document", "nothing");
    }
    // RFC 9110, 13.1.3: beside a tag no date counts, and those of old are behind what was written since.
    for (const [since, ...tags] of [["Fri, 01 Jan 2100 00:00:00 GMT", '"other"'], ["Thu, 01 Jan 1970 00:00:00 GMT"]]) {
      const conditions = { "If-Modified-Since": since ?? null, "If-None-Match": tags[0] ?? null };
      const reply = await api.call(`docs.get.${ENTRY}`, { credentials: "none", headers: conditions });
      await inCase(`If-Modified-Since: ${since}`, () => expectStatus(reply, 200));
    }
    expectStatus(await getDocument(api, ENTRY, { method: "HEAD", ifNoneMatch: tag }), 304);
    expectStatus(await getDocument(api, ENTRY, { method: "HEAD", ifNoneMatch: '"other"' }), 200);
  }),
];
