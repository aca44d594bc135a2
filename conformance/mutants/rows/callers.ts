import type { Aspect } from "../../client/expectation.ts";
import { every } from "../../client/operation.ts";
import { refusal } from "../derived/limits.ts";
import {
  answersItself,
  answersOtherwise,
  changesAnswer,
  type Mutant,
  OUTCOME,
  type Selector,
  takesFor,
} from "../mutant.ts";
import { values } from "../proxy/head.ts";
import { header, jsonAnswer } from "../proxy/look.ts";
import type { ProxyAnswer, ProxyRequest } from "../proxy/message.ts";
import { withHeader, withJson, withoutHeader } from "../proxy/shape.ts";
import { called } from "../requests.ts";

/** What a caller says of itself: the id of its request, and its address. */

const ID = "X-Request-Id";
const FORM = /^[A-Za-z0-9._-]{1,64}$/;
const idOf = (request: ProxyRequest | null) => (request ? header(request, ID) : null);

const ECHO: readonly Aspect[] = ["header:x-request-id"];

const identified: Selector = { name: "answers to an id", takes: (_answer, request) => idOf(request) !== null };
const anonymous: Selector = {
  name: "answers to no id",
  takes: (_answer, request) => request !== null && idOf(request) === null,
};

/** The id of an answer, made from that of the request; null leaves it. */
const says = (
  selector: Selector,
  name: string,
  id: (sent: string, answer: ProxyAnswer, request: ProxyRequest) => string | null,
) =>
  changesAnswer(selector, {
    name,
    breaks: ECHO,
    change: (answer, request) => {
      const changed = request && id(idOf(request) ?? "", answer, request);
      return changed === null ? answer : withHeader(answer, ID, changed);
    },
  });

/** Good ids that a server does not take. */
const ignored: Readonly<Record<string, (id: string, request: ProxyRequest) => boolean>> = {
  "at all": () => true,
  "of more than 63 characters": (id) => id.length > 63,
  "of one character": (id) => id.length < 2,
  "that are no UUID": (id) => !/^[\da-f]{8}-/.test(id),
  "with a dot": (id) => id.includes("."),
  "that an object has as members": (id) => id in {},
  ...Object.fromEntries(
    every.map((one) => [`with ${one.id}`, (_id: string, request: ProxyRequest) => called(request)?.id === one.id]),
  ),
};

/** Bad ids that a server takes. */
const taken: Readonly<Record<string, RegExp>> = {
  "of 65 characters": /^.{65}$/,
  "with a blank": /^[\w.-]+ [\w.-]+$/,
  "with bytes beyond ASCII": /^[\w\x80-\xff-]+$/,
  "with escapes": /^[\w%.:-]+$/,
  "with some good character": /[\w.-]/,
};

const kinds: Readonly<Record<string, (answer: ProxyAnswer, request: ProxyRequest) => boolean>> = {
  "of refusals": ({ status }) => status >= 400,
  "of what is refused before it is read": ({ status }) => status === 413 || status === 417,
  "to OPTIONS": (_answer, { method }) => method === "OPTIONS",
  "to HEAD": (_answer, { method }) => method === "HEAD",
  "that redirect": ({ status }) => status === 308,
  "with a tag": (answer) => header(answer, "ETag") !== null,
};

