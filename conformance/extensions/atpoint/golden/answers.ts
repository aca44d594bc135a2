import { type Golden, golden, rejected, scenario, served, success } from "../../../golden/table.ts";

/** Representations, documents and cached copies (D10, D12, D30, D31). */

const README = "/api/?@=docs.get.README";
const document = (mediaType: string) => success("docs.get", { mediaType });
const isCurrent = { status: 304, code: null, operation: "docs.get" };
const isAbsent = rejected(404, "document-not-found", { operation: "docs.get" });
const isExcluded = rejected(406, "not-acceptable", { operation: "sysinfo" });
const listed = ["/api/?@=docs.list", success("docs.list")] as const;
const accepting = (accept: string, target = "/api/?@=sysinfo") => ({
  target,
  fields: [["Accept", accept]] as const,
});
/** A caller that has a copy of any representation. */
const withCopy = (target: string) => ({ target, fields: [["If-None-Match", "*"]] as const });

export const answers: readonly Golden[] = [
  golden("answers/not-acceptable", isExcluded, {
    "What is excluded by a weight of 0": accepting("application/json;q=0, */*"),
    "What is not in the list; the input comes later": accepting("text/html", "/api/?@=sysinfo&x=1"),
  }),
  golden("answers/accept-ignored", success("sysinfo"), {
    "One malformed element, and the whole list is ignored": accepting("text/html, json"),
    "Other parameters are ignored": accepting("application/json;version=9;q=0.1"),
  }),

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
  golden("http/robots-etag", served(304), { "The same for a file": withCopy("/robots.txt") }),
  golden("docs.list/items", success("docs.list"), {
    "A list has no tag: the field changes nothing": withCopy("/api/?@=docs.list"),
  }),
  golden("test.health/fresh", success("test.health"), {
    "What is not stored is always sent": { key: "full", ...withCopy("/api/?@=test.health") },
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
  golden("landing/json", served(200, { mediaType: "application/json" }), {
    "The landing page prefers HTML, and is JSON for whoever prefers that": accepting(
      "application/json, text/html;q=0.9",
      "/",
    ),
  }),

  golden("http/idempotency-key-on-get", success("sysinfo"), {
    "On GET it is ignored": { target: "/api/?@=sysinfo", fields: [["Idempotency-Key", "a b"]] },
  }),
  golden("http/request-id-stored", served(200, { mediaType: "text/plain" }), {
    "What shared caches may store has an id of the service": {
      target: "/robots.txt",
      fields: [["X-Request-Id", "mine"]],
    },
  }),
].flat();
