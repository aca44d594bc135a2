import { broken, type Mutant } from "../mutant.ts";
import { answerBytes, verbatimBytes } from "../proxy/answer.ts";
import { header } from "../proxy/look.ts";
import type { ProxyAnswer, ProxyRequest } from "../proxy/message.ts";
import { verbatim, withAddedHeader, withHeader, withoutHeader } from "../proxy/shape.ts";

/** Responses written wrongly: inconsistent lengths, chunks and bodies. */

type Write = (answer: ProxyAnswer, request: ProxyRequest) => ProxyAnswer;
const whole = ({ body }: ProxyAnswer, { method }: ProxyRequest) => method !== "HEAD" && body.length > 0;

function inChunks(answer: ProxyAnswer): ProxyAnswer {
  const { body } = answer;
  const start = Buffer.from(`${body.length.toString(16)}\r\n`);
  const chunked = withAddedHeader(withoutHeader(answer, "Content-Length"), "Transfer-Encoding", "chunked");
  return { ...chunked, body: Buffer.concat([start, body, Buffer.from("\r\n0\r\n\r\n")]) };
}

/** Defects in writing a response with a body. */
const WRITERS: Readonly<Record<string, Write>> = {
  "is not written": (answer) => ({ ...answer, raw: Buffer.alloc(0) }),
  "has a byte more than announced": (answer) =>
    verbatim({ ...answer, body: Buffer.concat([answer.body, Buffer.from("\n")]) }),
  "has a byte less than announced": (answer) =>
    verbatim(withHeader(answer, "Content-Length", String(answer.body.length + 1))),
  "is written twice": (answer, { method }) => {
    const bytes = answerBytes(answer, method);
    return { ...answer, raw: Buffer.concat([bytes, bytes]) };
  },
  "announces its length twice": (answer) =>
    verbatim(withAddedHeader(answer, "Content-Length", String(answer.body.length))),
  "has length and chunks": (answer) => ({
    ...answer,
    raw: verbatimBytes(withHeader(inChunks(answer), "Content-Length", String(answer.body.length))),
  }),
  "has no last chunk": (answer) => ({ ...answer, raw: verbatimBytes(inChunks(answer)).subarray(0, -5) }),
};

const KINDS: Readonly<Record<string, (answer: ProxyAnswer, request: ProxyRequest) => boolean>> = {
  "a success": ({ status }) => status < 300,
  "a rejection": ({ status }) => status >= 400,
};

export const mutants: readonly Mutant[] = [
  ...Object.entries(WRITERS).flatMap(([how, write]) =>
    Object.entries(KINDS).map(([kind, takes]) =>
      broken(`${kind} ${how}`, {
        answer: (answer, request) =>
          whole(answer, request) && takes(answer, request) ? write(answer, request) : answer,
      }),
    ),
  ),
  ...[204, 304].map((status) =>
    broken(`a ${status} has a body`, {
      answer: (answer) => (answer.status === status ? verbatim({ ...answer, body: Buffer.from("{}") }) : answer),
    }),
  ),
  broken("HEAD has the body of GET", {
    answer: async (answer, request, { forward }) =>
      request.method === "HEAD" ? verbatim(await forward({ ...request, method: "GET" })) : answer,
  }),
  ...["gzip", "br"].map((coding) =>
    broken(`says ${coding} of what is not`, {
      answer: (answer, request) =>
        whole(answer, request) && header(request, "Accept-Encoding") !== null
          ? withHeader(answer, "Content-Encoding", coding)
          : answer,
    }),
  ),
  broken("answers HTTP/1.0 in chunks", {
    answer: (answer, request) =>
      request.version === "1.0" && whole(answer, request)
        ? { ...answer, raw: verbatimBytes(inChunks(withHeader(answer, "Connection", "close"))) }
        : answer,
  }),
];
