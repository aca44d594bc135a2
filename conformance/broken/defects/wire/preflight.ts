import { caught } from "../../caught.ts";
import type { Defect, ProxyAnswer, ProxyRequest } from "../../defect.ts";
import { header, operationOf, pathOf } from "../../look.ts";
import { respondProblem, withHeader, withoutHeader, withStatus } from "../../shape.ts";

const ORIGIN = "Access-Control-Allow-Origin";
const ALLOW = "Access-Control-Allow-Headers";
const MAX_AGE = "Access-Control-Max-Age";
const ALLOWED = ["X-API-KEY", "X-PLATFORM", "Content-Type", "X-Request-Id", "If-None-Match"];

const without = (names: readonly string[], name: string) => names.filter((each) => each !== name).join(", ");
const isPreflight = ({ method }: ProxyRequest) => method === "OPTIONS";

const onPreflight = (change: (answer: ProxyAnswer, request: ProxyRequest) => ProxyAnswer): Pick<Defect, "answer"> => ({
  answer: (answer, request) => (isPreflight(request) ? change(answer, request) : answer),
});
const preflight = (
  id: string,
  description: string,
  variants: readonly string[],
  reason: RegExp,
  hooks: Pick<Defect, "answer" | "request">,
) =>
  caught(
    `cors/preflight-${id}`,
    description,
    variants.map((variant) => `cors/preflight${variant}`),
    reason,
    hooks,
  );

export const preflightDefects: readonly Defect[] = [
  preflight(
    "needs-a-key",
    "Asks a preflight for credentials.",
    [""],
    /204/,
    onPreflight((answer, request) =>
      header(request, "X-API-KEY") ? answer : respondProblem(401, "credentials-missing"),
    ),
  ),
  preflight(
    "405",
    "Knows no OPTIONS.",
    [""],
    /204/,
    onPreflight(() => respondProblem(405, "method-not-allowed")),
  ),
  preflight(
    "by-operation",
    "Asks for the credentials that the operation of a preflight needs.",
    ["#every-operation"],
    /204/,
    onPreflight((answer, request) =>
      operationOf(request) === "user.list" ? respondProblem(401, "credentials-missing") : answer,
    ),
  ),
  preflight(
    "no-headers",
    "Allows no headers.",
    [""],
    /Allow-Headers/,
    onPreflight((answer) => withoutHeader(answer, ALLOW)),
  ),
  preflight(
    "star",
    "Allows whatever headers, in a word that some browsers do not know.",
    ["#x-api-key"],
    /Allow-Headers/,
    onPreflight((answer) => withHeader(answer, ALLOW, "*")),
  ),
  ...ALLOWED.map((name) =>
    preflight(
      `without-${name.toLowerCase()}`,
      `Does not allow ${name}.`,
      [`#${name.toLowerCase()}`, "#post"],
      new RegExp(name),
      onPreflight((answer) => withHeader(answer, ALLOW, without(ALLOWED, name))),
    ),
  ),
  preflight(
    "no-max-age",
    "Lets a preflight be asked each time.",
    ["#get", "#head", "#then-the-request"],
    /Max-Age/,
    onPreflight((answer) => withoutHeader(answer, MAX_AGE)),
  ),
  preflight(
    "one-day",
    "Lets a preflight be kept for a day.",
    ["#get", "#post"],
    /Max-Age/,
    onPreflight((answer) => withHeader(answer, MAX_AGE, "86400")),
  ),
  preflight(
    "milliseconds",
    "Counts the age of a preflight in milliseconds.",
    ["#get"],
    /Max-Age/,
    onPreflight((answer) => withHeader(answer, MAX_AGE, "600000")),
  ),
  preflight(
    "no-post",
    "Allows GET alone.",
    ["#post"],
    /Allow-Methods/,
    onPreflight((answer) => withHeader(answer, "Access-Control-Allow-Methods", "GET")),
  ),
  preflight(
    "no-head",
    "Allows GET and POST alone.",
    ["#head"],
    /Allow-Methods/,
    onPreflight((answer) => withHeader(answer, "Access-Control-Allow-Methods", "GET, POST")),
  ),
  preflight(
    "no-origin",
    "Allows no origin in a preflight.",
    [""],
    /Allow-Origin/,
    onPreflight((answer) => withoutHeader(answer, ORIGIN)),
  ),
  preflight(
    "null-refused",
    "Refuses the origin null.",
    ["#get", "#post"],
    /204/,
    onPreflight((answer, request) =>
      header(request, "Origin") === "null" ? respondProblem(403, "platform-not-allowed") : answer,
    ),
  ),
  preflight(
    "slash-redirected",
    "Redirects a preflight on /api.",
    ["#get", "#post"],
    /204/,
    onPreflight((answer, request) => (pathOf(request) === "/api" ? withStatus(answer, 308) : answer)),
  ),
  preflight("origins-refused", "Refuses requests that name an origin.", ["#then-the-request"], /200/, {
    answer: (answer, request) =>
      header(request, "Origin") && !isPreflight(request) ? respondProblem(403, "platform-not-allowed") : answer,
  }),
  preflight("lets-in", "Takes an origin for a credential.", ["#every-operation"], /401/, {
    answer: (answer, request) =>
      header(request, "Origin") && answer.status === 401 ? withStatus(answer, 200) : answer,
  }),
];