const ids: readonly Mutant[] = [
  ...Object.entries(ignored).map(([which, holds]) =>
    takesFor(
      `takes no ids ${which}`,
      (request) => {
        const sent = idOf(request) ?? "";
        return FORM.test(sent) && holds(sent, request) ? withoutHeader(request, ID) : request;
      },
      ECHO,
    ),
  ),
  ...Object.entries(taken).map(([which, form]) =>
    says(identified, `say ids ${which}`, (sent) => (form.test(sent) && !FORM.test(sent) ? sent : null)),
  ),
  ...Object.entries(kinds).flatMap(([which, isSo]) => [
    says(identified, `have ids of their own: those ${which}`, (_sent, ...of) => (isSo(...of) ? "new" : null)),
    says(identified, `say whatever id: those ${which}`, (sent, ...of) => (isSo(...of) ? sent : null)),
    says(anonymous, `have one id: those ${which}`, (_sent, ...of) => (isSo(...of) ? "refused" : null)),
  ]),
  says(identified, "say an id that looks like a key", (sent) => (/^[a-z]+_[\da-f]{40,}$/.test(sent) ? sent : null)),
  says(identified, "cut a long id", (sent) => (sent.length > 64 ? sent.slice(0, 65) : null)),
  ...["Request-Id", "X-Correlation-Id", "X-Amzn-Trace-Id", "Idempotency-Key"].map((name) =>
    says(anonymous, `say the id of ${name}`, (_sent, _answer, request) => header(request, name)),
  ),
  ...Object.entries({ first: 0, last: -1 }).map(([which, at]) =>
    says(identified, `say the ${which} of several ids`, (_sent, _answer, request) => {
      const all = values(request.headers, ID);
      return all.length > 1 ? (all.at(at) ?? null) : null;
    }),
  ),
  says(identified, "say ids in lower case", (_sent, answer) => header(answer, ID)?.toLowerCase() ?? null),
  says(anonymous, "count seconds for an id", () => String(Math.floor(Date.now() / 10_000))),
  answersOtherwise(identified, "say which id was not taken", ECHO, (answer, request) =>
    FORM.test(idOf(request) ?? "") ? answer : withHeader(answer, "X-Rejected", idOf(request) ?? ""),
  ),
  answersOtherwise(anonymous, "count to 256", ECHO, (answer, _request, { state }) => {
    const count = (Number(state.get("ids") ?? 0) + 1) % 256;
    state.set("ids", count);
    return withHeader(answer, ID, String(count));
  }),
  answersItself("refuses a bad id", OUTCOME, (request) =>
    FORM.test(idOf(request) ?? "good") ? null : refusal("malformed-request"),
  ),
  takesFor(
    "reads the id by one spelling of its name",
    (request) => (request.headers.some(([name]) => /^x-request-id$/.test(name)) ? withoutHeader(request, ID) : request),
    ECHO,
  ),
];

const located: Selector = {
  name: "the caller's address",
  takes: (answer) => typeof jsonAnswer(answer)?.clientAddress === "string",
};

const shows = (how: string, address: (known: string, request: ProxyRequest) => string | null | undefined) =>
  answersOtherwise(located, how, ["body:/clientAddress"], (answer, request) =>
    withJson(answer, (json) => ({
      ...json,
      clientAddress: address(String(json.clientAddress), request) ?? json.clientAddress,
    })),
  );

/** Entries of a list of addresses that a server believes. */
const believed: Readonly<Record<string, (value: string) => string | undefined>> = {
  first: (value) => value.split(",")[0]?.trim(),
  last: (value) => value.split(",").at(-1)?.trim(),
  whole: (value) => value,
  "first of several": (value) => (value.includes(",") ? value.split(",")[0]?.trim() : undefined),
};

const addresses: readonly Mutant[] = [
  shows("is mapped to IPv6", (known) => `::ffff:${known}`),
  shows("is one for all", () => "192.0.2.77"),
  shows("has its port", (known) => `${known}:50000`),
  shows("is hidden from who has a key", (_known, request) => (header(request, "X-API-KEY") ? "hidden" : null)),
  shows("is mapped outside the endpoint", (known, request) => (called(request) ? null : `::ffff:${known}`)),
  ...Object.entries(believed).map(([which, read]) =>
    shows(
      `is the ${which} of X-Forwarded-For`,
      (_known, request) => read(header(request, "X-Forwarded-For") ?? "") || null,
    ),
  ),
  ...["Forwarded", "X-Real-IP", "CF-Connecting-IP", "Fly-Client-IP"].map((name) =>
    shows(`is that of ${name}`, (_known, request) => /(?:for=)?([\d.]+)/.exec(header(request, name) ?? "")?.[1]),
  ),
  answersItself("breaks at a forwarded address that is none", OUTCOME, (request) =>
    /^[^\d]*$/.test(header(request, "X-Forwarded-For") ?? "1") ? refusal("internal-error") : null,
  ),
];

export const mutants: readonly Mutant[] = [...ids, ...addresses];
