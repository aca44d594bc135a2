import { CANARY, type Difference, type Memory } from "../exchange.ts";
import type { Contract } from "../oracle/contract.ts";
import { stringOf } from "../oracle/values.ts";
import { differs, excerpt, firstOf, type Part, withWord } from "./difference.ts";
import { agree, always, type Law, law } from "./law.ts";
import type { ParsedExchange } from "./parsed-exchange.ts";

/** Laws for every error response: an RFC 9457 problem document (Errors, D8, D10). */

const PROBLEM = "application/problem+json";
const MEMBERS = ["type", "title", "status", "detail", "code", "requestId"];

/**
 * Error responses that an operation documents as its own: a health document with the status `fail`
 * (D28).
 */
const isDocumented = (parsed: ParsedExchange) =>
  parsed.once("documented as its own", () => {
    const called = Object.values(parsed.contract.operations).find(
      ({ name }) => name === parsed.reading.name,
    );
    return called?.answers.some(
      (one) => one.status === parsed.status && one.mediaTypes.includes(parsed.mediaType),
    );
  }) === true;

/** CONNECT is for proxies: a server may close the connection without a problem document. */
const isRejection = (parsed: ParsedExchange) =>
  parsed.status >= 400 && !parsed.isConnect && !isDocumented(parsed);
/**
 * Only of a body that is a JSON object: `errors/media-type` and `errors/members` report any other.
 */
const isProblem = (parsed: ParsedExchange) =>
  isRejection(parsed) && !parsed.isHead && parsed.object !== null;

/** The number of members of a JSON text, repeated ones included. */
const colons = (text: string) => text.replace(/"(?:[^"\\]|\\.)*"/g, "").split(":").length - 1;

/**
 * Whether an object of a JSON body has a duplicate name: parsers keep one of the two, and not all
 * the same one.
 */
export const repeatsName = ({ text, json }: ParsedExchange): boolean =>
  colons(text) > colons(JSON.stringify(json));

function mediaType(parsed: ParsedExchange): Difference | null {
  if (parsed.mediaType !== PROBLEM) return differs("header:content-type", PROBLEM, parsed.shown);
  // A client cannot decode a body that is not in the announced coding.
  if (parsed.coding !== "identity" && parsed.response.body.toString("latin1", 0, 1) === "{")
    return differs("header:content-encoding", "the coding that the problem is in", parsed.coding);
  return parsed.isHead || parsed.object
    ? null
    : differs("body", "one JSON object in UTF-8", parsed.shown);
}

function members(parsed: ParsedExchange): Difference | null {
  const { contract, object } = parsed;
  if (!object) return differs("body", "a JSON object", parsed.shown);
  for (const member of MEMBERS) {
    const wanted = member === "status" ? "number" : "string";
    const value = object[member];
    if (typeof value !== wanted || value === "")
      return differs(
        `body:/${member}`,
        `the member ${member}, a ${wanted} that is not empty`,
        parsed.shown,
      );
  }
  const { code, errors } = object;
  if (!Object.hasOwn(contract.problems, stringOf(code)))
    return differs("body:/code", "a documented code", excerpt(stringOf(code)));
  const isOfInput = code === "invalid-input";
  if (isOfInput && !Array.isArray(errors))
    return differs("body:/errors", "the list errors", parsed.shown);
  if (repeatsName(parsed)) return differs("body", "each member once", parsed.shown);
  const allowed = isOfInput ? [...MEMBERS, "errors"] : MEMBERS;
  const extra = Object.keys(object).filter((member) => !allowed.includes(member));
  if (extra.length === 0) return null;
  return differs(
    `body:/${extra[0]}`,
    `no other members than ${allowed.join(", ")}`,
    extra.join(", "),
  );
}

function status({ contract, object, status, shown }: ParsedExchange): Difference | null {
  const code = stringOf(object?.code);
  const documented = contract.problems[code]?.status ?? status;
  if (documented !== status)
    return differs("status", `status ${documented} with the code ${code}`, shown);
  return object?.status === status
    ? null
    : differs("body:/status", `the member status ${status}`, shown);
}

/**
 * The same address for every code and every request, whatever `Host` and the fields of proxies are.
 */
