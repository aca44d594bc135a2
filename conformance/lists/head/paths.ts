import { every, simplest } from "../../client/operation.ts";

/** Paths similar to a served one, by the mistake that would serve them. None is above the base address. */
const NEARLY = `
  /API/ /Api/ /apI/ /API /Api /OpenAPI.json /openapi.YAML /Robots.txt
  /api// //api/ //api /api/// // /openapi.json/ /robots.txt/ //openapi.json
  /api/x /api/index.html
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
  /health /docs /admin /graphql /api-catalog /security.txt
`
  .trim()
  .split(/\s+/);
export const NEAR_MISSES: readonly string[] = [
  ...NEARLY,
  ...every.flatMap(({ name }) =>
    [`/api/${name}`, `/api/${name}/`, `/${name}`].map((path) => path.replace(/[{}]/g, "")),
  ),
];

/** Paths of the endpoint with dot segments, and others that resolve to it (RFC 3986, 5.2.4). */
export const DOTTED: readonly string[] = [
  ...[`/api/${simplest.name}/../`, "/api/no.such.operation/..", "/x/../api/", "/x/y/../../api/", "/api/x/../y/../"],
  ...["/api/./", "/api/.", "/./api/./.", "/api/../api/", "/api/.../../", "/x/../robots.txt", "/./openapi.json"],
  ...["/api/..", "/api/../", "/api/../no-such-path", "/x/../api", "/api/../api"],
];

/** Queries that a redirect keeps byte for byte. */
export const QUERIES: readonly string[] = [
  ...["", `@=${simplest.name}`, `@=x&limit=1&limit=2&@=${simplest.name}`, "@=a+b%20c%2Bd&x=+", "&&=&a&b=&=c&"],
  ...["a=b?c/d//e;f:g@h,i=j=k", "X-API-KEY=not-a-key&X-PLATFORM=web", "a=%0d%0aX-Injected:%201", "a=%00%1f%7f"],
  ...["a=[b]|c^d`e{f}'g!h*(i)$", "next=https://other.example/api/%2f..", `@=${"x".repeat(4000)}`],
  ...[`%40=${simplest.name}`, "a=%c3%A9&b=%C3%a9", "@=%zz&%&%4", "?"],
];
