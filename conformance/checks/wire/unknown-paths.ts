import type { Api } from "../../client/api.ts";
import type { RawRequest } from "../../client/wire/raw-request.ts";
import type { Check } from "../check.ts";
import { credentialFields } from "../probe.ts";
import { at, type Case, casesOf, emptyCreate, sysinfo } from "./support.ts";

/** A line for each thing a server may do to find something there, with an operation, so that what is found answers 200. */
const NEAR_MISSES = `
  /API/ /Api/ /apI/ /API /Api /OpenAPI.json /openapi.YAML /Robots.txt
  /api// //api/ //api /api/// // /openapi.json/ /robots.txt/ //openapi.json
  /api/x /api/user.list /api/sysinfo /api/sysinfo/ /api/docs.get.README /api/index.html
  /api/;x /api;x/ /api/; /;/api/ /api/;jsessionid=1 /api/& /api/:
  /api/... /.../api/ /api./ /.api/ /..api/ /api../ /api/.x /api/..;/
  /%61pi/ /api%2F /api%2f /%2fapi/ /api/%2e%2e/ /api/%2e /ap%69 /api/%20 /%20api/ /api%3F
  /api/%00 /api%00/ /%00 /api/%0a /api/%0d%0a /api%09/ /openapi.json%00
  /api\\ /\\api/ /api/\\ /api/..\\ /api%5c
  /%c3%a1pi/ /api/%c3%a9 /api%e2%80%8b/ /api/%ef%bc%8f /%ef%bd%81pi/ /api/%c0%af
  /v3/api/ /api/v3/ /v3/ /3.0.3/api/ /api/3.0.3/ /v1/api/
  /ap/ /apis/ /api.json /api-docs /openapi /openapi.yml /openapi.operations /swagger.json
  /.env /.git/config /package.json /README.md /src/main.ts /generated/openapi.json /index.html
  /favicon.ico /.well-known/ /.well-known /.well-known/openid-configuration /sitemap.xml
  /__proto__ /constructor /toString /api/__proto__ /hasOwnProperty
  /../../etc/passwd /%2e%2e/%2e%2e/etc/passwd /..%2f..%2fetc%2fpasswd /docs/../../.env
  /health /docs /admin /user.list /sysinfo /graphql /api-catalog /security.txt
`
  .trim()
  .split(/\s+/)
  .map((path) => `${path}?@=sysinfo`);

/** Some of them, for what else may be judged before the path. */
const FEW = ["/API/", "/api//", "/v3/api/", "/favicon.ico", "/api/x", "/api/user.create"];

const unknown = (api: Api, paths: readonly string[], more: Partial<RawRequest> = {}) =>
  [...paths, `/${api.runId}`].map(
    (path): Case => [`${more.method ?? "GET"} ${path}`, at(api, path, more), "path-not-found"],
  );

/** Paths that are not served (D11). */
export const unknownPaths: readonly Check[] = [
  ...casesOf("http/unknown-path", "hostile", {
    "near-misses": (api) => [["the endpoint itself", sysinfo(api), "sysinfo"], ...unknown(api, NEAR_MISSES)],
    // No request target has a fragment (RFC 9112, 3.2): whatever is made of one, it is no path that exists.
    fragment: (api) =>
      ["/api/#?@=sysinfo", "/api\\?@=sysinfo#", "/api?@=sysinfo#x", "/openapi.json#", "/robots.txt#x"].map((target) => [
        target,
        at(api, target),
        "path-not-found",
        "malformed-request",
      ]),
  }),
  ...casesOf("http/unknown-path", "read", {
    "no-query": (api) => unknown(api, FEW),
    // Of what is not there, a browser has nothing to ask.
    preflight: (api) => {
      const headers = [["Origin", "https://app.example"] as const, ["Access-Control-Request-Method", "GET"] as const];
      return unknown(api, FEW, { method: "OPTIONS", headers });
    },
    // The path is judged before the method, and before credentials (order of judgement).
    "whatever-the-method": (api) =>
      ["HEAD", "OPTIONS", "POST", "PUT", "DELETE"].flatMap((method) => {
        const headers = [["Content-Type", "application/json"]] as const;
        const more = method === "HEAD" || method === "OPTIONS" ? { method } : { method, headers, body: emptyCreate };
        return unknown(api, FEW, more);
      }),
    "whatever-the-credentials": (api) =>
      unknown(api, ["/api/user.list", "/API/?@=user.list"], { headers: credentialFields(api) }),
  }),
];
