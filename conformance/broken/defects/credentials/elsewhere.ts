import type { Context, Defect, ProxyRequest } from "../../defect.ts";
import { header, isObject, jsonBody, queryOf } from "../../look.ts";
import { letIn, withCredentials, withoutHeader } from "../../shape.ts";
import { goodOnes, ofEach, sent } from "./words.ts";

const area = "credentials";

/** Finds the good key somewhere else. */
const elsewhere = (
  suffix: string,
  description: string,
  found: (request: ProxyRequest, key: string) => boolean,
  catches: readonly string[] = ofEach("credentials/nowhere-else#key-"),
): Defect => ({
  id: `credentials/key-in-${suffix}`,
  area,
  description,
  requirements: ["credentials/nowhere-else"],
  catches,
  reason: /401/,
  request: (request, context) => {
    const { key, platform } = goodOnes(context);
    const right = found(request, key) && sent(request, "X-PLATFORM") === platform;
    return right ? withCredentials(request, key, platform) : request;
  },
});

const authorization = (request: ProxyRequest) => header(request, "Authorization") ?? "";
const cookie = (request: ProxyRequest) => header(request, "Cookie") ?? "";
const noKey = (request: ProxyRequest) => !sent(request, "X-API-KEY");
const basic = (request: ProxyRequest) =>
  Buffer.from(authorization(request).replace(/^Basic /, ""), "base64").toString();

export const elsewhereDefects: readonly Defect[] = [
  elsewhere(
    "bearer",
    "Takes a bearer token for the key.",
    (request, key) => noKey(request) && authorization(request) === `Bearer ${key}`,
  ),
  elsewhere(
    "authorization",
    "Takes Authorization: ApiKey for the key.",
    (request, key) => noKey(request) && authorization(request) === `ApiKey ${key}`,
  ),
  elsewhere(
    "basic",
    "Takes the user of Basic for the key.",
    (request, key) => noKey(request) && basic(request) === `${key}:`,
  ),
  elsewhere(
    "cookie",
    "Takes a cookie for the key.",
    (request, key) => noKey(request) && cookie(request).startsWith(`X-API-KEY=${key}`),
  ),
  elsewhere(
    "other-header",
    "Takes other headers for the key.",
    (request, key) => noKey(request) && header(request, "X-Auth-Token") === key,
  ),
  elsewhere(
    "underscores",
    "Cannot tell X_API_KEY from X-API-KEY, as CGI cannot.",
    (request, key) => noKey(request) && header(request, "X_API_KEY") === key,
  ),
  elsewhere(
    "body",
    "Takes a member of the body for the key.",
    (request, key) => noKey(request) && jsonBody(request)?.["X-API-KEY"] === key,
  ),
  elsewhere("data", "Takes a member of data for the key.", (request, key) => {
    const data = jsonBody(request)?.data;
    return noKey(request) && isObject(data) && data["X-API-KEY"] === key;
  }),
  elsewhere(
    "authorization-first",
    "Prefers a bearer token to the header of the key.",
    (request, key) => authorization(request) === `Bearer ${key}`,
    [...ofEach("credentials/nowhere-else#key-"), ...ofEach("credentials/nowhere-else#good-key-")],
  ),
  {
    id: "credentials/authorization-judged",
    area,
    description: "Refuses a wrong bearer token beside good credentials.",
    requirements: ["credentials/nowhere-else"],
    catches: ofEach("credentials/nowhere-else#wrong-key-"),
    reason: /200|422/,
    request: (request, context) =>
      /^Bearer /.test(authorization(request)) && authorization(request) !== `Bearer ${goodOnes(context).key}`
        ? withoutHeader(request, "X-API-KEY")
        : request,
  },
  ...platformElsewhere(),
];

function platformElsewhere(): readonly Defect[] {
  const found: readonly [string, string, (request: ProxyRequest, platform: string) => boolean][] = [
    ["cookie", "a cookie", (request, platform) => cookie(request) === `X-PLATFORM=${platform}`],
    ["underscores", "X_PLATFORM", (request, platform) => header(request, "X_PLATFORM") === platform],
    ["body", "a member of the body", (request, platform) => jsonBody(request)?.["X-PLATFORM"] === platform],
    [
      "other-header",
      "a header of browsers",
      (request, platform) => header(request, "Sec-CH-UA-Platform") === `"${platform}"`,
    ],
  ];
  return found.map(([suffix, words, is]) => ({
    id: `credentials/platform-in-${suffix}`,
    area,
    description: `Takes ${words} for the platform.`,
    requirements: ["credentials/nowhere-else"],
    catches: ofEach("credentials/nowhere-else#platform-"),
    reason: /401/,
    request: (request: ProxyRequest, context: Context) =>
      !queryOf(request).has("X-PLATFORM") && is(request, goodOnes(context).platform)
        ? letIn(request, context)
        : request,
  }));
}
