import { type Golden, golden, rejected, served, success } from "../../../golden/table.ts";

/** Representations and cached copies (D10, D12). */

const isExcluded = rejected(406, "not-acceptable", { operation: "sysinfo" });
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

  golden("http/robots-etag", served(304), { "The same for a file": withCopy("/robots.txt") }),
  golden("test.health/fresh", success("test.health"), {
    "What is not stored is always sent": { key: "full", ...withCopy("/api/?@=test.health") },
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