function type(parsed: ParsedExchange, memory: Memory): Difference | null {
  const { type = null } = parsed.object ?? {};
  const code = stringOf(parsed.object?.code);
  const known = `the right type ${stringOf(type)} of ${code}`;
  if (memory.has(known)) return null;
  const text = excerpt(stringOf(type));
  // A URL parser removes blanks around a URL; a URI has none (RFC 3986).
  const uri =
    typeof type === "string" && /^[!-~]+$/.test(type) && URL.canParse(type) ? new URL(type) : null;
  if (!uri || !/^https?:$/.test(uri.protocol))
    return differs("body:/type", "an absolute http or https URI as type", text);
  if (!uri.searchParams.get("@") || !uri.pathname.endsWith("/api/"))
    return differs("body:/type", "a type that names a document of the endpoint", text);
  if (uri.hash !== `#${code}`) return differs("body:/type", `a type that ends in #${code}`, text);
  const difference = agree(
    memory,
    "the deployment that type names",
    uri.href.replace(/\/api\/\?.*$/, ""),
    "body:/type",
  );
  if (!difference) memory.set(known, "");
  return difference;
}

function requestId(parsed: ParsedExchange): Difference | null {
  const id = parsed.header("x-request-id");
  if (id === undefined) return differs("header:x-request-id", "an X-Request-Id", parsed.shown);
  const said = parsed.object?.requestId;
  if (said === id) return null;
  return differs(
    "body:/requestId",
    `the requestId of X-Request-Id, ${id}`,
    excerpt(stringOf(said)),
  );
}

const never500 = (parsed: ParsedExchange) =>
  parsed.status === 500 ? differs("status", "no answer with status 500", parsed.shown) : null;

/** Independent of what `Accept` prefers or excludes. */
const isPredictedProblem = (parsed: ParsedExchange) => {
  const { prediction } = parsed.exchange;
  return (
    parsed.sent("Accept").length > 0 &&
    Boolean(prediction?.code) &&
    parsed.status === prediction?.status
  );
};
const whateverAccept = ({ mediaType }: ParsedExchange) =>
  mediaType === PROBLEM
    ? null
    : differs("header:content-type", `a problem as ${PROBLEM}`, mediaType || "none");

/** The word of a run that a request has. */
const wordIn = ({
  request: { method, target, fields, body },
}: ParsedExchange): string | undefined =>
  CANARY.exec(`${method} ${target} ${fields.join()} ${body}`.toLowerCase())?.[0];

/** A number that is no part of a longer word, and long enough not to be in a text by chance. */
const NUMBER = /(?<![\w./-])(?:-\d+|\d{3,})(?:\.\d+)?(?![\w.-])/g;
const numbersIn = (text: string): ReadonlySet<string> => new Set(text.match(NUMBER));

const known = new WeakMap<Contract, ReadonlySet<string>>();
/** The numbers that a contract has: a problem may name a bound. */
function numbersOf(contract: Contract): ReadonlySet<string> {
  const numbers = known.get(contract) ?? numbersIn(JSON.stringify(contract));
  known.set(contract, numbers);
  return numbers;
}

/** The values of parameters, and the body. */
const sentIn = ({ reading, request }: ParsedExchange) =>
  [...reading.inputParameters.map(([, value]) => value), request.body].join(" ");

/** The place of a fault in a JSON text is a number too. */
const mayRepeat = ({ object }: ParsedExchange) => object?.code === "malformed-json";

/** A number of the request that a problem repeats; null if there is none. */
function numberAgain(parsed: ParsedExchange): Difference | null {
  if (mayRepeat(parsed) || parsed.isHead) return null;
  const numbers = [...numbersIn(sentIn(parsed))].filter(
    (one) => !numbersOf(parsed.contract).has(one),
  );
  if (numbers.length === 0) return null;
  return firstOf(bodyTexts(parsed), ([aspect, text]) => {
    const actual = numbers.find((one) => numbersIn(text).has(one));
    return actual === undefined
      ? null
      : differs(aspect, `nothing of the number ${actual} of the request`, excerpt(text));
  });
}

/** A problem by its members; as a whole where it is no JSON object. */
function bodyTexts({ object, text }: ParsedExchange): readonly Part[] {
  if (!object) return [["body", text]];
  const { requestId: _, ...problem } = object;
  return Object.entries(problem).map(([name, value]) => [
    `body:/${name}`,
    JSON.stringify([name, value]),
  ]);
}

/**
 * No problem repeats a word of its request; a request id may. A server that masks what it repeats
 * may still show its beginning or its end.
 */
