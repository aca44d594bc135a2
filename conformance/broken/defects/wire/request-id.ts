import { caught } from "../../caught.ts";
import type { Defect, ProxyAnswer, ProxyRequest } from "../../defect.ts";
import { header, operationOf } from "../../look.ts";
import { withHeader, withoutHeader } from "../../shape.ts";
import { everywhere } from "./everywhere.ts";

const NAME = "X-Request-Id";
const FORM = /^[A-Za-z0-9._-]{1,64}$/;

const defect = (
  id: string,
  description: string,
  variants: readonly string[],
  reason: RegExp,
  hooks: Pick<Defect, "request" | "answer" | "unreadableAnswer">,
) =>
  caught(
    `http/request-id-${id}`,
    description,
    variants.map((variant) => `http/request-id${variant}`),
    reason,
    hooks,
  );

/** Another id in the answer to a request that has one. */
const answering = (
  change: (sent: string, answer: ProxyAnswer, request: ProxyRequest) => string,
): Pick<Defect, "answer"> => ({
  answer: (answer, request) => {
    const sent = header(request, NAME);
    return sent === null ? answer : withHeader(answer, NAME, change(sent, answer, request));
  },
});

/** The caller's id is ignored when it does not hold. */
const ignoring = (holds: (sent: string, request: ProxyRequest) => boolean): Pick<Defect, "request"> => ({
  request: (request) => {
    const sent = header(request, NAME);
    return sent === null || !holds(sent, request) ? request : withoutHeader(request, NAME);
  },
});

const current = (answer: ProxyAnswer) => header(answer, NAME) ?? "none";

