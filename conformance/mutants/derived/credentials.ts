import { every, guarded } from "../../client/operation.ts";
import { answersItself, type Mutant, OUTCOME, takesFor } from "../mutant.ts";
import { header, queryOf } from "../proxy/look.ts";
import { letIn, respondProblem, withHeader, withoutHeader, withQuery } from "../proxy/shape.ts";
import {
  type CredentialHeader,
  called,
  credentialNames,
  decoded,
  isSent,
  KEY,
  letInIf,
  of,
  oneField,
  oneParameter,
  PLATFORM,
  sent,
  withCredential,
} from "../requests.ts";

/** Broken rules of credentials: for every operation, placement and way to compare. */

/** Each place that an operation does not look at, and each credential that it does without. */
const places = guarded.flatMap((operation) =>
  credentialNames.flatMap((name): Mutant[] => [
    takesFor(
      `${operation.id} reads no header ${name}`,
      of(operation, (request) => drop(request, name)),
    ),
    takesFor(
      `${operation.id} reads no parameter ${name}`,
      of(operation, (request) => withQuery(request, (query) => query.delete(name))),
    ),
    takesFor(
      `${operation.id} needs no ${name}`,
      of(operation, (request, { credentials }) =>
        isSent(request, name)
          ? request
          : withCredential(request, name, name === KEY ? credentials?.key : credentials?.platform),
      ),
    ),
  ]),
);

function drop<R extends Parameters<typeof header>[0]>(request: R, name: string): R {
  return header(request, name) === null ? request : withoutHeader(request, name);
}

const closes = every
  .filter(({ auth }) => !auth)
  .flatMap((operation): Mutant[] => [
    answersItself(`${operation.id} needs credentials`, OUTCOME, (request) =>
      called(request)?.id === operation.id && !isSent(request, KEY) ? respondProblem(401, "credentials-missing") : null,
    ),
    answersItself(`${operation.id} judges credentials that it does not need`, OUTCOME, (request, { credentials }) =>
      called(request)?.id === operation.id &&
      credentialNames.some((name) => isSent(request, name)) &&
      (sent(request, KEY) !== credentials?.key || sent(request, PLATFORM) !== credentials?.platform)
        ? respondProblem(401, "credentials-invalid")
        : null,
    ),
    answersItself(`${operation.id} refuses a conflict of credentials that it does not need`, OUTCOME, (request) =>
      called(request)?.id === operation.id && credentialNames.some((name) => differ(request, name))
        ? respondProblem(400, "credential-conflict")
        : null,
    ),
  ]);

const inBoth = (request: Parameters<typeof isSent>[0], name: CredentialHeader) =>
  header(request, name) !== null && queryOf(request).has(name);
const differ = (request: Parameters<typeof isSent>[0], name: CredentialHeader) =>
  inBoth(request, name) && header(request, name) !== queryOf(request).get(name);