function noEcho(parsed: ParsedExchange): Difference | null {
  const word = wordIn(parsed);
  if (word === undefined) return numberAgain(parsed);
  const expected = `nothing of the word ${word} of the request`;
  const head = parsed.head.filter(([aspect]) => aspect !== "header:x-request-id");
  const body = parsed.isHead ? [] : bodyTexts(parsed);
  return (
    withWord(head, [word], expected) ?? withWord(body, [word.slice(0, 4), word.slice(-4)], expected)
  );
}

/** Laws for every 422 `invalid-input` (D8). */

const POINTER = /^#(?:\/(?:[A-Za-z0-9\-._!$&'()*+,;=:@?]|%[0-9A-Fa-f]{2}|~[01]|\/)*)?$/;

const isInvalidInput = ({ status, isHead, object }: ParsedExchange) =>
  status === 422 && !isHead && object?.code === "invalid-input";
const reportedFaultsOf = ({ object }: ParsedExchange): readonly unknown[] =>
  Array.isArray(object?.errors) ? object.errors : [];

function faultDifference(fault: unknown, place: string): Difference | null {
  const { pointer, parameter, detail, ...extra } = Object(fault);
  const text = excerpt(JSON.stringify(fault));
  const [extraMember] = Object.keys(extra);
  if (typeof detail !== "string" || detail === "")
    return differs(`${place}/detail`, "a detail in each fault", text);
  if ((pointer === undefined) === (parameter === undefined))
    return differs(place, "either a pointer or a parameter", text);
  if (pointer !== undefined && (typeof pointer !== "string" || !POINTER.test(pointer)))
    return differs(`${place}/pointer`, "a JSON pointer as a URI fragment", text);
  if (parameter !== undefined && typeof parameter !== "string")
    return differs(`${place}/parameter`, "the name of a parameter", text);
  return extraMember === undefined
    ? null
    : differs(`${place}/${extraMember}`, "pointer or parameter, detail and nothing else", text);
}

function wellFormed(parsed: ParsedExchange): Difference | null {
  const faults = reportedFaultsOf(parsed);
  if (faults.length === 0)
    return differs("body:/errors", "a list of faults that is not empty", parsed.shown);
  return firstOf(faults.entries(), ([index, fault]) =>
    faultDifference(fault, `body:/errors/${index}`),
  );
}

function atMost(parsed: ParsedExchange): Difference | null {
  const most = parsed.contract.limits.faults;
  const { length } = reportedFaultsOf(parsed);
  return length > most ? differs("body:/errors", `at most ${most} faults`, String(length)) : null;
}

/**
 * An unknown member is reported at its parent, with the names that are allowed there, and never by
 * its own name.
 */
function unnamed(parsed: ParsedExchange): Difference | null {
  const { request, operation, text, exchange } = parsed;
  const [word] = CANARY.exec(request.target + request.body) ?? [];
  if (word !== undefined && text.includes(word))
    return differs("body:/errors", `nothing of the name ${word}`, excerpt(text));
  const known = Object.keys(operation?.input ?? {});
  return firstOf(exchange.prediction?.strangerAt ?? [], ({ place, allowed }) => {
    const names = allowed ?? known;
    const says = (fault: unknown) =>
      names.every((name) => stringOf(Object(fault).detail).includes(name));
    return reportedFaultsOf(parsed).some((fault) => Object(fault).pointer === place && says(fault))
      ? null
      : differs(
          "body:/errors",
          `a fault at ${place} that names ${names.join(" and ") || "nothing"}`,
          excerpt(text),
        );
  });
}

export const problemLaws: readonly Law[] = [
  law("errors/media-type", isRejection, mediaType),
  law("errors/members", (parsed) => isRejection(parsed) && !parsed.isHead, members),
  law("errors/status", isProblem, status),
  law("errors/type", isProblem, type),
  law("errors/request-id", isProblem, requestId),
  law("errors/never-500", always, never500),
  law("answers/problems-whatever-accept", isPredictedProblem, whateverAccept),
  law("errors/no-echo", (parsed) => parsed.status >= 400, noEcho),
  law("errors/invalid-input", isInvalidInput, wellFormed),
  law("errors/at-most-20", isInvalidInput, atMost),
  law(
    "input/unknown-not-named",
    (parsed) => isInvalidInput(parsed) && parsed.operation !== null,
    unnamed,
  ),
];