export const requestIdDefects: readonly Defect[] = [
  defect(
    "ignored",
    "Never takes the caller's id.",
    [
      "#echoed",
      "#echoed-by-name-in-any-case",
      "#echoed-by-every-operation",
      "#echoed-everywhere",
      "#echoed-by-refusals",
      "#new-on-each-request-of-a-connection",
    ],
    /caller/,
    ignoring(() => true),
  ),
  defect(
    "any-echoed",
    "Takes whatever id the caller sends.",
    ["#replaced"],
    /new X-Request-Id|one X-Request-Id/,
    answering((sent) => sent),
  ),
  defect(
    "key-taken",
    "Takes a key for an id.",
    ["#of-the-form-of-a-key"],
    /new X-Request-Id/,
    answering((sent, answer) => (/^[a-z]+_[\da-f]{40,}$/.test(sent) ? sent : current(answer))),
  ),
  defect(
    "cut",
    "Cuts a long id instead of replacing it.",
    ["#replaced"],
    /one X-Request-Id|new X-Request-Id/,
    answering((sent, answer) => (sent.length > 64 ? sent.slice(0, 65) : current(answer))),
  ),
  defect(
    "65-taken",
    "Takes an id of 65 characters.",
    ["#replaced"],
    /X-Request-Id/,
    answering((sent, answer) => (sent.length === 65 ? sent : current(answer))),
  ),
  defect(
    "64-refused",
    "Takes an id of 63 characters at most.",
    ["#echoed"],
    /caller/,
    ignoring((sent) => sent.length > 63),
  ),
  defect(
    "short-refused",
    "Takes an id of two characters at least.",
    ["#echoed"],
    /caller/,
    ignoring((sent) => sent.length < 2),
  ),
  defect(
    "uuids-alone",
    "Takes UUIDs alone.",
    ["#echoed", "#echoed-everywhere"],
    /caller/,
    ignoring((sent) => !/^[\da-f]{8}-/.test(sent)),
  ),
  defect(
    "no-dots",
    "Takes no dot in an id.",
    ["#echoed", "#echoed-by-every-operation"],
    /caller/,
    ignoring((sent) => sent.includes(".")),
  ),
  defect(
    "lower-case",
    "Writes ids in lower case.",
    ["#echoed"],
    /caller/,
    answering((_sent, answer) => current(answer).toLowerCase()),
  ),
  defect(
    "prototype",
    "Looks an id up in an object.",
    ["#echoed"],
    /caller/,
    ignoring((sent) => sent === "__proto__"),
  ),
  defect(
    "blanks-taken",
    "Takes an id with a blank inside.",
    ["#replaced"],
    /X-Request-Id/,
    answering((sent, answer) => (/^[\w.-]+ [\w.-]+$/.test(sent) ? sent : current(answer))),
  ),
  defect(
    "bytes-taken",
    "Takes bytes beyond ASCII.",
    ["#replaced"],
    /X-Request-Id/,
    answering((sent, answer) => (/^[\w\x80-\xff]+$/.test(sent) ? sent : current(answer))),
  ),
  defect(
    "escapes-taken",
    "Takes an id with percent-escapes.",
    ["#replaced"],
    /X-Request-Id/,
    answering((sent, answer) => (/^[\w%.-]+$/.test(sent) ? sent : current(answer))),
  ),
  defect(
    "partial-match",
    "Looks only for some good character.",
    ["#replaced"],
    /X-Request-Id/,
    answering((sent, answer) => (/[A-Za-z0-9._-]{1,64}/.test(sent) ? sent : current(answer))),
  ),
  defect("echoed-beside", "Says which id it did not take.", ["#replaced"], /nothing of a bad/, {
    answer: (answer, request) => {
      const sent = header(request, NAME);
      return sent && !FORM.test(sent) ? withHeader(answer, "X-Rejected-Request-Id", sent) : answer;
    },
  }),
  defect("bad-refused", "Refuses a request for its bad id.", ["#replaced"], /200/, {
    answer: (answer, request) => {
      const sent = header(request, NAME);
      return sent !== null && !FORM.test(sent) ? { ...answer, status: 400, reason: "Bad Request" } : answer;
    },
  }),
  defect("one-spelling", "Knows the header in one spelling.", ["#echoed-by-name-in-any-case"], /caller/, {
    request: (request) =>
      request.headers.some(([name]) => name.toLowerCase() === "x-request-id" && name !== NAME)
        ? withoutHeader(request, NAME)
        : request,
  }),
  defect(
    "one-operation",
    "Forgets the caller's id in one operation.",
    ["#echoed-by-every-operation"],
    /caller/,
    ignoring((_sent, request) => operationOf(request) === "user.create"),
  ),
  defect(
    "refusals-anew",
    "Gives refusals an id of their own.",
    ["#echoed-everywhere", "#echoed-by-every-operation", "#echoed-by-refusals"],
    /caller/,
    answering((_sent, answer) => (answer.status >= 400 ? `new-${Date.now()}` : current(answer))),
  ),
  defect(
    "early-anew",
    "Gives early refusals an id of their own.",
    ["#echoed-by-refusals"],
    /caller/,
    answering((_sent, answer) => (answer.status === 413 || answer.status === 417 ? "new" : current(answer))),
  ),
  defect(
    "options-anew",
    "Gives a preflight an id of its own.",
    ["#echoed-everywhere"],
    /caller/,
    answering((_sent, answer, { method }) => (method === "OPTIONS" ? "new" : current(answer))),
  ),
  defect(
    "one-for-all",
    "Gives all requests the same id.",
    ["#new-ones-differ", "#new-on-each-request-of-a-connection"],
    /new/,
    {
      answer: (answer, request) =>
        FORM.test(header(request, NAME) ?? "") ? answer : withHeader(answer, NAME, "process-1"),
    },
  ),
  defect("by-the-second", "Makes its ids from the time.", ["#new-ones-differ"], /new X-Request-Id/, {
    answer: (answer, request) =>
      header(request, NAME) === null ? withHeader(answer, NAME, String(Math.floor(Date.now() / 1000))) : answer,
  }),
  defect("kept", "Keeps the id of an earlier request.", ["#new-on-each-request-of-a-connection"], /two new ids/, {
    answer: (answer, request, { state }) => {
      const sent = header(request, NAME);
      if (sent !== null) state.set("last", sent);
      const last = state.get("last");
      return sent === null && typeof last === "string" ? withHeader(answer, NAME, last) : answer;
    },
  }),
  defect(
    "braced",
    "Writes its ids in braces.",
    ["#answers", "#refusals", "#all-answers"],
    /one X-Request-Id/,
    everywhere((answer) => withHeader(answer, NAME, `{${current(answer)}}`)),
  ),
  defect(
    "twice",
    "Sends the id twice.",
    ["#answers", "#refusals", "#all-answers"],
    /one X-Request-Id/,
    everywhere((answer) => ({ ...answer, headers: [...answer.headers, [NAME, current(answer)]] })),
  ),
];
