import { expectStatus, fail } from "../../client/expect.ts";
import type { Reply } from "../../client/reply.ts";
import { check } from "../check.ts";
import {
  CODINGS,
  codingOf,
  documentNames,
  ENTRY,
  expectFormat,
  expectNotModified,
  FORMATS,
  getDocument,
  strongTag,
  tokens,
} from "./document.ts";

const TARGET = `/api/?@=docs.get.${ENTRY}`;
const slug = (mediaType: string) => mediaType.replace("/", "-");

function expectVary(reply: Reply): void {
  const missing = ["accept", "accept-encoding"].filter((token) => !tokens(reply, "vary").includes(token));
  if (missing.length > 0)
    fail("header:vary", "Vary: Accept, Accept-Encoding", `Vary: ${reply.header("vary") ?? "absent"}`);
}

function expectPublic(reply: Reply): void {
  const directives = tokens(reply, "cache-control");
  const against = directives.filter(
    (one) =>
      /^(no-store|no-cache|private|s-maxage|immutable|stale-|max-age)/.test(one) &&
      one !== "max-age=300" &&
      one !== "s-maxage=300",
  );
  if (!directives.includes("public") || !directives.includes("max-age=300") || against.length > 0) {
    fail("header:cache-control", "Cache-Control: public, max-age=300", reply.header("cache-control") ?? "none");
  }
}

/** Headers that every representation of a document has: each format, each coding, each entry, HEAD and 304. */
const onEvery = (id: "docs.get/vary" | "docs.get/caching", expectHeader: (reply: Reply) => void) => [
  check(`${id}#formats`, {}, async (api) => {
    for (const accept of FORMATS) {
      const reply = await getDocument(api, ENTRY, { accept });
      expectFormat(reply, accept);
      expectHeader(reply);
    }
  }),
  check(`${id}#codings`, {}, async (api) => {
    for (const accept of FORMATS)
      for (const encoding of CODINGS) expectHeader(await getDocument(api, ENTRY, { accept, encoding }));
  }),
  check(`${id}#every-entry`, {}, async (api) => {
    for (const name of await documentNames(api))
      for (const accept of FORMATS) expectHeader(await getDocument(api, name, { accept }));
  }),
  check(`${id}#head`, {}, async (api) => {
    for (const accept of FORMATS) expectHeader(await getDocument(api, ENTRY, { accept, method: "HEAD" }));
  }),
  check(`${id}#not-modified`, {}, async (api) => {
    // RFC 9110, 15.4.5: a 304 has what the 200 would have.
    for (const accept of FORMATS) {
      const ifNoneMatch = strongTag(await getDocument(api, ENTRY, { accept }));
      const reply = await getDocument(api, ENTRY, { accept, ifNoneMatch });
      expectStatus(reply, 304);
      expectHeader(reply);
    }
  }),
];

