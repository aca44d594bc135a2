import { caught } from "../caught.ts";
import type { Defect, ProxyRequest } from "../defect.ts";
import { header, namedIn, pathOf } from "../look.ts";
import { respondProblem, withAddedHeader, withHeader, withJson, withoutHeader, withStatus } from "../shape.ts";

/** What comes from a browser that asks first; a request with `Origin` alone is the page's own. */
const isPreflight = (request: ProxyRequest) =>
  request.method === "OPTIONS" && header(request, "Access-Control-Request-Method") !== null;

/** Takes an address out of a header, wherever `clientAddress` is told. */
const addressFrom = (field: string, told: (request: ProxyRequest) => boolean): Pick<Defect, "answer"> => ({
  answer: (answer, request) => {
    const address = header(request, field);
    return address !== null && told(request)
      ? withJson(answer, (json) => ("clientAddress" in json ? { ...json, clientAddress: address } : json))
      : answer;
  },
});

export const headerDefects: readonly Defect[] = [
  {
    id: "headers/powered-by",
    area: "headers",
    description: "Names its framework in X-Powered-By.",
    requirements: ["http/no-banner"],
    catches: ["http/no-banner"],
    reason: /x-powered-by/i,
    answer: (answer) => withAddedHeader(answer, "X-Powered-By", "Koa"),
  },
  {
    id: "headers/cookie",
    area: "headers",
    description: "Sets a cookie.",
    requirements: ["http/no-banner"],
    catches: ["http/no-banner"],
    reason: /cookie/i,
    answer: (answer) => withAddedHeader(answer, "Set-Cookie", "session=1; Path=/"),
  },
  {
    id: "cors/origin-reflected",
    area: "cors",
    description: "Allows whatever origin asks, with credentials.",
    requirements: ["cors/any-origin", "cors/no-credentials"],
    catches: ["cors/any-origin#asked-with-an-origin", "cors/no-credentials#asked-with-an-origin"],
    reason: /credentials|Vary/i,
    answer: (answer, request) => {
      const origin = header(request, "Origin");
      if (origin === null) return answer;
      const reflected = withHeader(answer, "Access-Control-Allow-Origin", origin);
      return withHeader(reflected, "Access-Control-Allow-Credentials", "true");
    },
  },
  caught(
    "cors/origin-reflected-for-caches",
    "Allows whatever origin asks, with Vary.",
    ["cors/any-origin#made-up"],
    /Access-Control-Allow-Origin/,
    {
      answer: (answer, request) => {
        const origin = header(request, "Origin");
        if (origin === null) return answer;
        return withAddedHeader(withHeader(answer, "Access-Control-Allow-Origin", origin), "Vary", "Origin");
      },
    },
  ),
  caught(
    "cors/preflight-of-the-endpoint",
    "Knows preflights of the endpoint only.",
    ["cors/preflight#every-path"],
    /Access-Control-Allow-Headers/,
    {
      answer: (answer, request) =>
        isPreflight(request) && !pathOf(request).startsWith("/api")
          ? withoutHeader(answer, "Access-Control-Allow-Headers")
          : answer,
    },
  ),
  caught(
    "cors/from-elsewhere-refused",
    "Refuses a call from a page of another origin.",
    ["user.list", "user.create", "test.health"].map((id) => `cors/preflight#then-from-anywhere-${id}`),
    /200|422/,
    {
      request: (request) =>
        namedIn(request) !== null && header(request, "Sec-Fetch-Site") === "cross-site"
          ? respondProblem(403, "platform-not-allowed")
          : request,
    },
  ),
  caught("cors/preflight-200", "Answers a preflight with 200.", ["dispatch/options#preflight"], /204/, {
    answer: (answer, request) => (isPreflight(request) ? withStatus(answer, 200) : answer),
  }),
  caught("cors/preflight-without-allow", "Sends no Allow to a preflight.", ["dispatch/options#preflight"], /Allow/, {
    answer: (answer, request) => (isPreflight(request) ? withoutHeader(answer, "Allow") : answer),
  }),
  caught("cors/preflight-anywhere", "Answers a preflight of any path.", ["http/unknown-path#preflight"], /404/, {
    answer: (answer, request) =>
      isPreflight(request) && answer.status === 404 ? { ...withStatus(answer, 204), body: Buffer.alloc(0) } : answer,
  }),
  caught(
    "headers/request-id-lost-on-201",
    "Gives what it created an X-Request-Id of its own.",
    ["http/request-id#created"],
    /X-Request-Id/,
    { answer: (answer) => (answer.status === 201 ? withHeader(answer, "X-Request-Id", "of-our-own") : answer) },
  ),
  caught(
    "headers/request-id-cut-in-refusals",
    "Has room for a UUID where it names the request that it refuses.",
    ["errors/request-id#callers-own"],
    /X-Request-Id/,
    {
      answer: (answer) =>
        answer.status >= 400
          ? withHeader(answer, "X-Request-Id", header(answer, "X-Request-Id")?.slice(0, 36) ?? "")
          : answer,
    },
  ),
  caught(
    "address/of-another-name",
    "Takes the address from a header of some host.",
    ["sysinfo/forwarded-for#further-names"],
    /clientAddress/,
    addressFrom("X-Cluster-Client-IP", () => true),
  ),
  caught(
    "address/on-the-landing-page",
    "Takes the address from X-Forwarded-For on the landing page.",
    ["sysinfo/forwarded-for#landing"],
    /clientAddress/,
    addressFrom("X-Forwarded-For", (request) => pathOf(request) === "/"),
  ),
];
