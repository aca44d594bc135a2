import { fail } from "../../client/expect.ts";
import { excerpt, type Reply } from "../../client/reply.ts";
import { check } from "../check.ts";
import { codingOf, decoded, documentNames, ENTRY, expectFormat, FORMATS, getDocument } from "./document.ts";

/** The same document as without a coding, in one of these codings or in none. */
function expectSame(reply: Reply, plain: Reply, encoding: string, allowed: readonly string[]): void {
  expectFormat(reply, plain.mediaType);
  const coding = codingOf(reply);
  if (![...allowed, "identity"].includes(coding))
    fail("body", `no coding but ${allowed.join(", ") || "identity"} for Accept-Encoding: ${encoding}`, coding);
  const bytes = decoded(reply);
  if (!bytes.equals(plain.body)) {
    fail(
      "body",
      `the same document in ${coding}, ${plain.body.length} bytes`,
      `${bytes.length} bytes: ${excerpt(bytes.toString())}`,
    );
  }
}

const REFUSALS: readonly (readonly [encoding: string, allowed: readonly string[]])[] = [
  ["identity", []],
  ["gzip;q=0", []],
  ["gzip;q=0, br;q=0", []],
  ["br;q=0, gzip", ["gzip"]],
  ["gzip;q=0.0, br;q=0.5", ["br"]],
  ["*;q=0, gzip", ["gzip"]],
  ["x-no-such-coding", []],
  ["xgzip, brotli", []],
];

/** A compressed document is the same one, in a coding that was asked for (D31). */
export const docsCompressed = [
  ...FORMATS.map((accept) =>
    check(`docs.get/compressed#${accept.replace("/", "-")}`, {}, async (api) => {
      const plain = await getDocument(api, ENTRY, { accept, encoding: "identity" });
      for (const encoding of ["gzip", "br", "deflate", "gzip, br", "GZIP;q=0.5"]) {
        const allowed = ["gzip", "br", "deflate"].filter((coding) => encoding.toLowerCase().includes(coding));
        expectSame(await getDocument(api, ENTRY, { accept, encoding }), plain, encoding, allowed);
      }
    }),
  ),
  check("docs.get/compressed#every-entry", {}, async (api) => {
    for (const name of await documentNames(api)) {
      for (const accept of FORMATS) {
        const plain = await getDocument(api, name, { accept, encoding: "identity" });
        for (const encoding of ["gzip", "br"])
          expectSame(await getDocument(api, name, { accept, encoding }), plain, encoding, [encoding]);
      }
    }
  }),
  check("docs.get/compressed#unasked", {}, async (api) => {
    const plain = await getDocument(api, ENTRY);
    if (codingOf(plain) !== "identity")
      fail("body", "no coding for a request without Accept-Encoding", codingOf(plain));
  }),
  check("docs.get/compressed#refused", {}, async (api) => {
    const plain = await getDocument(api, ENTRY, { encoding: "identity" });
    for (const [encoding, allowed] of REFUSALS) {
      expectSame(await getDocument(api, ENTRY, { encoding }), plain, encoding, allowed);
    }
  }),
];
