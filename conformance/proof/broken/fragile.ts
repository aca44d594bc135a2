import { broken, type Mutant } from "../mutant.ts";
import { values } from "../proxy/head.ts";
import { isObject, jsonBody, namedIn } from "../proxy/look.ts";
import type { ProxyRequest } from "../proxy/message.ts";
import { refusal } from "../proxy/shape.ts";

/** Broken permanently by a request, until the server restarts. */

const STRAWS: Readonly<Record<string, (request: ProxyRequest) => boolean>> = {
  "deep JSON": ({ body }) => /(?:\[|\{"[^"]*":){1000}/.test(body.toString("latin1", 0, 10_000)),
  "null for data": (request) => jsonBody(request)?.data === null,
  "an object for a text": (request) => Object.values(Object(jsonBody(request)?.data)).some(isObject),
  "a name that objects have": (request) => (namedIn(request) ?? "none") in {},
  "a NUL in the query": ({ target }) => target.includes("%00"),
  "many parameters": ({ target }) => target.split("&").length > 500,
  "a long field": ({ headers }) => headers.some(([, value]) => value.length > 4000),
  "two hosts": ({ headers }) => values(headers, "Host").length > 1,
};

export const mutants: readonly Mutant[] = Object.entries(STRAWS).map(([name, holds]) =>
  broken(`never comes back from ${name}`, {
    request: (request, { state }) => {
      if (holds(request)) state.set("dead", true);
      return state.has("dead") ? refusal("shutting-down") : request;
    },
  }),
);
