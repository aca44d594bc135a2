import { caught } from "../../caught.ts";
import type { Defect, ProxyAnswer, ProxyRequest } from "../../defect.ts";
import { header, problemCode } from "../../look.ts";
import { withAddedHeader, withHeader, withoutHeader } from "../../shape.ts";
import { everywhere, where } from "./everywhere.ts";

const ORIGIN = "Access-Control-Allow-Origin";
const CREDENTIALS = "Access-Control-Allow-Credentials";
const EXPOSE = "Access-Control-Expose-Headers";
const EXPOSED = ["X-Request-Id", "X-Operation", "ETag", "Link", "Retry-After", "Deprecation", "Sunset"];

const without = (names: readonly string[], name: string) => names.filter((each) => each !== name).join(", ");
const onPreflight = (change: (answer: ProxyAnswer) => ProxyAnswer): Pick<Defect, "answer"> => ({
  answer: (answer, { method }) => (method === "OPTIONS" ? change(answer) : answer),
});

/** The caller's origin, whichever it is. */
const reflected = (answer: ProxyAnswer, request: ProxyRequest) =>
  withHeader(answer, ORIGIN, header(request, "Origin") ?? "null");
const asked = (change: (answer: ProxyAnswer, request: ProxyRequest) => ProxyAnswer): Pick<Defect, "answer"> => ({
  answer: (answer, request) => (header(request, "Origin") === null ? answer : change(answer, request)),
});

export const corsDefects: readonly Defect[] = [
  caught(
    "cors/reflected-without-vary",
    "Reflects the caller's origin, and lets caches give it to others.",
    ["cors/any-origin#asked-with-an-origin"],
    /Vary/,
    asked(reflected),
  ),
  caught(
    "cors/one-origin",
    "Allows an origin of its own.",
    ["cors/any-origin"],
    /Allow-Origin/,
    everywhere((answer) => withHeader(answer, ORIGIN, "https://atpoint.example")),
  ),
  caught(
    "cors/origin-null",
    "Allows the origin null.",
    ["cors/any-origin#answers", "cors/any-origin#refusals"],
    /Allow-Origin/,
    everywhere((answer) => withHeader(answer, ORIGIN, "null")),
  ),
  caught(
    "cors/origin-twice",
    "Sends the allowed origin twice.",
    ["cors/any-origin"],
    /Allow-Origin/,
    everywhere((answer) => withAddedHeader(answer, ORIGIN, "*")),
  ),
  caught(
    "cors/refusals-unreadable",
    "Lets pages read its successes alone.",
    ["cors/any-origin#asked-with-an-origin"],
    /as before/,
    asked((answer, request) =>
      answer.status < 400
        ? withHeader(reflected(answer, request), "Vary", "Origin")
        : withHeader(withoutHeader(answer, ORIGIN), "Vary", "Origin"),
    ),
  ),
  caught(
    "cors/without-origin-none",
    "Allows an origin only to whoever names one.",
    ["cors/any-origin#answers", "cors/any-origin#refusals"],
    /Vary/,
    {
      answer: (answer, request) => (header(request, "Origin") === null ? withoutHeader(answer, ORIGIN) : answer),
      unreadableAnswer: (answer) => withoutHeader(answer, ORIGIN),
    },
  ),
  caught(
    "cors/known-paths-alone",
    "Lets pages read nothing of a path that is not there.",
    ["cors/any-origin#answers", "cors/exposed#answers"],
    /\(404, the answer to \/no-such-path\)/,
    where(
      (answer) => problemCode(answer) === "path-not-found",
      (answer) => withoutHeader(withoutHeader(answer, ORIGIN), EXPOSE),
    ),
  ),
  caught(
    "cors/credentials",
    "Allows credentials.",
    ["cors/no-credentials"],
    /Credentials/,
    everywhere((answer) => withAddedHeader(answer, CREDENTIALS, "true")),
  ),
  caught(
    "cors/credentials-false",
    "Says that it does not allow credentials, for which there is no word.",
    ["cors/no-credentials"],
    /Credentials/,
    everywhere((answer) => withAddedHeader(answer, CREDENTIALS, "false")),
  ),
  caught(
    "cors/credentials-when-asked",
    "Allows credentials to whoever names an origin.",
    ["cors/no-credentials#asked-with-an-origin"],
    /Credentials/,
    asked((answer) => withAddedHeader(answer, CREDENTIALS, "true")),
  ),
  caught(
    "cors/credentials-in-preflights",
    "Allows credentials in preflights.",
    ["cors/no-credentials#answers", "cors/preflight#get"],
    /Credentials/,
    onPreflight((answer) => withAddedHeader(answer, CREDENTIALS, "true")),
  ),
  caught(
    "cors/credentials-in-refusals",
    "Allows credentials in refusals.",
    ["cors/no-credentials#answers", "cors/no-credentials#refusals", "cors/no-credentials#asked-with-an-origin"],
    /Credentials/,
    where(
      ({ status }) => status >= 400,
      (answer) => withAddedHeader(answer, CREDENTIALS, "true"),
    ),
  ),
  caught(
    "cors/nothing-exposed",
    "Exposes no header.",
    ["cors/exposed"],
    /Expose-Headers/,
    everywhere((answer) => withoutHeader(answer, EXPOSE)),
  ),
  ...EXPOSED.map((name) =>
    caught(
      `cors/not-exposed-${name.toLowerCase()}`,
      `Does not expose ${name}.`,
      ["cors/exposed#answers", "cors/exposed#refusals"],
      new RegExp(name),
      everywhere((answer) => withHeader(answer, EXPOSE, without(EXPOSED, name))),
    ),
  ),
  caught(
    "cors/exposed-to-preflights",
    "Exposes headers in preflights alone.",
    ["cors/exposed#answers", "cors/exposed#asked-with-an-origin"],
    /Expose-Headers/,
    {
      answer: (answer, request) => (request.method === "OPTIONS" ? answer : withoutHeader(answer, EXPOSE)),
    },
  ),
];
