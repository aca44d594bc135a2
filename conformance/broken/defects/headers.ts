import type { Defect } from "../defect.ts";
import { header } from "../look.ts";
import { withAddedHeader, withHeader } from "../shape.ts";

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
];
