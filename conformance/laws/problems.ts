import { CANARY, type Difference, type Memory } from "../exchange.ts";
import type { Contract } from "../oracle/contract.ts";
import { differs, excerpt, firstOf, type Part, stringOf, withWord } from "./difference.ts";
import { agree, always, law, type ViewLaw } from "./law.ts";
import type { View } from "./view.ts";

/** Laws for every error response: an RFC 9457 problem document (Errors, D8, D10). */

const PROBLEM = "application/problem+json";
const MEMBERS = ["type", "title", "status", "detail", "code", "requestId"];

/** Error responses that an operation documents as its own: a health document with the status `fail` (D28). */
const isDocumented = (view: View) =>
  view.once("documented as its own", () => {
    const called = Object.values(view.contract.operations).find(
      ({ name }) => name === view.reading.name,
    );
    return called?.answers.some(
      (one) => one.status === view.status && one.mediaTypes.includes(view.mediaType),
    );
  }) === true;

/** CONNECT is for proxies: a server may close the connection without a problem document. */
const isRejection = (view: View) => view.status >= 400 && !view.isConnect && !isDocumented(view);
/** Only of a body that is a JSON object: `errors/media-type` and `errors/members` report any other. */
const isProblem = (view: View) => isRejection(view) && !view.isHead && view.object !== null;

/** The number of members of a JSON text, repeated ones included. */
const colons = (text: string) => text.replace(/"(?:[^"\\]|\\.)*"/g, "").split(":").length - 1;

/** Whether an object of a JSON body has a duplicate name: parsers keep one of the two, and not all the same one. */
export const repeatsName = ({ text, json }: View): boolean =>
  colons(text) > colons(JSON.stringify(json));

function mediaType(view: View): Difference | null {
  if (view.mediaType !== PROBLEM) return differs("header:content-type", PROBLEM, view.shown);
  // A client cannot decode a body that is not in the announced coding.
  if (view.coding !== "identity" && view.response.body.toString("latin1", 0, 1) === "{")
    return differs("header:content-encoding", "the coding that the problem is in", view.coding);
  return view.isHead || view.object
    ? null
    : differs("body", "one JSON object in UTF-8", view.shown);
}

function members(view: View): Difference | null {
  const { contract, object } = view;
  if (!object) return differs("body", "a JSON object", view.shown);
  for (const member of MEMBERS) {
    const wanted = member === "status" ? "number" : "string";
    const value = object[member];
    if (typeof value !== wanted || value === "")
      return differs(
        `body:/${member}`,
        `the member ${member}, a ${wanted} that is not empty`,
        view.shown,
      );
  }
  const { code, errors } = object;
  if (!Object.hasOwn(contract.problems, stringOf(code)))
    return differs("body:/code", "a documented code", excerpt(stringOf(code)));
  const isOfInput = code === "invalid-input";
  if (isOfInput && !Array.isArray(errors))
    return differs("body:/errors", "the list errors", view.shown);
  if (repeatsName(view)) return differs("body", "each member once", view.shown);
  const allowed = isOfInput ? [...MEMBERS, "errors"] : MEMBERS;
  const more = Object.keys(object).filter((member) => !allowed.includes(member));
  if (more.length === 0) return null;
  return differs(
    `body:/${more[0]}`,
    `no other members than ${allowed.join(", ")}`,
    more.join(", "),
  );
}

function status({ contract, object, status, shown }: View): Difference | null {
  const code = stringOf(object?.code);
  const documented = contract.problems[code]?.status ?? status;
  if (documented !== status)
    return differs("status", `status ${documented} with the code ${code}`, shown);
  return object?.status === status
    ? null
    : differs("body:/status", `the member status ${status}`, shown);
}

/** The same address for every code and every request, whatever `Host` and the fields of proxies are. */
function type(view: View, memory: Memory): Difference | null {
  const { type = null } = view.object ?? {};
  const code = stringOf(view.object?.code);
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
  const found = agree(
    memory,
    "the deployment that type names",
    uri.href.replace(/\/api\/\?.*$/, ""),
    "body:/type",
  );
  if (!found) memory.set(known, "");
  return found;
}

function requestId(view: View): Difference | null {
  const id = view.header("x-request-id");
  if (id === undefined) return differs("header:x-request-id", "an X-Request-Id", view.shown);
  const said = view.object?.requestId;
  if (said === id) return null;
  return differs(
    "body:/requestId",
    `the requestId of X-Request-Id, ${id}`,
    excerpt(stringOf(said)),
  );
}

const never500 = (view: View) =>
  view.status === 500 ? differs("status", "no answer with status 500", view.shown) : null;

/** Independent of what `Accept` prefers or excludes. */
const isPredictedProblem = (view: View) => {
  const { prediction } = view.exchange;
  return (
    view.sent("Accept").length > 0 &&
    Boolean(prediction?.code) &&
    view.status === prediction?.status
  );
};
const whateverAccept = ({ mediaType }: View) =>
  mediaType === PROBLEM
    ? null
    : differs("header:content-type", `a problem as ${PROBLEM}`, mediaType || "none");

/** The word of a run that a request has. */
const wordIn = ({ request: { method, target, fields, body } }: View): string | undefined =>
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
const sentIn = ({ reading, request }: View) =>
  [...reading.own.map(([, value]) => value), request.body].join(" ");

