import { gzipSync } from "node:zlib";
import { caught } from "../../caught.ts";
import type { Defect, ProxyAnswer } from "../../defect.ts";
import { header, textOf } from "../../look.ts";
import { respondProblem, verbatim, withBody, withHeader, withoutHeader, withStatus } from "../../shape.ts";
import { FILES, type File, fileAnswer, fileOf, text, variant } from "./hooks.ts";

const served = (file: File) => `contract/served#${variant(file)}`;
const etag = (file: File) => `contract/etag#${variant(file)}`;
const all = (change: NonNullable<Defect["answer"]>) => fileAnswer(FILES, change);
const coded = (change: (answer: ProxyAnswer) => ProxyAnswer) =>
  all((answer) => (header(answer, "Content-Encoding") ? change(answer) : answer));
const conditional = (change: (value: string) => string | null): Required<Pick<Defect, "request">> => ({
  request: (request) => {
    const value = fileOf(request) && header(request, "If-None-Match");
    const changed = value === null ? null : change(value);
    if (value === null || changed === value) return request;
    return changed === null ? withoutHeader(request, "If-None-Match") : withHeader(request, "If-None-Match", changed);
  },
});

export const publicationDefects: readonly Defect[] = [
  ...FILES.map((file) =>
    caught(
      `contract/no-${variant(file)}`,
      `Does not serve ${file}.`,
      [served(file), etag(file)],
      /200|ETag/,
      fileAnswer([file], () => respondProblem(404, "path-not-found")),
    ),
  ),
  ...FILES.map((file) =>
    caught(
      `contract/${variant(file)}-as-text`,
      `Sends ${file} as text/plain.`,
      [served(file)],
      /media type/,
      fileAnswer([file], (answer) => withHeader(answer, "Content-Type", "text/plain; charset=utf-8")),
    ),
  ),
  ...FILES.map((file) =>
    caught(
      `contract/empty-${variant(file)}`,
      `Sends an empty ${file}.`,
      [served(file)],
      /JSON text|OpenAPI/,
      fileAnswer([file], (answer) => withBody(answer, "")),
    ),
  ),
  ...FILES.map((file) =>
    caught(
      `contract/no-etag-of-${variant(file)}`,
      `Sends ${file} without an ETag.`,
      [etag(file), "contract/etag#head"],
      /ETag/,
      fileAnswer([file], (answer) => withoutHeader(answer, "ETag")),
    ),
  ),
  ...FILES.map((file) =>
    caught(
      `contract/page-for-${variant(file)}`,
      `Answers a browser with a page about ${file}.`,
      ["contract/served#whatever-accept"],
      /for a browser/,
      fileAnswer([file], (answer, request) =>
        header(request, "Accept")?.includes("html")
          ? withHeader(withBody(answer, "<!doctype html>"), "Content-Type", "text/html")
          : answer,
      ),
    ),
  ),
  ...FILES.map((file) =>
    caught(
      `contract/lost-reference-in-${variant(file)}`,
      `Has a reference in ${file} that leads nowhere.`,
      [`contract/served#${variant(file)}-references`],
      /leads somewhere/,
      text([file], (content) => content.replace(/#\/components\/schemas\/\w+/, "#/components/schemas/NoSuchSchema")),
    ),
  ),
  caught(
    "contract/needs-a-key",
    "Refuses the contract without a key.",
    FILES.map(served),
    /200/,
    all((answer, request) => (header(request, "X-API-KEY") ? answer : respondProblem(401, "credentials-missing"))),
  ),
  caught(
    "contract/json-as-yaml",
    "Sends JSON files as YAML.",
    ["contract/served#json", "contract/served#operations-json"],
    /JSON media type/,
    fileAnswer(["openapi.json", "openapi.operations.json"], (answer) =>
      withHeader(answer, "Content-Type", "application/yaml"),
    ),
  ),
  caught(
    "contract/json-cut-off",
    "Cuts the contract off.",
    ["contract/served#json", "contract/served#operations-json"],
    /JSON text/,
    all((answer) => withBody(answer, textOf(answer).slice(0, -20))),
  ),
  caught(
    "contract/of-another-service",
    "Serves the contract of another service.",
    FILES.map(served),
    /the contract of Atpoint/,
    all((answer) => withBody(answer, textOf(answer).replace(/(title"?: "?)Atpoint/, "$1Petstore"))),
  ),
  caught(
    "contract/swagger-2",
    "Serves a document of Swagger 2.0.",
    FILES.map(served),
    /OpenAPI document/,
    all((answer) => withBody(answer, textOf(answer).replace(/^(\s*"?)openapi("?: ")?3?/m, "$1swagger$2"))),
  ),
  caught(
    "contract/no-head",
    "Refuses HEAD for the contract.",
    [...FILES.map(served), "contract/etag#head"],
    /200|ETag/,
    all((answer, request) =>
      request.method === "HEAD" ? withoutHeader(respondProblem(405, "method-not-allowed"), "ETag") : answer,
    ),
  ),
  caught(
    "contract/says-gzip",
    "Says Content-Encoding without compressing.",
    ["contract/served#compressed"],
    /bytes in/,
    coded((answer) => ({ ...answer, body: Buffer.from(textOf(answer)) })),
  ),
  caught(
    "contract/compressed-cut-off",
    "Cuts the compressed contract off.",
    ["contract/served#compressed"],
    /bytes in/,
    coded((answer) => ({ ...answer, body: answer.body.subarray(0, -9) })),
  ),
  caught(
    "contract/stale-when-compressed",
    "Compresses an older contract.",
    ["contract/served#compressed"],
    /without a coding/,
    coded((answer) => withHeader(withBody(answer, gzipSync(`${textOf(answer)}\n`)), "Content-Encoding", "gzip")),
  ),
  caught(
    "contract/etag-of-the-moment",
    "Makes a new ETag for each answer.",
    FILES.map(etag),
    /the same ETag/,
    all((answer, _request, { random }) => withHeader(answer, "ETag", `"${random()}"`)),
  ),
  caught(
    "contract/etag-without-quotes",
    "Sends an ETag without quotes.",
    FILES.map(etag),
    /ETag such as/,
    all((answer) => withHeader(answer, "ETag", (header(answer, "ETag") ?? "").replaceAll('"', ""))),
  ),
  caught(
    "contract/if-none-match-ignored",
    "Ignores If-None-Match for the contract.",
    [...FILES.map(etag), "contract/etag#codings", "contract/etag#head"],
    /304/,
    conditional(() => null),
  ),
  caught(
    "contract/if-none-match-one-tag",
    "Knows no lists in If-None-Match.",
    FILES.map(etag),
    /304/,
    conditional((value) => (value.includes(",") ? null : value)),
  ),
  caught(
    "contract/unconditional-when-compressed",
    "Ignores If-None-Match for the compressed contract.",
    ["contract/etag#codings"],
    /304/,
    {
      request: (request) =>
        fileOf(request) && header(request, "Accept-Encoding") ? withoutHeader(request, "If-None-Match") : request,
    },
  ),
  caught("contract/unconditional-head", "Ignores If-None-Match on HEAD.", ["contract/etag#head"], /304/, {
    request: (request) =>
      fileOf(request) && request.method === "HEAD" ? withoutHeader(request, "If-None-Match") : request,
  }),
  caught(
    "contract/always-304",
    "Answers 304 to any If-None-Match.",
    FILES.map(etag),
    /200/,
    all((answer, request) =>
      header(request, "If-None-Match") ? { ...withStatus(answer, 304), body: Buffer.alloc(0) } : answer,
    ),
  ),
  caught(
    "contract/304-with-body",
    "Sends the contract behind a 304.",
    FILES.map(etag),
    /without a body/,
    all(async (answer, request, { forward }) =>
      answer.status === 304
        ? verbatim({ ...answer, body: (await forward(withoutHeader(request, "If-None-Match"))).body })
        : answer,
    ),
  ),
  caught(
    "contract/304-without-etag",
    "Sends 304 without the ETag.",
    FILES.map(etag),
    /ETag/,
    all((answer) => (answer.status === 304 ? withoutHeader(answer, "ETag") : answer)),
  ),
];
