import type { Api } from "../../client/api.ts";
import { expectStatus, fail } from "../../client/expect.ts";
import { excerpt } from "../../client/reply.ts";
import { check } from "../check.ts";
import { inCase } from "../probe.ts";
import { codingOf, decoded, documentNames, ENTRY, FORMATS, getDocument } from "./document.ts";

/** The same document as without a coding, in the codings that a caller allows or in none. */
async function expectCodings(api: Api, name: string, accept: string | undefined, rows: readonly CodingRow[]) {
  const plain = await getDocument(api, name, { accept, encoding: "identity" });
  expectStatus(plain, 200);
  for (const [encoding, allowed] of rows)
    await inCase(`${name} for Accept-Encoding: ${encoding ?? "none"}`, async () => {
      const reply = await getDocument(api, name, { accept, encoding });
      expectStatus(reply, 200);
      const coding = codingOf(reply);
      if (![...allowed, "identity"].includes(coding))
        fail("header:content-encoding", `no coding but ${["identity", ...allowed].join(", ")}`, coding);
      const bytes = decoded(reply);
      if (!bytes.equals(plain.body) || reply.mediaType !== plain.mediaType)
        fail("body", `the same document in ${coding}`, `${reply.mediaType} ${excerpt(bytes.toString())}`);
    });
}

type CodingRow = readonly [encoding: string | undefined, allowed: readonly string[]];
const EACH: readonly CodingRow[] = [
  ["gzip", ["gzip"]],
  ["br", ["br"]],
];
const SEVERAL: readonly CodingRow[] = [
  ["deflate", ["deflate"]],
  ["gzip, br", ["gzip", "br"]],
  ["GZIP;q=0.5", ["gzip"]],
];
const REFUSING: readonly CodingRow[] = [
  [undefined, []],
  ["identity", []],
  ["gzip;q=0", []],
  ["gzip;q=0, br;q=0", []],
  ["br;q=0, gzip", ["gzip"]],
  ["gzip;q=0.0, br;q=0.5", ["br"]],
  ["*;q=0, gzip", ["gzip"]],
  ["x-no-such-coding", []],
  ["xgzip, brotli", []],
];

/** A document is compressed in a coding that was asked for, and it is the same one (D31). */
export const docsCodings = [
  check("docs.get/compresses", {}, async (api) => {
    for (const accept of FORMATS) {
      const coding = codingOf(await getDocument(api, ENTRY, { accept, encoding: "gzip, br" }));
      if (coding === "identity") fail("header:content-encoding", `${ENTRY} as ${accept} in gzip or in br`, coding);
      // A caller that takes no other gets it as well.
      const alone = codingOf(await getDocument(api, ENTRY, { accept, encoding: coding }));
      if (alone !== coding) fail("header:content-encoding", `${ENTRY} as ${accept} in ${coding}`, alone);
    }
  }),
  check("docs.get/compressed#every-entry", {}, async (api) => {
    for (const name of await documentNames(api))
      for (const accept of FORMATS) await expectCodings(api, name, accept, EACH);
  }),
  check("docs.get/compressed#several", {}, async (api) => {
    for (const accept of FORMATS) await expectCodings(api, ENTRY, accept, SEVERAL);
  }),
  check("docs.get/compressed#refused", {}, (api) => expectCodings(api, ENTRY, undefined, REFUSING)),
];
