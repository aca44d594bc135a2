import { caught } from "../../caught.ts";
import type { Defect, ProxyAnswer } from "../../defect.ts";
import { header } from "../../look.ts";
import { verbatim, withHeader, withoutHeader, withStatus } from "../../shape.ts";
import {
  anyDocumentAnswer,
  documentAnswer,
  documentRequest,
  entryOf,
  FORMATS,
  headerRequest,
  on304,
  tagOf,
} from "./hooks.ts";

const notModified = (answer: ProxyAnswer): ProxyAnswer => ({ ...withStatus(answer, 304), body: Buffer.alloc(0) });
const ifNoneMatch = (change: (value: string) => string | null) => headerRequest("If-None-Match", change);

const NOT_MODIFIED = FORMATS.map((format) => `docs.get/not-modified#${format}`);

export const notModifiedDefects: readonly Defect[] = [
  caught(
    "docs.get/if-none-match-ignored",
    "Ignores If-None-Match.",
    [
      ...NOT_MODIFIED,
      "docs.get/not-modified#every-entry",
      "docs.get/not-modified#spellings",
      "docs.get/not-modified#head",
    ],
    /304/,
    ifNoneMatch(() => null),
  ),
  caught(
    "docs.get/if-none-match-ignored-on-html",
    "Ignores If-None-Match for HTML.",
    ["docs.get/not-modified#text-html"],
    /304/,
    documentRequest((request) =>
      header(request, "Accept") === "text/html" ? withoutHeader(request, "If-None-Match") : request,
    ),
  ),
  caught(
    "docs.get/if-none-match-ignored-when-compressed",
    "Ignores If-None-Match for compressed documents.",
    NOT_MODIFIED,
    /304/,
    documentRequest((request) =>
      /gzip/.test(header(request, "Accept-Encoding") ?? "") ? withoutHeader(request, "If-None-Match") : request,
    ),
  ),
  caught(
    "docs.get/304-with-body",
    "Sends the document behind a 304.",
    [...NOT_MODIFIED, "docs.get/not-modified#spellings"],
    /without a body/,
    anyDocumentAnswer(async (answer, request, { forward }) => {
      if (answer.status !== 304) return answer;
      const { body } = await forward(withoutHeader(request, "If-None-Match"));
      return verbatim({ ...answer, body });
    }),
  ),
  caught(
    "docs.get/304-without-etag",
    "Sends 304 without the ETag.",
    [...NOT_MODIFIED, "docs.get/not-modified#every-entry", "docs.get/not-modified#spellings"],
    /ETag/,
    on304((answer) => withoutHeader(answer, "ETag")),
  ),
  caught(
    "docs.get/304-with-another-etag",
    "Sends 304 with another ETag.",
    [...NOT_MODIFIED, "docs.get/not-modified#every-entry"],
    /ETag/,
    on304((answer) => withHeader(answer, "ETag", '"not-modified"')),
  ),
  caught(
    "docs.get/204-for-304",
    "Sends 204 for 304.",
    [...NOT_MODIFIED, "docs.get/not-modified#every-entry"],
    /304/,
    on304((answer) => withStatus(answer, 204)),
  ),
  caught(
    "docs.get/if-none-match-one-tag",
    "Knows no lists in If-None-Match.",
    ["docs.get/not-modified#spellings"],
    /304/,
    ifNoneMatch((value) => (value.includes(",") ? null : value)),
  ),
  caught(
    "docs.get/if-none-match-strongly",
    "Compares If-None-Match strongly: W/ does not match.",
    ["docs.get/not-modified#spellings"],
    /304/,
    ifNoneMatch((value) => (value.startsWith("W/") ? null : value)),
  ),
  caught(
    "docs.get/if-none-match-star",
    "Does not know If-None-Match: *.",
    ["docs.get/not-modified#spellings"],
    /304/,
    ifNoneMatch((value) => (value === "*" ? null : value)),
  ),
  caught(
    "docs.get/head-unconditional",
    "Ignores If-None-Match on HEAD.",
    ["docs.get/not-modified#head"],
    /304/,
    documentRequest((request) => (request.method === "HEAD" ? withoutHeader(request, "If-None-Match") : request)),
  ),
  caught(
    "docs.get/conditional-for-readme-only",
    "Knows If-None-Match for README only.",
    ["docs.get/not-modified#every-entry"],
    /304/,
    documentRequest((request) => (entryOf(request) === "README" ? request : withoutHeader(request, "If-None-Match"))),
  ),
  caught(
    "docs.get/always-304",
    "Answers 304 to any If-None-Match.",
    [
      "docs.get/not-modified#another",
      "docs.get/not-modified#another-format",
      "docs.get/not-modified#another-coding",
      "docs.get/not-modified#head",
    ],
    /200/,
    documentAnswer((answer, request) => (header(request, "If-None-Match") ? notModified(answer) : answer)),
  ),
  caught(
    "docs.get/etag-as-a-part",
    "Looks for the ETag anywhere in If-None-Match.",
    ["docs.get/not-modified#another"],
    /200/,
    documentAnswer((answer, request) =>
      header(request, "If-None-Match")?.includes(tagOf(answer).slice(1, -1)) ? notModified(answer) : answer,
    ),
  ),
  caught(
    "docs.get/etag-begins-alike",
    "Takes a beginning of the ETag for the whole.",
    ["docs.get/not-modified#another"],
    /200/,
    documentAnswer((answer, request) => {
      const asked = header(request, "If-None-Match")?.slice(0, -1);
      return asked && asked.length > 1 && tagOf(answer).startsWith(asked) ? notModified(answer) : answer;
    }),
  ),
  caught(
    "docs.get/etag-of-another-format",
    "Takes the ETag of any format.",
    ["docs.get/not-modified#another-format"],
    /200/,
    documentAnswer(async (answer, request, { forward }) => {
      const asked = header(request, "If-None-Match");
      if (!asked) return answer;
      for (const accept of ["application/json", "text/markdown", "text/plain", "text/html"]) {
        if ((await forward(withHeader(request, "Accept", accept))).status === 304) return notModified(answer);
      }
      return answer;
    }),
  ),
  caught(
    "docs.get/etag-of-another-coding",
    "Takes the ETag of any coding.",
    ["docs.get/not-modified#another-coding"],
    /200/,
    documentAnswer((answer, request) => {
      const bare = (tag: string) => tag.replace(/(-br|-gzip)?"$/, "");
      const asked = header(request, "If-None-Match");
      return asked && bare(asked) === bare(tagOf(answer)) ? notModified(answer) : answer;
    }),
  ),
];
