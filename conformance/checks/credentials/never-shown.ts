import type { Api, LiteralRequest } from "../../client/api.ts";
import { fail } from "../../client/expect.ts";
import { every, type Known, nameOf } from "../../client/operation.ts";
import { findEcho } from "../../client/redact/echo.ts";
import type { Secret } from "../../client/redact/redact.ts";
import type { Exchange } from "../../client/wire/exchange.ts";
import { type Check, check, checkAll } from "../check.ts";
import { effectOf, nobodys } from "../probe.ts";
import { kinds } from "./calls.ts";

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

/** All of this is refused, or public, with a key in its header and its query. */
function requests(api: Api, key: string): readonly LiteralRequest[] {
  const query = `X-API-KEY=${encodeURIComponent(key)}`;
  const headers = kinds.map(({ header }) => [header, key] as const);
  const posted = (body: string, type = "application/json"): LiteralRequest => ({
    ...{ method: "POST", target: `/api/?${query}`, body },
    headers: [...headers, ["Content-Type", type]],
  });
  const targets = [
    ...["/", "/api", "/api/", "/api/x", "/API/", "//api/", "/no-such-path", `/no-such-path/${key}`],
    ...["/openapi.json/", "/robots.txt", "/reference"],
  ].map((path) => `${path}?${query}`);
  const named = [nobodys(api), ...every.map((operation) => nameOf(operation))];
  return [
    ...[...targets, `/api?@=sysinfo&${query}`].map((target) => ({ method: "GET", target, headers })),
    { method: "GET", target: `/?${query}`, headers: [...headers, ["Accept", "application/json"]] },
    ...named.map((name) => ({ method: "GET", target: `/api/?@=${name}&${query}`, headers })),
    ...["&unknown=1", `&${query}`, "%zz", "%ff"].map((behind) => ({
      ...{ method: "GET", headers },
      target: `/api/?@=sysinfo&${query}${behind}`,
    })),
    ...["OPTIONS", "DELETE", "PUT"].map((method) => ({ method, target: `/api/?@=sysinfo&${query}`, headers })),
    ...["{", "{}", JSON.stringify({ "@": nobodys(api), "X-API-KEY": key, data: { [key]: key } })].map((body) =>
      posted(body),
    ),
    posted(`X-API-KEY=${key}`, "application/x-www-form-urlencoded"),
  ];
}

/** An operation with an unknown key and with the good one, refused for this fault or that, or answered; nothing is created. */
async function callAll(api: Api, operation: Known, unknownKey: string): Promise<void> {
  const { key, platform } = api;
  const { id, method } = operation;
  const body = { "@": nameOf(operation), data: { [key]: unknownKey }, "X-API-KEY": key };
  const right = method === "POST" ? { body } : { input: api.example(id) };
  for (const credentials of [
    { key: { header: unknownKey }, platform: { header: platform } },
    { key: { query: unknownKey }, platform: { query: unknownKey } },
    { key: { header: key, query: unknownKey } },
    { key: { header: key }, platform: { header: unknownKey } },
    { key: { header: key, query: "another" }, platform: { header: key } },
    { key: { header: key }, platform: { query: key } },
  ])
    await api.call(id, { credentials, ...right });
  for (const credentials of ["good", "query"] as const)
    for (const fault of [{}, { accept: "image/png" }, { query: [["unknown", key]] as const }, { method: "DELETE" }])
      await api.call(id, { credentials, ...right, ...fault });
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
    check(`credentials/never-shown#${operation.id}`, { effect: effectOf(operation) }, async (api) => {
      const secret = unknown(api);
      await callAll(api, operation, secret.value);
      const sent = [secret, { name: "API_KEY", value: api.key }];
      for (const exchange of api.exchanges) expectHidden(exchange, sent);
    }),
  ),
];
