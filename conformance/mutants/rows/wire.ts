import { isUtf8 } from "node:buffer";
import { refusal } from "../derived/limits.ts";
import { answersItself, type Mutant, OUTCOME, takesFor } from "../mutant.ts";
import { header, isObject, jsonBody, namedIn, pathOf, queryOf } from "../proxy/look.ts";
import type { Context, ProxyRequest } from "../proxy/message.ts";
import { withAddedHeader } from "../proxy/shape.ts";
import { oneField, PLATFORM, sent } from "../requests.ts";

/** What looks like a request and is not to be served, and what breaks a server. */

const KNOWN = new Set(["GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT"]);
const strange = ({ method }: ProxyRequest) => !KNOWN.has(method);
const scheme = /^(?!https?:)[a-z]+:\/\/[^/?]*/;

/** Well-formed to look at, and not to be served. */
const odd: readonly Mutant[] = [
  takesFor("takes methods in any letter case", (request) =>
    strange(request) && KNOWN.has(request.method.toUpperCase())
      ? { ...request, method: request.method.toUpperCase() }
      : request,
  ),
  takesFor("takes an unknown method for GET", (request) =>
    strange(request) ? { ...request, method: "GET" } : request,
  ),
  ...[405, 501].map((status) =>
    answersItself(`says ${status} of an unknown method`, OUTCOME, (request) =>
      strange(request) ? { ...refusal("method-not-allowed"), status } : null,
    ),
  ),
  ...Object.entries({ "a path": "", "an unknown path": "/unknown" }).map(([what, before]) =>
    takesFor(`takes an address of another scheme for ${what}`, (request) =>
      scheme.test(request.target) ? { ...request, target: request.target.replace(scheme, before) } : request,
    ),
  ),
  answersItself("breaks at a target that is no URL", OUTCOME, ({ target }) =>
    target.startsWith("/") || URL.canParse(target) ? null : refusal("internal-error"),
  ),
  takesFor("takes the host of the target for Host", (request, { target }) =>
    /^https?:/i.test(request.target) && header(request, "Host") === null
      ? withAddedHeader(request, "Host", target.host)
      : request,
  ),
  takesFor("takes the last of several Hosts", (request) => oneField(request, "Host", -1)),
  takesFor("loses the query of an address", (request) =>
    /^https?:.*\?/i.test(request.target) ? { ...request, target: pathOf(request) } : request,
  ),
  answersItself("finds nothing at an address without a path", OUTCOME, ({ target }) =>
    /^https?:\/\/[^/]*$/i.test(target) ? refusal("path-not-found") : null,
  ),
];

const text = ({ body }: ProxyRequest) => body.toString("latin1");

/** What a server may break at. */
const straws: Readonly<Record<string, (request: ProxyRequest) => boolean>> = {
  "deep JSON": (request) => /(?:\[|\{"[^"]*":){1000}/.test(text(request).slice(0, 10_000)),
  "JSON that is no object": (request) => request.body.length > 0 && jsonBody(request) === null && isJson(text(request)),
  "half a character": (request) => /\\ud[89ab]/i.test(text(request)),
  "a platform that every object has": (request) => sent(request, PLATFORM) in {},
  "a NUL in the query": ({ target }) => target.includes("%00"),
  "a cursor that is JSON": (request) =>
    /^(null|\[\]|\{)/.test(Buffer.from(queryOf(request).get("cursor") ?? "", "base64").toString()),
  "null for data": (request) => jsonBody(request)?.data === null,
  "an object for a text": (request) => Object.values(Object(jsonBody(request)?.data)).some(isObject),
  "an object for a name": (request) => isObject(jsonBody(request)?.["@"]),
  "an odd weight": (request) => /;\s*q=(?![01]\b)/.test(header(request, "Accept") ?? ""),
  "an odd charset": (request) => /charset="?$/.test(header(request, "Content-Type") ?? ""),
  "an odd ETag": (request) => header(request, "If-None-Match") === '"',
  "bytes that are no UTF-8": ({ body }) => !isUtf8(body),
  "a NUL": ({ body }) => body.includes(0),
  "a name that objects have": (request) => (namedIn(request) ?? "") in {} && namedIn(request) !== null,
  "a name that is repeated": (request) => queryOf(request).getAll("@").length > 1,
  "a quote in the query": (request) => [...queryOf(request).values()].some((value) => value.includes("'")),
  "a key that is no ASCII": (request) => /[\x80-\xff]/.test(header(request, "X-API-KEY") ?? ""),
  "an upgrade": (request) => header(request, "Upgrade") !== null,
  "small chunks": ({ rawBytes, body }) => body.length > 1000 && rawBytes.length > body.length * 3,
  ...Object.fromEntries(
    ["Range", "If-None-Match", "Accept", "Cookie", "Origin", "X-Forwarded-For"].map((name) => [
      `a long ${name}`,
      (request: ProxyRequest) => (header(request, name)?.length ?? 0) > 4000,
    ]),
  ),
};

function isJson(body: string): boolean {
  try {
    return JSON.parse(body) !== undefined;
  } catch {
    return false;
  }
}

/** Broken for good by a request, until the server is started again. */
const forGood = (name: string, holds: (request: ProxyRequest) => boolean): Mutant => ({
  id: `never comes back from ${name}`,
  breaks: ["status"],
  hooks: {
    request: (request, { state }: Context) => {
      if (holds(request)) state.set("dead", true);
      return state.has("dead") ? refusal("shutting-down") : request;
    },
  },
  touches: ({ request }) => request !== null && holds(request),
});

const fragile = Object.entries(straws).flatMap(([name, holds]) => [
  answersItself(`breaks at ${name}`, ["status"], (request) => (holds(request) ? refusal("internal-error") : null)),
  forGood(name, holds),
]);

export const mutants: readonly Mutant[] = [...odd, ...fragile];
