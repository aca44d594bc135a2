import { type Golden, golden, rejected, scenario, success } from "../../../golden/table.ts";

/** Documents and cached copies of them (D12, D30, D31). */

const README = "/api/?@=docs.get.README";
const document = (mediaType: string) => success("docs.get", { mediaType });
const isCurrent = { status: 304, code: null, operation: "docs.get" };
const isAbsent = rejected(404, "document-not-found", { operation: "docs.get" });
const listed = ["/api/?@=docs.list", success("docs.list")] as const;
const accepting = (accept: string, target: string) => ({
  target,
  fields: [["Accept", accept]] as const,
});
/** A caller that has a copy of any representation. */
const withCopy = (target: string) => ({ target, fields: [["If-None-Match", "*"]] as const });

/** The golden exchanges of documents. */
const exchanges: readonly Golden[] = [
  golden("docs.get/json", document("application/json"), { "JSON by default": README }),
  scenario(
    "docs.get/not-modified",
    "The copy that the caller has is still good: no body, the same tag",
    [accepting("text/markdown", README), document("text/markdown")],
    [
      {
        target: README,
        fields: [
          ["Accept", "text/markdown"],
          ["If-None-Match", '"x", W/{etag}'],
        ],
      },
      isCurrent,
    ],
    [
      {
        target: README,
        fields: [
          ["Accept", "text/plain"],
          ["If-None-Match", "{etag}"],
        ],
      },
      document("text/plain"),
    ],
  ),
  golden("docs.get/not-modified", isCurrent, {
    "* is any copy, whichever the caller has": { method: "HEAD", ...withCopy(README) },
  }),
  golden("docs.list/items", success("docs.list"), {
    "A list has no tag: the field changes nothing": withCopy("/api/?@=docs.list"),
  }),
  scenario("docs.get/absent", "Names differ by letter case", listed, [
    "/api/?@=docs.get.readme",
    isAbsent,
  ]),
  scenario("docs.get/absent", "A name of 64 characters has the form of one", listed, [
    `/api/?@=docs.get.${"a".repeat(64)}`,
    isAbsent,
  ]),
  golden("docs.get/name-pattern", rejected(404, "operation-not-found"), {
    "A name of 65 characters has not": `/api/?@=docs.get.${"a".repeat(65)}`,
    "A path is no name": "/api/?@=docs.get.../README",
  }),
].flat();

export { exchanges as golden };
