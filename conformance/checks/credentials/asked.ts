import type { Api } from "../../client/api.ts";
import type { CallOptions } from "../../client/call.ts";
import { expectProblem } from "../../client/expect.ts";
import { guarded, type Known, nameOf } from "../../client/operation.ts";
import type { RawRequest } from "../../client/wire/raw-request.ts";
import { type Check, check } from "../check.ts";
import { answered, effectOf, inCase, nobodys, reach } from "../probe.ts";
import { expectUnchanged, stateOf } from "../state.ts";
import { type Case, expectAllRefused, expectLetIn, judgeLetIn, kinds, queryWith, sent } from "./calls.ts";
import { onOneConnection } from "./raw-call.ts";

const hexFirst = (text: string) => text.charCodeAt(0).toString(16);

/** The same operation, where something that stands before it and reads less well than it may see another. */
function queries(api: Api, operation: Known): readonly (readonly [what: string, rawQuery: string])[] {
  const usual = queryWith(api, operation);
  const behind = usual.replace(/^@=/, "");
  const platform = encodeURIComponent(api.platform);
  return [
    ["as %40", `%40=${behind}`],
    ["behind the platform", `X-PLATFORM=${platform}&${usual}`],
    ["behind an unknown parameter", `x=1&${usual}`],
    ["behind nothing", `&${usual}`],
    ["its first letter escaped", `@=%${hexFirst(behind)}${behind.slice(1)}`],
    ["its dot escaped", `@=${behind.replace(".", "%2E")}`],
    ["before an escaped platform", `${usual}&%58-PLATFORM=${platform}`],
  ];
}

function bodies(api: Api, operation: Known): readonly (readonly [what: string, body: string])[] {
  const input = api.example(operation.id);
  const [name, data] = [JSON.stringify(nameOf(operation, input)), JSON.stringify(input)];
  return [
    ["behind its data", `{"data":${data},"@":${name}}`],
    ["behind white space", `\r\n\t {"@":${name} , "data" :${data}}\n`],
    ["its @ escaped", `{"\\u0040":${name},"data":${data}}`],
    ["its first letter escaped", `{"@":"\\u00${hexFirst(name.slice(1))}${name.slice(2)},"data":${data}}`],
    ["behind another name", `{"@":"sysinfo","@":${name},"data":${data}}`],
    ["before an @ within data", `{"@":${name},"data":${data.replace("{", '{"@":"sysinfo",')}}`],
  ];
}

const spelled = (api: Api, operation: Known): readonly Case[] =>
  operation.method === "POST"
    ? bodies(api, operation).map(([what, body]) => sent(`the operation ${what}`, "none", { body }))
    : queries(api, operation).map(([what, rawQuery]) => sent(`the operation ${what}`, "none", { rawQuery }));

/** What a server behind a proxy may believe of a caller from within, or of one that only asks about the request. */
const FROM_WITHIN: readonly Readonly<Record<string, string>>[] = [
  { "X-Forwarded-For": "127.0.0.1", "X-Real-IP": "127.0.0.1", "X-Forwarded-Host": "localhost" },
  { Forwarded: "for=127.0.0.1;host=localhost;proto=https", "X-Internal": "true", "X-Internal-Request": "1" },
  { "X-Remote-User": "admin", "X-Forwarded-User": "admin", "Remote-User": "admin" },
  { "X-Original-URL": "/api/?@=sysinfo", "X-Rewrite-URL": "/api/?@=sysinfo" },
  { "User-Agent": "kube-probe/1.30", "If-None-Match": "*" },
  { "User-Agent": "ELB-HealthChecker/2.0", "If-Modified-Since": "Wed, 01 Jan 2025 00:00:00 GMT" },
  { Origin: "https://app.example", "Access-Control-Request-Method": "GET" },
  { "X-Requested-With": "XMLHttpRequest", "Sec-Fetch-Site": "same-origin", Range: "bytes=0-0" },
  { Accept: "text/html,application/xhtml+xml,*/*;q=0.8" },
];

const fromWithin = (api: Api): readonly Case[] =>
  [...FROM_WITHIN, { Referer: `${api.url}/` }].map((headers) =>
    sent(`nothing but ${JSON.stringify(headers)}`, "none", { headers }),
  );

/** A right call but for its credentials, in another form of HTTP. */
function forms(api: Api, operation: Known, body: string): readonly (readonly [what: string, request: RawRequest])[] {
  const { method } = operation;
  const target = `/api/${method === "POST" ? "" : `?${queryWith(api, operation)}`}`;
  const posted = method === "POST" ? { headers: [["Content-Type", "application/json"]] as const, body } : {};
  return [
    ["in absolute form", { method, target: api.url + target, ...posted }],
    ["by HTTP/1.0", { method, target: api.path(target), version: "1.0", connection: null, ...posted }],
  ];
}

/** D17: whoever sends no credentials is refused, however the request is made, and whoever else is let in beside it. */
export const asked: readonly Check[] = guarded.flatMap((operation) => [
  check(`credentials/missing#however-asked-${operation.id}`, { effect: effectOf(operation) }, async (api) => {
    await expectLetIn(api, operation);
    const cases = [...spelled(api, operation), ...fromWithin(api)];
    await expectAllRefused(api, operation, "credentials-missing", cases);
    const input = api.example(operation.id);
    const before = await stateOf(api, operation, input);
    const body = JSON.stringify({ "@": nameOf(operation, input), data: input });
    for (const [what, request] of forms(api, operation, body)) {
      const raw = await api.raw(api.rawRequest(request));
      await inCase(what, () => expectProblem(answered(raw, what), 401, "credentials-missing"));
    }
    await expectUnchanged(api, before);
  }),
  check(`credentials/missing#same-connection-${operation.id}`, { effect: effectOf(operation) }, async (api) => {
    const [first, ...behind] = await onOneConnection(api, operation.id);
    if (first) judgeLetIn(first, operation);
    else await expectLetIn(api, operation);
    // A target may close a connection after any answer.
    for (const reply of behind)
      await inCase("behind a good request on the same connection", () =>
        expectProblem(reply, 401, "credentials-missing"),
      );
  }),
  check(`credentials/missing#in-parallel-${operation.id}`, { effect: effectOf(operation) }, async (api) => {
    const wrong = nobodys(api);
    const refuse = async (options: CallOptions, status: number, code: Parameters<typeof expectProblem>[2]) =>
      inCase("beside good requests", async () => expectProblem(await reach(api, operation, options), status, code));
    const turns = Array.from({ length: 4 }, () => [
      expectLetIn(api, operation),
      refuse({ credentials: "none" }, 401, "credentials-missing"),
      ...kinds.map(({ kind, as, code }) =>
        refuse({ credentials: as(api, { header: wrong }) }, kind === "key" ? 401 : 403, code),
      ),
    ]);
    // All of them come to their end: what is in flight would otherwise be judged with another check.
    const results = await Promise.allSettled(turns.flat());
    for (const result of results) if (result.status === "rejected") throw result.reason;
  }),
]);
