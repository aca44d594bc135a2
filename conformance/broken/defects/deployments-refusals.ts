import { caught } from "../caught.ts";
import type { Defect } from "../defect.ts";
import { problemCode } from "../look.ts";
import { respondProblem, withHeader, withJson, withStatus } from "../shape.ts";

const same = (...variants: readonly string[]) => variants.map((variant) => `deployments/same#${variant}`);

/** A refusal, and the probe that meets it. */
const PROBES = {
  "method-not-allowed": ["unknown-method", "wrong-method-of-a-page"],
  "parameter-repeated": ["repeated-parameter"],
  "malformed-query": ["malformed-query"],
  "operation-ambiguous": ["ambiguous-operation"],
  "credential-conflict": ["credential-conflict"],
  "invalid-input": ["unknown-member", "invalid-members"],
} as const;

/** Right on its own: only beside the other deployment it shows. */
export const deploymentRefusalDefects: readonly Defect[] = [
  ...Object.entries(PROBES).map(([code, probes]) =>
    caught(`deployments/another-${code}`, `Explains ${code} otherwise.`, same(...probes), /#\/detail/, {
      answer: (answer) =>
        problemCode(answer) === code ? withJson(answer, (json) => ({ ...json, detail: "Not like this." })) : answer,
    }),
  ),
  caught(
    "deployments/another-304",
    "Sends other headers with 304.",
    same("document-not-modified", "contract-not-modified"),
    /header\/cache-control/,
    {
      answer: (answer) => (answer.status === 304 ? withHeader(answer, "Cache-Control", "public, max-age=60") : answer),
    },
  ),
  caught(
    "deployments/posts-redirected-elsewhere",
    "Redirects a POST by the whole path.",
    same("redirect-of-post"),
    /location/,
    {
      answer: (answer, { method }) =>
        answer.status === 308 && method === "POST" ? withHeader(answer, "Location", "./api/") : answer,
    },
  ),
  caught("deployments/no-head", "Refuses HEAD.", same("sysinfo-head", "docs.get-head", "user.list-head"), /status/, {
    answer: (answer, request) => (request.method === "HEAD" ? respondProblem(405, "method-not-allowed") : answer),
  }),
  caught("deployments/another-redirect", "Redirects /api for now only.", same("redirect"), /status/, {
    answer: (answer) => (answer.status === 308 ? withStatus(answer, 307) : answer),
  }),
];
