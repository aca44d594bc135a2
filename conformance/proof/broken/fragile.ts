import { type WildMutant, wild } from "../mutant.ts";
import { values } from "../proxy/head.ts";
import { isObject, jsonBody, namedIn } from "../proxy/look.ts";
import type { ProxyRequest } from "../proxy/message.ts";
import { refusal } from "../proxy/shape.ts";

/** Broken permanently by a request, until the server restarts. */

const STRAWS: Readonly<Record<string, readonly [of: string, holds: (request: ProxyRequest) => boolean]>> = {
  "deep JSON": ["http/nesting", ({ body }) => /(?:\[|\{"[^"]*":){1000}/.test(body.toString("latin1", 0, 10_000))],
  "null for data": ["input/wrong-type", (request) => jsonBody(request)?.data === null],
  "an object for a text": [
    "input/wrong-type",
    (request) => Object.values(Object(jsonBody(request)?.data)).some(isObject),
  ],
  "a name that objects have": ["dispatch/prototype-names", (request) => (namedIn(request) ?? "none") in {}],
  "a NUL in the query": ["dispatch/case-sensitive", ({ target }) => target.includes("%00")],
  "many parameters": ["http/url-limit", ({ target }) => target.split("&").length > 500],
  "a long field": ["http/header-limit", ({ headers }) => headers.some(([, value]) => value.length > 4000)],
  "two hosts": ["http/malformed-request", ({ headers }) => values(headers, "Host").length > 1],
};

export const mutants: readonly WildMutant[] = Object.entries(STRAWS).map(([name, [of, holds]]) =>
  wild(`never comes back from ${name}`, [of], ["status"], {
    request: (request, { state }) => {
      if (holds(request)) state.set("dead", true);
      return state.has("dead") ? refusal("shutting-down") : request;
    },
  }),
);
