import { type OperationId, operations } from "../../../generated/operations.ts";
import type { Api } from "../../client/api.ts";
import type { CallOptions } from "../../client/call.ts";
import { expectProblem } from "../../client/expect.ts";
import { nameOf } from "../../client/operation.ts";
import type { RawRequest } from "../../client/wire/raw-request.ts";
import { check } from "../check.ts";
import { answered, inCase } from "../probe.ts";
import { expectUnchanged, stateOf } from "../state.ts";
import { type Case, closed, effectOf, expectAllRefused, expectLetIn, sent } from "./probe.ts";
import { queryWith } from "./raw-call.ts";

const escapedFirst = (text: string) => `%${text.charCodeAt(0).toString(16)}${text.slice(1)}`;
const unicodeFirst = (text: string) => `\\u00${text.charCodeAt(0).toString(16)}${text.slice(1)}`;

/** The same operation, where something that stands before it and reads less well than it may see another. */
function queries(api: Api, id: OperationId): readonly (readonly [what: string, options: CallOptions])[] {
  const usual = queryWith(api, id);
  const behind = usual.replace(/^@=/, "");
  return [
    ["as %40", `%40=${behind}`],
    ["behind the platform", `X-PLATFORM=${encodeURIComponent(api.platform)}&${usual}`],
    ["behind an unknown parameter", `x=1&${usual}`],
    ["behind nothing", `&${usual}`],
    ["its first letter escaped", `@=${escapedFirst(behind)}`],
    ["its dot escaped", `@=${behind.replace(".", "%2E")}`],
    ["before an escaped platform", `${usual}&%58-PLATFORM=${encodeURIComponent(api.platform)}`],
  ].map(([what = "", rawQuery = ""]) => [what, { rawQuery }]);
}

function bodies(api: Api, id: OperationId): readonly (readonly [what: string, options: CallOptions])[] {
  const name = JSON.stringify(nameOf(operations[id]));
  const data = JSON.stringify(api.example(id));
  const at = (text: string) => `"@":${text}`;
  return [
    ["behind its data", `{"data":${data},${at(name)}}`],
    ["behind white space", `\r\n\t {${at(name)} , "data" :${data}}\n`],
    ["its @ escaped", `{"\\u0040":${name},"data":${data}}`],
    ["its first letter escaped", `{${at(`"${unicodeFirst(nameOf(operations[id]))}"`)},"data":${data}}`],
    ["behind another name", `{"@":"sysinfo",${at(name)},"data":${data}}`],
    ["before an @ within data", `{${at(name)},"data":${data.replace("{", '{"@":"sysinfo",')}}`],
  ].map(([what = "", body = ""]) => [what, { body }]);
}

/** What a server behind a proxy may believe of a caller from within, or of one that only asks about the request. */
const FROM_WITHIN: readonly Readonly<Record<string, string>>[] = [
  { "X-Forwarded-For": "127.0.0.1" },
  { "X-Real-IP": "127.0.0.1" },
  { Forwarded: "for=127.0.0.1;host=localhost;proto=https" },
  { "X-Forwarded-Host": "localhost" },
  { "X-Remote-User": "admin", "X-Forwarded-User": "admin", "Remote-User": "admin" },
  { "X-Internal": "true", "X-Internal-Request": "1" },
  { "X-Original-URL": "/api/?@=sysinfo", "X-Rewrite-URL": "/api/?@=sysinfo" },
  { "User-Agent": "kube-probe/1.30" },
  { "User-Agent": "ELB-HealthChecker/2.0" },
  { Origin: "https://app.example", "Access-Control-Request-Method": "GET" },
  { "X-Requested-With": "XMLHttpRequest", "Sec-Fetch-Site": "same-origin" },
  { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" },
  { "If-None-Match": "*" },
  { "If-Modified-Since": "Wed, 01 Jan 2025 00:00:00 GMT" },
  { Range: "bytes=0-0" },
];

const fromWithin = (api: Api): readonly Case[] => [
  ...FROM_WITHIN.map((headers) => sent(`nothing but ${JSON.stringify(headers)}`, "none", { headers })),
  sent("nothing but our own Referer", "none", { headers: { Referer: `${api.url}/` } }),
];

/** A right call but for its credentials, in another form of HTTP. */
function forms(api: Api, id: OperationId, body: string): readonly (readonly [what: string, request: RawRequest])[] {
  const { method } = operations[id];
  const target = `/api/${method === "POST" ? "" : `?${queryWith(api, id)}`}`;
  const posted = method === "POST" ? { headers: [["Content-Type", "application/json"]] as const, body } : {};
  return [
    ["in absolute form", { method, target: api.url + target, ...posted }],
    ["by HTTP/1.0", { method, target: api.path(target), version: "1.0", connection: null, ...posted }],
  ];
}

/** D17: whoever sends no credentials is refused, however the request is made. */
export const howeverAsked = closed.flatMap((id) => [
  check(`credentials/missing#however-spelled-${id}`, { effect: effectOf(id) }, async (api) => {
    await expectLetIn(api, id, { credentials: "good" });
    const ways = operations[id].method === "POST" ? bodies(api, id) : queries(api, id);
    const before = await stateOf(api, operations[id], api.example(id), ways);
    for (const [what, options] of ways) {
      await inCase(`the operation ${what}`, async () =>
        expectProblem(await api.call(id, { credentials: "none", ...options }), 401, "credentials-missing", id),
      );
    }
    await expectUnchanged(api, before);
  }),
  check(`credentials/missing#from-within-${id}`, { effect: effectOf(id) }, (api) =>
    expectAllRefused(api, id, 401, "credentials-missing", fromWithin(api)),
  ),
  check(`credentials/missing#form-of-request-${id}`, { effect: effectOf(id) }, async (api) => {
    const input = api.example(id);
    const before = await stateOf(api, operations[id], input);
    const body = JSON.stringify({ "@": nameOf(operations[id]), data: input });
    for (const [what, request] of forms(api, id, body)) {
      const raw = await api.raw(api.rawRequest(request));
      await inCase(what, async () => expectProblem(answered(raw, what), 401, "credentials-missing", id));
    }
    await expectUnchanged(api, before);
  }),
]);
