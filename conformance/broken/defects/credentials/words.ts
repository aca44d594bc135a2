import { operations, type ProblemCode, problems } from "../../../../generated/operations.ts";
import type { Context, Defect, GoodCredentials, ProxyAnswer, ProxyRequest } from "../../defect.ts";
import { header, queryOf } from "../../look.ts";
import { letIn, withJson, withoutHeader, withQuery, withStatus } from "../../shape.ts";

/** Words for breaking the rules of credentials. */

type RequestChange = NonNullable<Defect["request"]>;
type Name = "X-API-KEY" | "X-PLATFORM";

/** The operations that need credentials, and those that do not. */
export const closed = Object.values(operations).flatMap(({ id, auth }) => (auth ? [id] : []));
export const open = Object.values(operations).flatMap(({ id, auth }) => (auth ? [] : [id]));

/** The checks of a requirement for every operation that needs credentials: `credentials/whole#key-user.list`. */
export const ofEach = (check: string): readonly string[] => closed.map((id) => `${check}${id}`);

/** What was sent as a credential, wherever; empty when nothing was. */
export const sent = (request: ProxyRequest, name: Name): string =>
  inHeader(request, name) || inQuery(request, name) || "";
export const inHeader = (request: ProxyRequest, name: Name): string | null => header(request, name);
export const inQuery = (request: ProxyRequest, name: Name): string | null => queryOf(request).get(name);

/** Credentials as they were sent. */
export const sentBoth = (request: ProxyRequest): GoodCredentials => ({
  key: sent(request, "X-API-KEY"),
  platform: sent(request, "X-PLATFORM"),
});

export function goodOnes({ credentials }: Context): GoodCredentials {
  if (!credentials) throw new Error("this defect needs the server's credentials");
  return credentials;
}

/** Lets a request in for what it sent, though something is wrong with it. Both have to be there. */
export function letInIf(accepts: (given: GoodCredentials, good: GoodCredentials) => boolean): RequestChange {
  return (request, context) => {
    const given = sentBoth(request);
    return given.key && given.platform && accepts(given, goodOnes(context)) ? letIn(request, context) : request;
  };
}

/** Takes a key for the good one when this makes the good one of it; the platform is left to be right. */
export const letInIfKey = (accepts: (key: string, good: string) => boolean): RequestChange =>
  letInIf(({ key, platform }, good) => platform === good.platform && accepts(key, good.key));

export const letInIfPlatform = (accepts: (platform: string, good: string) => boolean): RequestChange =>
  letInIf(({ key, platform }, good) => key === good.key && accepts(platform, good.platform));

/** Without the field, or without the parameter. */
export const dropHeader = (request: ProxyRequest, name: Name): ProxyRequest =>
  inHeader(request, name) === null ? request : withoutHeader(request, name);
export const dropQuery = (request: ProxyRequest, name: Name): ProxyRequest =>
  withQuery(request, (query) => query.delete(name));

/** The same problem under another status and code. */
export function asProblem(answer: ProxyAnswer, status: number, code: ProblemCode): ProxyAnswer {
  return withJson(withStatus(answer, status), (problem) => ({
    ...problem,
    type: String(problem.type).replace(/#.*/, `#${code}`),
    title: problems[code].title,
    status,
    code,
  }));
}

export const withDetail = (answer: ProxyAnswer, detail: string): ProxyAnswer =>
  withJson(answer, (problem) => ({ ...problem, detail }));
