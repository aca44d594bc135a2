import { caught } from "../caught.ts";
import type { Defect } from "../defect.ts";
import { header, isObject, operationOf } from "../look.ts";
import { withBody, withHeader, withJson, withoutHeader, withStatus } from "../shape.ts";
import { answerOf, answersWith } from "../when.ts";

const area = "test.health";

const defect = (
  id: string,
  description: string,
  catches: readonly string[],
  reason: RegExp,
  answer: NonNullable<Defect["answer"]>,
) =>
  caught(`test.health/${id}`, description, catches, reason, {
    answer: answerOf("test.health", answersWith(200, answer)),
  });

const get = ["test.health/document#get"];
const conditional = ["test.health/fresh#conditional"];
const noStore = ["test.health/fresh#no-store"];

export const testHealthDefects: readonly Defect[] = [
  defect("status-ok", "Says ok in place of pass.", get, /status|documented/, (answer) =>
    withJson(answer, (json) => ({ ...json, status: "ok" })),
  ),
  defect("fail-with-200", "Says fail with status 200.", get, /pass/, (answer) =>
    withJson(answer, (json) => ({ ...json, status: "fail" })),
  ),
  defect("pass-though-failed", "Says pass though a check failed.", get, /pass/, (answer) =>
    withJson(answer, (json) => ({ ...json, checks: isObject(json.checks) ? { storage: "fail" } : {} })),
  ),
  defect("no-checks", "Leaves the checks out.", get, /documented/, (answer) =>
    withJson(answer, ({ checks: _, ...json }) => json),
  ),
  defect("driver-text", "Adds what the driver said.", get, /documented/, (answer) =>
    withJson(answer, (json) => ({ ...json, output: "SQLITE_OK" })),
  ),
  defect("head-unavailable", "Answers HEAD with 503.", ["test.health/document#head"], /200/, (answer, request) =>
    request.method === "HEAD" ? withStatus(answer, 503) : answer,
  ),
  defect(
    "always-unavailable",
    "Answers 503 with the document of a success.",
    ["test.health/document"],
    /200/,
    (answer) => withStatus(answer, 503),
  ),
  defect("other-version", "Has a version of its own.", ["test.health/version"], /version/, (answer) =>
    withJson(answer, (json) => ({ ...json, version: "3.0.2" })),
  ),
  {
    id: "test.health/sysinfo-other-version",
    area,
    description: "sysinfo and test.health do not report the same version.",
    requirements: ["test.health/version"],
    catches: ["test.health/version"],
    reason: /version/,
    answer: answerOf("sysinfo", (answer) => withJson(answer, (json) => ({ ...json, version: "3.1.0" }))),
  },
  defect("not-modified", "Answers a conditional request with 304.", conditional, /200/, (answer, request) =>
    header(request, "If-None-Match") === null ? answer : withBody(withStatus(answer, 304), ""),
  ),
  defect("not-modified-since", "Answers If-Modified-Since with 304.", conditional, /200/, (answer, request) =>
    header(request, "If-Modified-Since") === null ? answer : withBody(withStatus(answer, 304), ""),
  ),
  defect("etag", "Has an ETag and answers 304 to it.", conditional, /200/, (answer, request) =>
    header(request, "If-None-Match") === '"health"'
      ? withBody(withStatus(answer, 304), "")
      : withHeader(answer, "ETag", '"health"'),
  ),
  defect("cached", "May be kept for a minute.", noStore, /no-store/, (answer) =>
    withHeader(answer, "Cache-Control", "public, max-age=60"),
  ),
  defect("no-cache-control", "Does not say that it must not be kept.", noStore, /no-store/, (answer) =>
    withoutHeader(answer, "Cache-Control"),
  ),
  {
    id: "test.health/head-cached",
    area,
    description: "Says only on GET that it must not be kept.",
    requirements: ["test.health/fresh"],
    catches: noStore,
    reason: /no-store/,
    answer: (answer, request) =>
      request.method === "HEAD" && operationOf(request) === "test.health"
        ? withoutHeader(answer, "Cache-Control")
        : answer,
  },
];
