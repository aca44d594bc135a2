import { answersOtherwise, changesAnswer, type Mutant, takesFor } from "../mutant.ts";
import { answersStatus, setsHeader } from "../operators.ts";
import { header } from "../proxy/look.ts";
import type { ProxyAnswer } from "../proxy/message.ts";
import { verbatim, withoutHeader } from "../proxy/shape.ts";
import { selector } from "../selectors.ts";
import { passing } from "./members.ts";

/** HEAD that is not GET without the body (D5). */

const isHead = ({ method }: { readonly method: string }) => method === "HEAD";

const withBodyOf = (name: string, takes: (answer: ProxyAnswer) => boolean) =>
  answersOtherwise(
    selector(name, (answer, request) => isHead(request) && takes(answer)),
    "has the body of GET",
    ["body"],
    async (_answer, request, { forward }) => verbatim(await forward({ ...request, method: "GET" })),
  );

export const mutants: readonly Mutant[] = [
  withBodyOf("HEAD", () => true),
  withBodyOf("a refused HEAD", ({ status }) => status >= 400),
  ...[400, 401, 404, 405, 406, 422].map((status) =>
    changesAnswer(
      selector(`HEAD of ${status}`, (answer, request) => isHead(request) && answer.status === status),
      answersStatus(200),
    ),
  ),
  ...[204, 404, 405].map((status) =>
    changesAnswer(
      selector("HEAD of 200", (answer, request) => isHead(request) && answer.status === 200),
      answersStatus(status),
    ),
  ),
  ...[true, false].map((good) =>
    changesAnswer(
      selector(
        `a HEAD ${good ? "taken" : "refused"}`,
        (answer, request) => isHead(request) && answer.status < 400 === good,
      ),
      setsHeader("Content-Length", "0"),
    ),
  ),

  takesFor("passes over unknown parameters of HEAD", (request, context) =>
    isHead(request) ? passing(() => true)(request, context) : request,
  ),
  ...["Accept", "Accept-Encoding", "If-None-Match"].map((name) =>
    takesFor(
      `reads no ${name} of HEAD`,
      (request) => (isHead(request) && header(request, name) !== null ? withoutHeader(request, name) : request),
      [
        "status",
        "header:content-type",
        "header:content-length",
        "header:etag",
        "header:vary",
        "header:content-encoding",
      ],
    ),
  ),
];