/** Validators and caching of a document (D31). */
export const docsCaching = [
  check("docs.get/etag#strong", {}, async (api) => {
    for (const name of await documentNames(api))
      for (const accept of FORMATS)
        for (const encoding of CODINGS) strongTag(await getDocument(api, name, { accept, encoding }));
  }),
  check("docs.get/etag#formats", {}, async (api) => {
    const formats = new Map<string, string>();
    for (const accept of FORMATS) {
      const replies = CODINGS.map((encoding) => getDocument(api, ENTRY, { accept, encoding }));
      for (const tag of new Set((await Promise.all(replies)).map(strongTag))) {
        const other = formats.get(tag);
        if (other) fail("header:etag", `another ETag for ${accept} than for ${other}`, tag);
        formats.set(tag, accept);
      }
    }
  }),
  ...FORMATS.map((accept) =>
    check(`docs.get/etag#codings-${slug(accept)}`, {}, async (api) => {
      const codings = new Map<string, string>();
      for (const encoding of CODINGS) {
        const reply = await getDocument(api, ENTRY, { accept, encoding });
        const [tag, coding] = [strongTag(reply), codingOf(reply)];
        const other = codings.get(tag) ?? coding;
        if (other !== coding) fail("header:etag", `another ETag for ${coding} than for ${other}`, tag);
        codings.set(tag, coding);
      }
    }),
  ),
  check("docs.get/etag#stable", {}, async (api) => {
    for (const encoding of CODINGS) {
      const tag = strongTag(await getDocument(api, ENTRY, { encoding }));
      const again = strongTag(await getDocument(api, ENTRY, { encoding }));
      if (again !== tag) fail("header:etag", `the same ETag for the same bytes, ${tag}`, again);
      const head = strongTag(await getDocument(api, ENTRY, { encoding, method: "HEAD" }));
      if (head !== tag) fail("header:etag", `the ETag of GET on HEAD, ${tag}`, head);
    }
  }),
  ...FORMATS.map((accept) =>
    check(`docs.get/not-modified#${slug(accept)}`, {}, async (api) => {
      for (const encoding of CODINGS) {
        const tag = strongTag(await getDocument(api, ENTRY, { accept, encoding }));
        await expectNotModified(
          api,
          TARGET,
          [
            ["Accept", accept],
            ["Accept-Encoding", encoding],
            ["If-None-Match", tag],
          ],
          tag,
        );
      }
    }),
  ),
  check("docs.get/not-modified#every-entry", {}, async (api) => {
    for (const name of await documentNames(api)) {
      const ifNoneMatch = strongTag(await getDocument(api, name));
      const reply = await getDocument(api, name, { ifNoneMatch });
      expectStatus(reply, 304);
      if (strongTag(reply) !== ifNoneMatch) fail("status", `304 with the ETag ${ifNoneMatch}`, strongTag(reply));
    }
  }),
  check("docs.get/not-modified#spellings", {}, async (api) => {
    const tag = strongTag(await getDocument(api, ENTRY));
    // RFC 9110, 13.1.2: a list, weak comparison, and `*` for anything.
    for (const value of [`"other", ${tag}`, `${tag},"other"`, `"a,b" , W/"c",${tag}`, `W/${tag}`, "*"]) {
      await expectNotModified(api, TARGET, [["If-None-Match", value]], tag);
    }
    // The same list in two lines (RFC 9110, 5.3).
    for (const lines of [
      ['"other"', tag],
      [tag, '"other"'],
    ]) {
      const headers = lines.map((line) => ["If-None-Match", line] as const);
      await expectNotModified(api, TARGET, headers, tag);
    }
  }),
  check("docs.get/not-modified#head", {}, async (api) => {
    const ifNoneMatch = strongTag(await getDocument(api, ENTRY));
    expectStatus(await getDocument(api, ENTRY, { method: "HEAD", ifNoneMatch }), 304);
    expectStatus(await getDocument(api, ENTRY, { method: "HEAD", ifNoneMatch: '"other"' }), 200);
  }),
  check("docs.get/not-modified#another", {}, async (api) => {
    const tag = strongTag(await getDocument(api, ENTRY));
    const bare = tag.slice(1, -1);
    for (const ifNoneMatch of [
      '"other"',
      '"other", W/"another"',
      `"${bare}x"`,
      `"x${bare}"`,
      `"${bare.slice(0, -1)}"`,
      '""',
    ]) {
      const reply = await getDocument(api, ENTRY, { ifNoneMatch });
      if (reply.status !== 200) fail("status", `200 for If-None-Match: ${ifNoneMatch}`, String(reply.status));
      if (reply.body.length === 0) fail("body", "the document", "nothing");
    }
  }),
  check("docs.get/not-modified#another-format", {}, async (api) => {
    const tags = new Map<string, string>();
    for (const accept of FORMATS) tags.set(accept, strongTag(await getDocument(api, ENTRY, { accept })));
    for (const accept of FORMATS) {
      const others = [...tags].filter(([format]) => format !== accept).map(([, tag]) => tag);
      const reply = await getDocument(api, ENTRY, { accept, ifNoneMatch: others.join(", ") });
      if (reply.status !== 200)
        fail("status", `200 for ${accept} with the ETags of the other formats`, String(reply.status));
    }
  }),
  check("docs.get/not-modified#another-coding", {}, async (api) => {
    for (const encoding of ["gzip", "br"]) {
      const reply = await getDocument(api, ENTRY, { encoding });
      // Not compressed: then there is no other coding's ETag.
      if (codingOf(reply) === "identity") continue;
      const identity = await getDocument(api, ENTRY, { ifNoneMatch: strongTag(reply) });
      if (identity.status !== 200)
        fail("status", `200 without a coding for the ETag of ${encoding}`, String(identity.status));
      const ifNoneMatch = strongTag(identity);
      const coded = await getDocument(api, ENTRY, { encoding, ifNoneMatch });
      if (coded.status !== 200)
        fail("status", `200 in ${encoding} for the ETag without a coding`, String(coded.status));
    }
  }),
  ...onEvery("docs.get/vary", expectVary),
  ...onEvery("docs.get/caching", expectPublic),
];
