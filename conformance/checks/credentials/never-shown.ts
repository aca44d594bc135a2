import { type OperationId, operations } from "../../../generated/operations.ts";
import type { Api, LiteralRequest } from "../../client/api.ts";
import { fail } from "../../client/expect.ts";
import { nameOf } from "../../client/operation.ts";
import { findEcho } from "../../client/redact/echo.ts";
import type { Secret } from "../../client/redact/redact.ts";
import type { Exchange } from "../../client/wire/exchange.ts";
import { check, checkAll } from "../check.ts";
import { closed, effectOf, open } from "./probe.ts";

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
  if (where !== null) fail("connection", "an answer without the key that was sent", `it stands in ${where}`);
}

/** A key that nobody has, recognised wherever it comes back. */
const unknown = (api: Api): Secret => ({ name: "SENT_KEY", value: `${api.key.slice(0, 4)}conformance${api.runId}zq7` });

/** All of this is refused, or public, with a key in its header and its query. */
function requests(key: string, query: string): readonly LiteralRequest[] {
  const headers = [
    ["X-API-KEY", key],
    ["X-PLATFORM", key],
  ] as const;
  const get = (target: string, method = "GET"): LiteralRequest => ({ method, target, headers });
  const post = (body: string, type: string): LiteralRequest => ({
    method: "POST",
    target: `/api/?${query}`,
    headers: [...headers, ["Content-Type", type]],
    body,
  });
  return [
    get(`/?${query}`),
    { method: "GET", target: `/?${query}`, headers: [...headers, ["Accept", "application/json"]] },
    get(`/api?${query}`),
    get(`/api?@=sysinfo&${query}`),
    get(`/api/?${query}`),
    get(`/api/?@=no.such.operation&${query}`),
    get(`/api/?@=user.create&${query}`),
    get(`/api/?@=sysinfo&unknown=1&${query}`),
    get(`/api/?@=sysinfo&${query}&${query}`),
    get(`/api/?@=sysinfo&${query}%zz`),
    get(`/api/?@=sysinfo&${query}%ff`),
    get(`/api/?@=user.list&${query}`, "OPTIONS"),
    get(`/api/?@=user.list&${query}`, "DELETE"),
    get(`/api/?@=user.list&${query}`, "PUT"),
    get(`/api/x?${query}`),
    get(`/API/?${query}`),
    get(`//api/?${query}`),
    get(`/no-such-path?${query}`),
    get(`/no-such-path/${key}`),
    get(`/openapi.json/?${query}`),
    get(`/robots.txt?${query}`),
    get(`/reference?${query}`),
    post("{", "application/json"),
    post("{}", "application/json"),
    post(JSON.stringify({ "@": "user.create", "X-API-KEY": key, data: { [key]: key } }), "application/json"),
    post(`X-API-KEY=${key}`, "application/x-www-form-urlencoded"),
  ];
}

/** Calls that need the good key, and are refused for another fault, or answered. */
async function callsWithGoodKey(api: Api, id: OperationId): Promise<void> {
  const input = api.example(id);
  const data = { "@": nameOf(operations[id]), data: { [api.key]: api.key }, "X-API-KEY": api.key };
  const body = operations[id].method === "POST" ? { body: data } : {};
  for (const credentials of ["good", "query"] as const) {
    await api.call(id, { credentials, input, ...body });
    await api.call(id, { credentials, input, ...body, accept: "image/png" });
    await api.call(id, { credentials, input, ...body, query: [["unknown", api.key]] });
    await api.call(id, { credentials, input, ...body, method: "DELETE" });
  }
  await api.call(id, {
    credentials: { key: { header: api.key, query: "another" }, platform: { header: api.key } },
    ...body,
    input,
  });
  await api.call(id, { credentials: { key: { header: api.key }, platform: { query: api.key } }, input, ...body });
}

/** D20: a key goes in and never comes out. */
export const neverShown = [
  checkAll("credentials/never-shown#every-answer", expectHidden),
  check("credentials/never-shown#refused", {}, async (api) => {
    const secret = unknown(api);
    const encoded = `X-API-KEY=${encodeURIComponent(secret.value)}`;
    for (const request of requests(secret.value, encoded)) await api.request(request);
    for (const exchange of api.exchanges) expectHidden(exchange, [secret]);
  }),
  ...[...closed, ...open].map((id) =>
    check(`credentials/never-shown#${id}`, { effect: effectOf(id) }, async (api) => {
      const secret = unknown(api);
      const { value } = secret;
      // Nothing is created: what a POST sends here is no valid input.
      const input = operations[id].method === "POST" ? { [value]: value } : api.example(id);
      await api.call(id, { credentials: { key: { header: value }, platform: { header: api.platform } }, input });
      await api.call(id, { credentials: { key: { query: value }, platform: { query: value } }, input });
      await api.call(id, { credentials: { key: { header: api.key, query: value } }, input });
      await api.call(id, { credentials: { key: { header: api.key }, platform: { header: value } }, input });
      await callsWithGoodKey(api, id);
      const sent = [secret, { name: "API_KEY", value: api.key }];
      for (const exchange of api.exchanges) expectHidden(exchange, sent);
    }),
  ),
];
