import type { Api, LiteralRequest } from "../../client/api.ts";
import { fail } from "../../client/expect.ts";
import { every, type Known } from "../../client/operation.ts";
import { findEcho } from "../../client/redact/echo.ts";
import type { Secret } from "../../client/redact/redact.ts";
import type { Exchange } from "../../client/wire/exchange.ts";
import { type Check, check, checkAll } from "../check.ts";
import { callerOf, draftOf, faultsOf, written } from "../faults.ts";
import { nobodys } from "../probe.ts";
import { kinds } from "./calls.ts";

const JSON_TYPE = ["Content-Type", "application/json"] as const;

/** D11: `/api` redirects with its query byte for byte, whatever stands in it. Nothing else of that answer may show a key. */
function withoutKeptQuery(exchange: Exchange): Exchange {
  const { request, answer } = exchange;
  const sent = request.url.replace(/^https?:\/\/[^/]*/i, "");
  if (answer?.status !== 308 || !/\/api(\?.*)?$/s.test(sent)) return exchange;
  const query = sent.replace(/^[^?]*\??/s, "");
  const headers = answer.headers.map(([name, value]): [string, string] =>
    name.toLowerCase() === "location" && query !== "" ? [name, value.replace(`?${query}`, "")] : [name, value],
  );
  return { ...exchange, answer: { ...answer, headers } };
}

function expectHidden(exchange: Exchange, secrets: readonly Secret[]): void {
  const where = findEcho(withoutKeptQuery(exchange), secrets);
  if (where !== null) fail(where, "an answer without the key that was sent", `it stands in the ${where}`);
}

/** A key that nobody has, recognised wherever it comes back. */
const unknown = (api: Api): Secret => ({ name: "SENT_KEY", value: `${api.key.slice(0, 4)}conformance${api.runId}zq7` });

/** What is refused before an operation is known, or public, with a key in its header and its query. */
function requests(api: Api, key: string): readonly LiteralRequest[] {
  const query = `X-API-KEY=${encodeURIComponent(key)}`;
  const headers = kinds.map(({ header }) => [header, key] as const);
  const targets = [
    ...["/", "/api", "/api/", "/api/x", "/API/", "//api/", "/no-such-path", `/no-such-path/${key}`],
    ...["/openapi.json/", "/robots.txt", "/reference"],
  ].map((path) => `${path}?${query}`);
  const calls = [`@=${nobodys(api)}&${query}`, ...["", `&${query}`, "%ff"].map((more) => `@=sysinfo&${query}${more}`)];
  const posted = { method: "POST", target: `/api/?${query}`, headers: [...headers, JSON_TYPE] };
  return [
    ...[...targets, ...calls.flatMap((call) => [`/api/?${call}`, `/api?${call}`])].map((target) => ({
      ...{ method: "GET", target, headers },
    })),
    { method: "GET", target: `/?${query}`, headers: [...headers, ["Accept", "application/json"]] },
    ...["OPTIONS", "DELETE"].map((method) => ({ method, target: `/api/?@=sysinfo&${query}`, headers })),
    { ...posted, body: JSON.stringify({ "@": nobodys(api), "X-API-KEY": key, data: { [key]: key } }) },
  ];
}

/** An operation with a key that nobody has in headers, and behind the good one in the query; right or with any fault. Nothing is created. */
function* calls(api: Api, operation: Known, unknown: string): Generator<LiteralRequest> {
  const input = api.required(operation.id);
  const callers = [
    ["headers", unknown, api.platform],
    ["query", api.key, unknown],
  ] as const;
  for (const [place, key, platform] of callers) {
    const caller = { ...callerOf(api), key, platform };
    const draft = draftOf(operation, caller, input, place, { [key]: unknown, "X-API-KEY": key });
    yield written(draft);
    for (const { add } of place === "headers" ? faultsOf(operation) : []) {
      const sent = add(draft, operation, caller);
      if (sent) yield written(sent);
    }
  }
}

/** D20: a key goes in and never comes out. */
export const neverShown: readonly Check[] = [
  checkAll("credentials/never-shown#every-answer", expectHidden),
  check("credentials/never-shown#refused", {}, async (api) => {
    const secret = unknown(api);
    for (const request of requests(api, secret.value)) await api.request(request);
    for (const exchange of api.exchanges) expectHidden(exchange, [secret]);
  }),
  ...every.map((operation) =>
    check(`credentials/never-shown#${operation.id}`, {}, async (api) => {
      const secret = unknown(api);
      for (const request of calls(api, operation, secret.value)) await api.request(request);
      const sent = [secret, { name: "API_KEY", value: api.key }];
      for (const exchange of api.exchanges) expectHidden(exchange, sent);
    }),
  ),
];
