import type { Defect, ProxyRequest } from "../../defect.ts";
import { namedIn } from "../../look.ts";
import { respondProblem, withHeader, withQuery } from "../../shape.ts";
import { closed, dropHeader, dropQuery, inHeader, inQuery, ofEach } from "./words.ts";

const area = "credentials";
const names = ["X-API-KEY", "X-PLATFORM"] as const;
type Name = (typeof names)[number];

const twice = (request: ProxyRequest, name: Name) => Boolean(inHeader(request, name) && inQuery(request, name));
const onClosed = (request: ProxyRequest) => closed.some((id) => id === namedIn(request));
const conflict = () => respondProblem(400, "credential-conflict");
const each = (request: ProxyRequest, change: (request: ProxyRequest, name: Name) => ProxyRequest) =>
  names.reduce((changed, name) => change(changed, name), request);

/** Takes a parameter for the key, or for the platform, under a name that it does not have. */
const takenFor = (suffix: string, description: string, misspelled: (name: string, right: Name) => boolean): Defect => ({
  id: `credentials/query-name-${suffix}`,
  area,
  description,
  requirements: ["credentials/query-case"],
  catches: ["credentials/query-case"],
  reason: /401/,
  request: (request) =>
    each(request, (changed, right) =>
      withQuery(changed, (query) => {
        for (const [name, value] of [...query]) {
          if (name === right || query.has(right) || !misspelled(name, right)) continue;
          query.delete(name);
          query.set(right, value);
        }
      }),
    ),
});

export const credentialPlaceDefects: readonly Defect[] = [
  {
    id: "credentials/same-twice-refused",
    area,
    description: "Takes a credential in two places for a conflict, equal or not.",
    requirements: ["credentials/same-twice"],
    catches: ["credentials/same-twice"],
    reason: /200|422/,
    request: (request) => (onClosed(request) && names.some((name) => twice(request, name)) ? conflict() : request),
  },
  {
    id: "credentials/same-platform-twice-refused",
    area,
    description: "Takes a platform in two places for a conflict, equal or not.",
    requirements: ["credentials/same-twice"],
    catches: ["credentials/same-twice"],
    reason: /200|422/,
    request: (request) => (onClosed(request) && twice(request, "X-PLATFORM") ? conflict() : request),
  },
  {
    id: "credentials/compared-undecoded",
    area,
    description: "Compares the header with what stands in the query, escapes and all.",
    requirements: ["credentials/same-twice"],
    catches: ["credentials/same-twice"],
    reason: /percent-encoded/,
    request: (request) => (onClosed(request) && /X-API-KEY=%/.test(request.target) ? conflict() : request),
  },
  {
    id: "credentials/header-wins",
    area,
    description: "Takes the header when header and query differ.",
    requirements: ["credentials/conflict"],
    catches: ["credentials/conflict"],
    reason: /400/,
    request: (request) => each(request, (changed, name) => (twice(changed, name) ? dropQuery(changed, name) : changed)),
  },
  {
    id: "credentials/query-wins",
    area,
    description: "Takes the query when header and query differ.",
    requirements: ["credentials/conflict"],
    catches: ["credentials/conflict"],
    reason: /400/,
    request: (request) =>
      each(request, (changed, name) => (twice(changed, name) ? dropHeader(changed, name) : changed)),
  },
  ...names.map(
    (name): Defect => ({
      id: `credentials/conflict-not-judged-${name}`,
      area,
      description: `Judges no conflict of ${name}.`,
      requirements: ["credentials/conflict"],
      catches: ["credentials/conflict"],
      reason: /400/,
      request: (request) => (twice(request, name) ? dropQuery(request, name) : request),
    }),
  ),
  {
    id: "credentials/conflict-near",
    area,
    description: "Ignores letter case and blanks when it compares header and query.",
    requirements: ["credentials/conflict"],
    catches: ofEach("credentials/conflict#"),
    reason: /400/,
    request: (request) =>
      each(request, (changed, name) => {
        const alike = inHeader(changed, name)?.toLowerCase() === inQuery(changed, name)?.trim().toLowerCase();
        return alike ? dropQuery(changed, name) : changed;
      }),
  },
  {
    id: "credentials/conflict-is-401",
    area,
    description: "Takes a conflict for an invalid key.",
    requirements: ["credentials/conflict"],
    catches: ["credentials/conflict"],
    reason: /400/,
    request: (request) => {
      const differs = inHeader(request, "X-API-KEY") !== inQuery(request, "X-API-KEY");
      if (!twice(request, "X-API-KEY") || !differs) return request;
      return withHeader(dropQuery(request, "X-API-KEY"), "X-API-KEY", "neither");
    },
  },
  {
    id: "credentials/header-name-as-documented",
    area,
    description: "Takes the headers only as the contract spells them.",
    requirements: ["credentials/header-case"],
    catches: ["credentials/header-case"],
    reason: /200|422/,
    request: (request) => {
      const strange = (name: string) => names.some((right) => name !== right && name.toUpperCase() === right);
      const kept = request.headers.filter(([name]) => !strange(name));
      return kept.length === request.headers.length ? request : { ...request, headers: kept };
    },
  },
  {
    id: "credentials/header-name-lower-case",
    area,
    description: "Takes the headers only in lower case or in capitals.",
    requirements: ["credentials/header-case"],
    catches: ["credentials/header-case"],
    reason: /200|422/,
    request: (request) => {
      const mixed = /^(?=.*[a-z])(?=.*[A-Z])x-(api-key|platform)$/i;
      const strange = (name: string) => mixed.test(name) && name !== name.toLowerCase() && name !== name.toUpperCase();
      const kept = request.headers.filter(([name]) => !strange(name));
      return kept.length === request.headers.length ? request : { ...request, headers: kept };
    },
  },
  takenFor("any-case", "Takes the parameters in any letter case.", (name, right) => name.toUpperCase() === right),
  takenFor(
    "underscores",
    "Takes the parameters with underscores.",
    (name, right) => name === right.replaceAll("-", "_"),
  ),
  takenFor("list", "Takes the parameters as lists.", (name, right) => name === `${right}[]`),
  takenFor("trimmed", "Takes the parameters with blanks around their names.", (name, right) => name.trim() === right),
  takenFor("short", "Takes the parameters under shorter names.", (name, right) =>
    right === "X-API-KEY" ? /^api_?key$/.test(name) : name === "platform",
  ),
  {
    id: "credentials/query-name-overlooked",
    area,
    description: "Overlooks a misspelled credential in the query.",
    requirements: ["credentials/query-case"],
    catches: ["credentials/query-case"],
    reason: /422/,
    request: (request) =>
      withQuery(request, (query) => {
        for (const name of [...query.keys()])
          if (/^x-/i.test(name) && !names.some((right) => right === name)) query.delete(name);
      }),
  },
];
