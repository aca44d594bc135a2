import { answersItself, changesAnswer, type Mutant, OUTCOME } from "../mutant.ts";
import { dropsHeader, setsHeader } from "../operators.ts";
import { header, operationOf, pathOf } from "../proxy/look.ts";
import type { ProxyRequest } from "../proxy/message.ts";
import { respondProblem, withAddedHeader, withHeader, withJson, withStatus } from "../proxy/shape.ts";
import { selector } from "../selectors.ts";

/** What pages of other origins, and callers behind proxies, are answered. */

const from = (request: ProxyRequest | null, field: string) => (request && header(request, field)) ?? "";
const asks = (request: ProxyRequest) =>
  request.method === "OPTIONS" && from(request, "Access-Control-Request-Method") !== "";

const believes = (field: string, path: string) =>
  changesAnswer(
    selector(path, (_answer, request) => pathOf(request).endsWith(path) && from(request, field) !== ""),
    {
      name: `believes ${field}`,
      breaks: ["body:/clientAddress"],
      change: (answer, request) =>
        withJson(answer, (json) => ("clientAddress" in json ? { ...json, clientAddress: from(request, field) } : json)),
    },
  );

export const mutants: readonly Mutant[] = [
  changesAnswer(
    selector("an answer to a page", (_answer, request) => from(request, "Origin") !== ""),
    {
      name: "allows any origin by its name",
      breaks: ["header:access-control-allow-origin"],
      change: (answer, request) =>
        withAddedHeader(withHeader(answer, "Access-Control-Allow-Origin", from(request, "Origin")), "Vary", "Origin"),
    },
  ),
  changesAnswer(
    selector("a preflight of another path", (_answer, request) => asks(request) && !pathOf(request).includes("/api")),
    dropsHeader("Access-Control-Allow-Headers"),
  ),
  changesAnswer(
    selector("a preflight of nothing", ({ status }, request) => asks(request) && status === 404),
    {
      name: "is answered",
      breaks: ["status"],
      change: (answer) => ({ ...withStatus(answer, 204), body: Buffer.alloc(0) }),
    },
  ),
  answersItself("refuses calls from other sites", OUTCOME, (request) =>
    operationOf(request) && from(request, "Sec-Fetch-Site") === "cross-site"
      ? respondProblem(403, "platform-not-allowed")
      : null,
  ),
  changesAnswer(
    selector("a 201", ({ status }) => status === 201),
    setsHeader("X-Request-Id", "of-our-own"),
  ),
  ...["X-Forwarded-For", "Forwarded-For", "X-Cluster-Client-IP"].flatMap((field) =>
    ["/", "/api/"].map((path) => believes(field, path)),
  ),
];
