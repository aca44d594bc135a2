import { answersItself, type Mutant, OUTCOME, takesFor } from "../mutant.ts";
import { header, isObject, jsonBody, queryOf } from "../proxy/look.ts";
import type { ProxyRequest } from "../proxy/message.ts";
import { letIn, respondProblem, withoutHeader, withQuery } from "../proxy/shape.ts";
import { type CredentialHeader, called, credentialNames, isSent, KEY, PLATFORM, sent } from "../requests.ts";

/** Broken places of credentials: how their names are read, and where else they are looked for. */

const isGuarded = (request: ProxyRequest) => called(request)?.auth === true;

const otherCase = (request: ProxyRequest, isRead: (name: string) => boolean) => {
  const kept = request.headers.filter(
    ([name]) => isRead(name) || !credentialNames.some((right) => right === name.toUpperCase()),
  );
  return kept.length === request.headers.length ? request : { ...request, headers: kept };
};

/** Names of a parameter that are not the credential's. */
const misread: Readonly<Record<string, (name: string, right: CredentialHeader) => boolean>> = {
  "a list": (name, right) => /^(.*)\[\d?\]$/.exec(name)?.[1] === right,
  "a name with blanks": (name, right) => name.trim() === right,
  "a name without dashes": (name, right) => name === right.replaceAll("-", ""),
  "a shorter name": (name, right) => (right === KEY ? /^(api_?)?key$/ : /^platform$/).test(name),
  "a name with a NUL": (name, right) => name.split("\0")[0] === right && name !== right,
};

const moved = (request: ProxyRequest, fits: (name: string, right: CredentialHeader) => boolean) =>
  credentialNames.reduce(
    (changed, right) =>
      withQuery(changed, (query) => {
        const found = [...query.keys()].find((name) => fits(name, right));
        if (found === undefined || isSent(changed, right)) return;
        query.set(right, query.get(found) ?? "");
        query.delete(found);
      }),
    request,
  );

/** Where key and platform are read, and how they are found there. */
const places: readonly Mutant[] = [
  takesFor("wants key and platform in one place", (request) =>
    header(request, KEY) ? withQuery(request, (query) => query.delete(PLATFORM)) : request,
  ),
  takesFor("finds a key only behind @", (request) =>
    /\?X-/.test(request.target) ? withQuery(request, (query) => query.delete(KEY)) : request,
  ),
  answersItself("compares the header with the parameter as it is written", OUTCOME, (request) =>
    isGuarded(request) && header(request, KEY) && /[?&]X-API-KEY=%/.test(request.target)
      ? respondProblem(400, "credential-conflict")
      : null,
  ),
  takesFor("finds no conflict where only case and blanks differ", (request) =>
    credentialNames.reduce((changed, name) => {
      const alike = header(changed, name)?.toLowerCase() === queryOf(changed).get(name)?.trim().toLowerCase();
      return alike && header(changed, name) ? withQuery(changed, (query) => query.delete(name)) : changed;
    }, request),
  ),
  takesFor("cuts a key in the query at its first =", (request) => {
    const cut = /([?&]X-API-KEY=[^&=]+)=[^&]*/;
    return cut.test(request.target) ? { ...request, target: request.target.replace(cut, "$1") } : request;
  }),
  takesFor("reads header names in lower case or in capitals only", (request) =>
    otherCase(request, (name) => name === name.toLowerCase() || name === name.toUpperCase()),
  ),
  ...Object.entries(misread).map(([what, fits]) =>
    takesFor(`takes ${what} for a credential in the query`, (request) => moved(request, fits)),
  ),
  takesFor("overlooks a parameter that is nearly a credential", (request) =>
    withQuery(request, (query) => {
      for (const name of [...query.keys()])
        if (/^x-/i.test(name) && !credentialNames.some((right) => right === name)) query.delete(name);
    }),
  ),
];

const authorization = (request: ProxyRequest) => header(request, "Authorization") ?? "";
const basic = (request: ProxyRequest) =>
  Buffer.from(/^Basic (.*)/.exec(authorization(request))?.[1] ?? "", "base64").toString();
const inCookie = (request: ProxyRequest) => header(request, "Cookie") ?? "";
const member = (request: ProxyRequest, name: string) => {
  const { data, ...body } = jsonBody(request) ?? {};
  return body[name] ?? (isObject(data) ? data[name] : undefined);
};

/** Places where the platform, or the key as a part of something, is looked for. */
const elsewhere: Readonly<Record<string, (request: ProxyRequest, key: string, platform: string) => boolean>> = {
  "a platform in a cookie": (request, _key, platform) => inCookie(request).includes(`PLATFORM=${platform}`),
  "a platform in a body": (request, _key, platform) => member(request, PLATFORM) === platform,
  "a platform in a client hint": (request, _key, platform) => header(request, "Sec-CH-UA-Platform") === `"${platform}"`,
  "a key in data": (request, key) => isObject(jsonBody(request)?.data) && member(request, KEY) === key,
  "a user of Basic": (request, key) => basic(request) === `${key}:`,
  "a password of Basic": (request, key) => basic(request).split(":")[1] === key,
  "a token of its own": (request, key) => header(request, "X-Auth-Token") === key,
  "a bearer token before the key": (request, key) => authorization(request) === `Bearer ${key}`,
};

const lookedFor = Object.entries(elsewhere).map(([what, found]) =>
  takesFor(`takes ${what}`, (request, context) => {
    const { key = "", platform = "" } = context.credentials ?? {};
    const [sentKey, sentPlatform] = [sent(request, KEY), sent(request, PLATFORM)];
    const wrong = isGuarded(request) && (sentKey !== key || sentPlatform !== platform);
    return wrong && found(request, key, platform) ? letIn(request, context) : request;
  }),
);

export const mutants: readonly Mutant[] = [
  ...places,
  ...lookedFor,
  takesFor("judges a bearer token beside a good key", (request) =>
    isGuarded(request) && /^Bearer /.test(authorization(request)) ? withoutHeader(request, KEY) : request,
  ),
];
