import { answersItself, answersOtherwise, type Mutant, OUTCOME, type Selector, takesFor } from "../mutant.ts";
import { header, problemCode } from "../proxy/look.ts";
import type { ProxyRequest } from "../proxy/message.ts";
import { respond, respondProblem, verbatim, withBody, withHeader, withoutHeader, withStatus } from "../proxy/shape.ts";
import { called, oneField } from "../requests.ts";
import { problemOf } from "../selectors.ts";

/** Successes and refusals in a form that nobody asked for. */

const accept = (request: ProxyRequest | null) => (request && header(request, "Accept")) ?? "";
const refused = (what: string, asked: RegExp): Selector => ({
  name: `a problem to who accepts ${what}`,
  takes: (answer, request) => problemCode(answer) !== null && asked.test(accept(request)),
});
const UNWANTED = /^(image|text)\/(?!\*)[^,]*$|^\*\/\*;\s*q=0$/;

export const mutants: readonly Mutant[] = [
  ...["text/html", "application/json", "application/problem+xml"].map((type) =>
    answersOtherwise(
      refused(type, new RegExp(`^${type.replace("+", "\\+")}`)),
      "is sent as that",
      ["header:content-type"],
      (answer) => withHeader(answer, "Content-Type", type),
    ),
  ),
  answersOtherwise(refused("nothing of it", UNWANTED), "is 406", OUTCOME, () => respondProblem(406, "not-acceptable")),
  answersOtherwise(refused("nothing of it", UNWANTED), "has no body", ["body", "header:content-type"], (answer) =>
    withoutHeader(withBody(answer, ""), "Content-Type"),
  ),
  answersOtherwise(refused("JSON", /^application\/json/), "is a 200", ["status"], (answer) => withStatus(answer, 200)),
  answersOtherwise(problemOf("not-acceptable"), "is an empty object", OUTCOME, () => respond(200, {})),
  answersItself("takes an empty Accept for a refusal of everything", OUTCOME, (request) =>
    called(request) && /^[\s,]*$/.test(header(request, "Accept") ?? "*/*")
      ? respondProblem(406, "not-acceptable")
      : null,
  ),
  takesFor("reads the first field Accept only", (request) => oneField(request, "Accept", 0)),
  answersItself("sends events", OUTCOME, (request) =>
    called(request) && accept(request) === "text/event-stream"
      ? { ...respond(200, {}, { "Content-Type": "text/event-stream" }), body: Buffer.from("data: {}\n\n") }
      : null,
  ),
  answersItself("cannot read a weight", OUTCOME, (request) =>
    called(request) && /;q=(?![01](\.|\b))/.test(accept(request)) ? respondProblem(500, "internal-error") : null,
  ),
  answersOtherwise(
    {
      name: "an answer of an operation",
      takes: (answer, request) => answer.status === 200 && request?.method === "GET" && called(request) !== null,
    },
    "has more bytes than it says",
    ["connection", "body"],
    (answer) => {
      const { raw = Buffer.alloc(0), ...whole } = verbatim(answer);
      return { ...whole, raw: Buffer.concat([raw, Buffer.from("\r\n\r\n")]) };
    },
  ),
];
