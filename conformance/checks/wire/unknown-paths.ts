import { describe, expectProblem, expectSuccess, fail } from "../../client/expect.ts";
import { type Check, check } from "../check.ts";
import { answered } from "../probe.ts";
import { ask, emptyCreate, SYSINFO } from "./support.ts";

/** Each with the query of an operation, so that a server that finds the endpoint there answers 200. */
const NEAR_MISSES = {
  "letter-case": ["/API/", "/Api/", "/apI/", "/API", "/Api", "/OpenAPI.json", "/openapi.YAML", "/Robots.txt"],
  slashes: ["/api//", "//api/", "//api", "/api///", "//", "/openapi.json/", "/robots.txt/", "//openapi.json"],
  "below-the-endpoint": [
    "/api/x",
    "/api/user.list",
    "/api/sysinfo",
    "/api/sysinfo/",
    "/api/docs.get.README",
    "/api/index.html",
  ],
  parameters: ["/api/;x", "/api;x/", "/api/;", "/;/api/", "/api/;jsessionid=1", "/api/&", "/api/:"],
  dots: ["/api/...", "/.../api/", "/api./", "/.api/", "/..api/", "/api../", "/api/.x", "/api/..;/"],
  escapes: [
    "/%61pi/",
    "/api%2F",
    "/api%2f",
    "/%2fapi/",
    "/api/%2e%2e/",
    "/api/%2e",
    "/ap%69",
    "/api/%20",
    "/%20api/",
    "/api%3F",
  ],
  "control-characters": ["/api/%00", "/api%00/", "/%00", "/api/%0a", "/api/%0d%0a", "/api%09/", "/openapi.json%00"],
  backslashes: ["/api\\", "/\\api/", "/api/\\", "/api/..\\", "/api%5c"],
  unicode: ["/%c3%a1pi/", "/api/%c3%a9", "/api%e2%80%8b/", "/api/%ef%bc%8f", "/%ef%bd%81pi/", "/api/%c0%af"],
  versions: ["/v3/api/", "/api/v3/", "/v3/", "/3.0.3/api/", "/api/3.0.3/", "/v1/api/"],
  "near-names": [
    "/ap/",
    "/apis/",
    "/api.json",
    "/api-docs",
    "/openapi",
    "/openapi.yml",
    "/openapi.operations",
    "/swagger.json",
  ],
  files: [
    "/.env",
    "/.git/config",
    "/package.json",
    "/README.md",
    "/src/main.ts",
    "/generated/openapi.json",
    "/index.html",
  ],
  "well-known": ["/favicon.ico", "/.well-known/", "/.well-known", "/.well-known/openid-configuration", "/sitemap.xml"],
  prototype: ["/__proto__", "/constructor", "/toString", "/api/__proto__", "/hasOwnProperty"],
  traversal: ["/../../etc/passwd", "/%2e%2e/%2e%2e/etc/passwd", "/..%2f..%2fetc%2fpasswd", "/docs/../../.env"],
  words: [
    "/no-such-path",
    "/health",
    "/docs",
    "/admin",
    "/user.list",
    "/sysinfo",
    "/graphql",
    "/api-catalog",
    "/security.txt",
  ],
} as const;

/** Paths that are not served (D11). */
export const unknownPaths: readonly Check[] = [
  ...Object.entries(NEAR_MISSES).map(([name, paths]) =>
    check(`http/unknown-path#${name}`, { effect: "hostile" }, async (api) => {
      expectSuccess(await ask(api, "GET", SYSINFO), "sysinfo");
      for (const path of paths) {
        const reply = await ask(api, "GET", `${path}?@=sysinfo`);
        if (reply.status !== 404) fail("status", `404 at ${JSON.stringify(path)}`, describe(reply));
        expectProblem(reply, 404, "path-not-found");
      }
    }),
  ),
  check("http/unknown-path#no-query", {}, async (api) => {
    for (const path of ["/no-such-path", "/API/", "/api//", "/v3/api/", "/favicon.ico"])
      expectProblem(await ask(api, "GET", path), 404, "path-not-found");
  }),
  check("http/unknown-path#head", {}, async (api) => {
    for (const path of ["/no-such-path", "/API/", "/api/x", "/api//"]) {
      const reply = await ask(api, "HEAD", `${path}?@=sysinfo`);
      if (reply.status !== 404) fail("status", `404 to HEAD ${path}`, describe(reply));
      if (reply.mediaType !== "application/problem+json") fail("body", "application/problem+json", reply.mediaType);
    }
  }),
  // The path is judged before the method (Order of judgement).
  ...["POST", "OPTIONS", "PUT", "DELETE"].map((method) =>
    check(`http/unknown-path#${method.toLowerCase()}`, {}, async (api) => {
      for (const path of ["/no-such-path", "/API/", "/api/user.create", "/api//", "/v3/api/"]) {
        const body = method === "OPTIONS" ? undefined : emptyCreate;
        const reply = await ask(api, method, path, body);
        if (reply.status !== 404) fail("status", `404 to ${method} ${path}`, describe(reply));
        expectProblem(reply, 404, "path-not-found");
      }
    }),
  ),
  check("http/unknown-path#fragment", { effect: "hostile" }, async (api) => {
    // No request target has a fragment (RFC 9112, 3.2): whatever is made of one, it is no path that exists.
    for (const target of [
      "/api/#?@=sysinfo",
      "/api\\?@=sysinfo#",
      "/api?@=sysinfo#x",
      "/openapi.json#",
      "/robots.txt#x",
    ]) {
      const reply = answered(await api.raw(api.rawRequest({ target: api.path(target) })), target);
      if (reply.status !== 404 && reply.status !== 400) fail("status", `400 or 404 at ${target}`, describe(reply));
      expectProblem(reply, reply.status, reply.status === 404 ? "path-not-found" : "malformed-request");
    }
  }),
  check("http/unknown-path#whatever-the-credentials", {}, async (api) => {
    const headers = [
      ["X-API-KEY", api.key],
      ["X-PLATFORM", api.platform],
    ] as const;
    for (const target of ["/no-such-path?@=user.list", "/api/user.list", "/API/?@=user.list"])
      expectProblem(await api.request({ method: "GET", target, headers }), 404, "path-not-found");
  }),
];