/** The place of a fault in a JSON text is a number too. */
const mayRepeat = ({ object }: View) => object?.code === "malformed-json";

/** A number of the request that a problem repeats; null if there is none. */
function numberAgain(view: View): Difference | null {
  if (mayRepeat(view) || view.isHead) return null;
  const numbers = [...numbersIn(sentIn(view))].filter((one) => !numbersOf(view.contract).has(one));
  if (numbers.length === 0) return null;
  return firstOf(bodyTexts(view), ([aspect, text]) => {
    const found = numbers.find((one) => numbersIn(text).has(one));
    return found === undefined
      ? null
      : differs(aspect, `nothing of the number ${found} of the request`, excerpt(text));
  });
}

/** A problem by its members; as a whole where it is no JSON object. */
function bodyTexts({ object, text }: View): readonly Part[] {
  if (!object) return [["body", text]];
  const { requestId: _, ...problem } = object;
  return Object.entries(problem).map(([name, value]) => [
    `body:/${name}`,
    JSON.stringify([name, value]),
  ]);
}

/**
 * No problem repeats a word of its request; a request id may. A server that masks what it repeats may still show its beginning or
 * its end.
 */
function noEcho(view: View): Difference | null {
  const word = wordIn(view);
  if (word === undefined) return numberAgain(view);
  const expected = `nothing of the word ${word} of the request`;
  const head = view.head.filter(([aspect]) => aspect !== "header:x-request-id");
  const body = view.isHead ? [] : bodyTexts(view);
  return (
    withWord(head, [word], expected) ?? withWord(body, [word.slice(0, 4), word.slice(-4)], expected)
  );
}

/** Laws for every 422 `invalid-input` (D8). */

const POINTER = /^#(?:\/(?:[A-Za-z0-9\-._!$&'()*+,;=:@?]|%[0-9A-Fa-f]{2}|~[01]|\/)*)?$/;

const isInvalidInput = ({ status, isHead, object }: View) =>
  status === 422 && !isHead && object?.code === "invalid-input";
const faultsOf = ({ object }: View): readonly unknown[] =>
  Array.isArray(object?.errors) ? object.errors : [];

function faultDifference(fault: unknown, at: string): Difference | null {
  const { pointer, parameter, detail, ...more } = Object(fault);
  const text = excerpt(JSON.stringify(fault));
  const [other] = Object.keys(more);
  if (typeof detail !== "string" || detail === "")
    return differs(`${at}/detail`, "a detail in each fault", text);
  if ((pointer === undefined) === (parameter === undefined))
    return differs(at, "either a pointer or a parameter", text);
  if (pointer !== undefined && (typeof pointer !== "string" || !POINTER.test(pointer)))
    return differs(`${at}/pointer`, "a JSON pointer as a URI fragment", text);
  if (parameter !== undefined && typeof parameter !== "string")
    return differs(`${at}/parameter`, "the name of a parameter", text);
  return other === undefined
    ? null
    : differs(`${at}/${other}`, "pointer or parameter, detail and nothing else", text);
}

function wellFormed(view: View): Difference | null {
  const faults = faultsOf(view);
  if (faults.length === 0)
    return differs("body:/errors", "a list of faults that is not empty", view.shown);
  return firstOf(faults.entries(), ([index, fault]) =>
    faultDifference(fault, `body:/errors/${index}`),
  );
}

function atMost(view: View): Difference | null {
  const most = view.contract.limits.faults;
  const { length } = faultsOf(view);
  return length > most ? differs("body:/errors", `at most ${most} faults`, String(length)) : null;
}

/** An unknown member is reported at its parent, with the names that are allowed there, and never by its own name. */
function unnamed(view: View): Difference | null {
  const { request, operation, text, exchange } = view;
  const [word] = CANARY.exec(request.target + request.body) ?? [];
  if (word !== undefined && text.includes(word))
    return differs("body:/errors", `nothing of the name ${word}`, excerpt(text));
  const known = Object.keys(operation?.input ?? {});
  return firstOf(exchange.prediction?.strangerAt ?? [], ({ place, allowed }) => {
    const names = allowed ?? known;
    const says = (fault: unknown) =>
      names.every((name) => stringOf(Object(fault).detail).includes(name));
    return faultsOf(view).some((fault) => Object(fault).pointer === place && says(fault))
      ? null
      : differs(
          "body:/errors",
          `a fault at ${place} that names ${names.join(" and ") || "nothing"}`,
          excerpt(text),
        );
  });
}

export const problemLaws: readonly ViewLaw[] = [
  law("errors/media-type", isRejection, mediaType),
  law("errors/members", (view) => isRejection(view) && !view.isHead, members),
  law("errors/status", isProblem, status),
  law("errors/type", isProblem, type),
  law("errors/request-id", isProblem, requestId),
  law("errors/never-500", always, never500),
  law("answers/problems-whatever-accept", isPredictedProblem, whateverAccept),
  law("errors/no-echo", (view) => view.status >= 400, noEcho),
  law("errors/invalid-input", isInvalidInput, wellFormed),
  law("errors/at-most-20", isInvalidInput, atMost),
  law(
    "input/unknown-not-named",
    (view) => isInvalidInput(view) && view.operation !== null,
    unnamed,
  ),
];
