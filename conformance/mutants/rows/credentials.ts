import { operations } from "../../../generated/operations.ts";
import { answersItself, answersOtherwise, type Mutant, OUTCOME } from "../mutant.ts";
import { changed } from "../operators.ts";
import { header, queryOf } from "../proxy/look.ts";
import type { ProxyAnswer, ProxyRequest } from "../proxy/message.ts";
import { respondProblem, withAddedHeader, withJson } from "../proxy/shape.ts";
import { called, credentialNames, KEY, PLATFORM, sent } from "../requests.ts";
import { problemOf, successOf } from "../selectors.ts";

/** What is judged where nobody needs credentials, and what is told of a key. */

/** Public operations that judge, all the same. */
const judged: Readonly<Record<string, (request: ProxyRequest) => ProxyAnswer | null>> = {
  "an unknown platform": (request) =>
    ["", "web"].includes(sent(request, PLATFORM)) ? null : respondProblem(403, "platform-not-allowed"),
  Authorization: (request) => (header(request, "Authorization") ? respondProblem(401, "credentials-invalid") : null),
  "credentials in the query": (request) =>
    credentialNames.some((name) => queryOf(request).has(name)) ? respondProblem(422, "invalid-input") : null,
  "a key that is not ASCII": (request) =>
    /[^\x20-\x7e]/.test(sent(request, KEY)) ? respondProblem(500, "internal-error") : null,
  "a long key": (request) => (sent(request, KEY).length > 1000 ? respondProblem(400, "malformed-request") : null),
};

const closes = Object.entries(judged).map(([what, refusal]) =>
  answersItself(`refuses ${what} where nobody needs credentials`, OUTCOME, (request) =>
    called(request)?.auth === false ? refusal(request) : null,
  ),
);

const detailed = (answer: ProxyAnswer, change: (detail: string) => string) =>
  withJson(answer, (problem) => ({ ...problem, detail: change(String(problem.detail)) }));

/** What a refusal says of the key that was sent. */
const tells: Readonly<Record<string, (answer: ProxyAnswer, key: string, good: string) => ProxyAnswer>> = {
  "that it is malformed": (answer, key, good) =>
    isFormed(key, good) ? answer : detailed(answer, () => "The API key is malformed."),
  "that it has a wrong length": (answer, key) =>
    key.length > 200 || key.length < 5 ? detailed(answer, () => "The API key is too long, or too short.") : answer,
  "in its title that it was valid once": (answer, key, good) =>
    isFormed(key, good) ? withJson(answer, (problem) => ({ ...problem, title: `${problem.title}: expired` })) : answer,
  "in a header that it was valid once": (answer, key, good) =>
    isFormed(key, good) ? withAddedHeader(answer, "X-Key-Status", "expired") : answer,
  "how it ends": (answer, key) => detailed(answer, (detail) => `${detail} …${key.slice(-4).replace(/[^ -~]/g, "")}`),
};

const isFormed = (key: string, good: string) => key.slice(0, 4) === good.slice(0, 4) && key.length === good.length;

const told: readonly Mutant[] = [
  ...Object.entries(tells).map(([what, tell]) =>
    answersOtherwise(
      problemOf("credentials-invalid"),
      `says of a key ${what}`,
      ["body:/detail", "body:/title", "header:x-key-status"],
      (answer, request, { credentials }) => tell(answer, sent(request, KEY), credentials?.key ?? ""),
    ),
  ),
  ...Object.entries({
    "names both": () => `Send ${KEY} and ${PLATFORM}.`,
    "names none": () => "Credentials are missing.",
    "names the first only": (detail: string) => (detail.includes(KEY) ? `Missing: ${KEY}.` : detail),
  }).map(([what, change]) =>
    answersOtherwise(problemOf("credentials-missing"), what, ["body:/detail"], (answer) => detailed(answer, change)),
  ),
];

/** A page that says other names to who has another key. */
const apart = answersOtherwise(
  successOf(operations["user.list"], 200),
  "has other names for another key",
  ["body:/items"],
  (answer, request, { credentials }) =>
    sent(request, KEY) === credentials?.key
      ? answer
      : withJson(answer, (page) => changed(page, ["items", "*", "name"], () => "Somebody")),
);

export const mutants: readonly Mutant[] = [...closes, ...told, apart];
