import type { Defect, ProxyRequest } from "../../defect.ts";
import { namedIn } from "../../look.ts";
import { respondProblem, withHeader } from "../../shape.ts";
import { closed, dropHeader, dropQuery, inHeader, inQuery, sent } from "./words.ts";

const area = "credentials";
const names = ["X-API-KEY", "X-PLATFORM"] as const;
const onClosed = (request: ProxyRequest) => closed.some((id) => id === namedIn(request));
const conflict = () => respondProblem(400, "credential-conflict");
const each = (request: ProxyRequest, change: (request: ProxyRequest, name: (typeof names)[number]) => ProxyRequest) =>
  names.reduce((changed, name) => change(changed, name), request);

/** What an empty value is taken for. */
export const emptyDefects: readonly Defect[] = [
  {
    id: "credentials/empty-header-counts",
    area,
    description: "Takes an empty header for the credential and does not look into the query.",
    requirements: ["credentials/empty"],
    catches: ["credentials/empty"],
    reason: /200|422/,
    request: (request) =>
      each(request, (changed, name) => (inHeader(changed, name) === "" ? dropQuery(changed, name) : changed)),
  },
  {
    id: "credentials/empty-query-counts",
    area,
    description: "Takes an empty parameter for the credential and does not look at the header.",
    requirements: ["credentials/empty"],
    catches: ["credentials/empty"],
    reason: /200|422/,
    request: (request) =>
      each(request, (changed, name) => (inQuery(changed, name) === "" ? dropHeader(changed, name) : changed)),
  },
  {
    id: "credentials/empty-conflicts",
    area,
    description: "Finds a conflict between an empty value and another.",
    requirements: ["credentials/empty"],
    catches: ["credentials/empty"],
    reason: /200|422/,
    request: (request) => {
      const differ = names.some((name) => {
        const [one, other] = [inHeader(request, name), inQuery(request, name)];
        return one !== null && other !== null && one !== other;
      });
      return onClosed(request) && differ ? conflict() : request;
    },
  },
  {
    id: "credentials/empty-is-invalid",
    area,
    description: "Takes an empty key for an invalid one.",
    requirements: ["credentials/empty"],
    catches: ["credentials/empty"],
    reason: /401|credentials-missing/,
    request: (request) => {
      const isEmpty = (inHeader(request, "X-API-KEY") ?? inQuery(request, "X-API-KEY")) === "";
      const other = isEmpty && !sent(request, "X-API-KEY") && sent(request, "X-PLATFORM");
      return other ? withHeader(dropQuery(request, "X-API-KEY"), "X-API-KEY", "x") : request;
    },
  },
  {
    id: "credentials/blank-is-empty",
    area,
    description: "Takes blanks in the query for nothing.",
    requirements: ["credentials/empty"],
    catches: ["credentials/empty"],
    reason: /credentials-invalid|403/,
    request: (request) =>
      each(request, (changed, name) => (inQuery(changed, name)?.trim() === "" ? dropQuery(changed, name) : changed)),
  },
];