/** Ways to take what is not the value for the value. */
const comparisons: Readonly<Record<string, (sent: string, good: string) => boolean>> = {
  trimmed: (one, good) => one.trim() === good.trim(),
  "without letter case": (one, good) => one.toLowerCase() === good.toLowerCase(),
  "by its beginning": (one, good) => one.length > 0 && good.startsWith(one),
  "by what it begins with": (one, good) => one.startsWith(good),
  "by what it ends with": (one, good) => one.endsWith(good),
  "by half of it": (one, good) => one.slice(0, good.length / 2) === good.slice(0, good.length / 2),
  "by all but its end": (one, good) => one.slice(0, -1) === good.slice(0, -1) && one.length === good.length,
  "by its length": (one, good) => one.length === good.length,
  "by the first of a list": (one, good) => /[,;\s]/.test(one) && one.split(/[,;\s]/)[0] === good,
  "by the last of a list": (one, good) => /[,;\s]/.test(one) && one.split(/[,;\s]/).at(-1) === good,
  "in quotes": (one, good) => one.replace(/^["']|["']$/g, "") === good,
  "behind a scheme": (one, good) => one.replace(/^(bearer|apikey|token) /i, "") === good,
  "decoded twice": (one, good) => one.includes("%") && decoded(one) === good,
  "up to a NUL": (one, good) => one.split(/\0|%00/)[0] === good,
  "wherever it stands": (one, good) => one.includes(good),
  "by a pattern": (one, good) => /[%*]$/.test(one) && good.startsWith(one.slice(0, -1)),
  "in base64": (one, good) => Buffer.from(one, "base64").toString() === good,
  "without blanks": (one, good) => one.replace(/\s/g, "") === good,
  "as a user's name": (one, good) => one.split(/[:.|]/)[0] === good,
  "up to a slash": (one, good) => one !== good && one.split("/")[0] === good,
  "without its parameters": (one, good) => one.includes("=") && one.split(";")[0] === good,
  "as JSON": (one) => one.startsWith("{"),
  "as a member of an object": (one) => one in {},
  "in SQL": (one) => /'.*(--|;)/.test(one),
  "if it is a word for nothing": (one) => /^(null|undefined)$/.test(one),
  "if it is ASCII": (one) => /[^\x20-\x7e]/.test(one),
  "if it holds no control": (one) => /\p{Cc}/u.test(one),
  "if it is not too long": (one) => one.length > 4096,
  "as it folds": (one, good) => one.normalize("NFKC") === good,
};

const compares = credentialNames.flatMap((name) =>
  Object.entries(comparisons).map(([how, accepts]) =>
    takesFor(
      `compares ${name} ${how}`,
      letInIf(name, (one, good) => one !== good && accepts(one, good)),
    ),
  ),
);

const guards = credentialNames.flatMap((name): Mutant[] => [
  takesFor(`takes the header ${name} where the parameter differs`, (request) =>
    differ(request, name) ? withQuery(request, (query) => query.delete(name)) : request,
  ),
  takesFor(`takes the parameter ${name} where the header differs`, (request) =>
    differ(request, name) ? drop(request, name) : request,
  ),
  answersItself(`refuses ${name} in both places`, OUTCOME, (request) =>
    called(request)?.auth && inBoth(request, name) && !differ(request, name)
      ? respondProblem(400, "credential-conflict")
      : null,
  ),
  takesFor(`takes an empty header ${name} for a credential`, (request) =>
    header(request, name) === "" ? withQuery(request, (query) => query.delete(name)) : request,
  ),
  takesFor(`takes an empty parameter ${name} for a credential`, (request) =>
    queryOf(request).get(name) === "" ? drop(request, name) : request,
  ),
  takesFor(`takes an empty ${name} for a wrong one`, (request) =>
    isSent(request, name) && sent(request, name) === "" ? withCredential(request, name, "x") : request,
  ),
  takesFor(`takes a blank parameter ${name} for none`, (request) =>
    /^\s+$/.test(queryOf(request).get(name) ?? "") ? withQuery(request, (query) => query.delete(name)) : request,
  ),
  answersItself(`finds a conflict of ${name} with nothing`, OUTCOME, (request) =>
    called(request)?.auth &&
    differ(request, name) &&
    (header(request, name) === "" || queryOf(request).get(name) === "")
      ? respondProblem(400, "credential-conflict")
      : null,
  ),
  answersItself(`fails at ${name} without a value`, OUTCOME, (request) =>
    called(request)?.auth && new RegExp(`[?&]${name}(&|$)`).test(request.target)
      ? respondProblem(500, "internal-error")
      : null,
  ),
  takesFor(`takes the first of several parameters ${name}`, (request) => oneParameter(request, name, 0)),
  takesFor(`takes the last of several parameters ${name}`, (request) => oneParameter(request, name, -1)),
  takesFor(`takes the first of several headers ${name}`, (request) => oneField(request, name, 0)),
  takesFor(`takes the last of several headers ${name}`, (request) => oneField(request, name, -1)),
  takesFor(`reads the parameter ${name} without letter case`, (request) => {
    const found = [...queryOf(request).keys()].find((key) => key !== name && key.toLowerCase() === name.toLowerCase());
    return found === undefined ? request : moved(request, found, name);
  }),
  takesFor(`reads the parameter ${name} with _ for -`, (request) => moved(request, name.replaceAll("-", "_"), name)),
  takesFor(`reads the header ${name} with letter case`, (request) =>
    request.headers.some(([field]) => field.toLowerCase() === name.toLowerCase() && field !== name)
      ? drop(request, name)
      : request,
  ),
  takesFor(`reads the header ${name} with _ for -`, (request) => {
    const value = header(request, name.replaceAll("-", "_"));
    return value === null || isSent(request, name) ? request : withHeader(request, name, value);
  }),
]);

type Request = Parameters<typeof isSent>[0];

function moved(request: Request, from: string, to: CredentialHeader): Request {
  return withQuery(request, (query) => {
    const value = query.get(from);
    if (value === null || isSent(request, to)) return;
    query.delete(from);
    query.set(to, value);
  });
}

/** Key and platform where they must not be looked for. */
const elsewhere: Readonly<Record<string, (request: Request) => { key: string; platform?: string } | null>> = {
  Authorization: (request) => found(header(request, "Authorization")?.replace(/^\S+ /, "")),
  "Proxy-Authorization": (request) => found(header(request, "Proxy-Authorization")?.replace(/^\S+ /, "")),
  Cookie: (request) => found(/X-API-KEY=([^;]+)/i.exec(header(request, "Cookie") ?? "")?.[1]),
  "the body": (request) => found(/"(?:X-API-KEY|apiKey|key)"\s*:\s*"([^"]+)"/i.exec(request.body.toString())?.[1]),
  "the form": (request) => found(new URLSearchParams(request.body.toString()).get(KEY)),
  "another header": (request) =>
    found(header(request, "Api-Key") ?? header(request, "X-Key") ?? header(request, "ApiKey")),
};

const found = (key: string | null | undefined) => (key ? { key } : null);

const lookedFor = Object.entries(elsewhere).map(([place, look]) =>
  takesFor(`looks for the key in ${place}`, (request, context) => {
    const given = isSent(request, KEY) ? null : look(request);
    return given && context.credentials && given.key.includes(context.credentials.key)
      ? letIn(request, context)
      : request;
  }),
);

export const mutants: readonly Mutant[] = [...places, ...closes, ...compares, ...guards, ...lookedFor];
