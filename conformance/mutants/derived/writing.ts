import type { Aspect } from "../../client/expectation.ts";
import { queries } from "../../client/operation.ts";
import { answersOtherwise, changesAnswer, type Mutant, type Operator, type Selector } from "../mutant.ts";
import { answerBytes, verbatimBytes } from "../proxy/answer.ts";
import { header, problemCode } from "../proxy/look.ts";
import type { ProxyAnswer, ProxyRequest } from "../proxy/message.ts";
import { verbatim, withAddedHeader, withHeader, withoutHeader } from "../proxy/shape.ts";
import { others, problemOf, successOf } from "../selectors.ts";

/** Answers written wrongly: lengths, chunks and bodies that do not go together, on every kind of answer. */

const WIRE: readonly Aspect[] = ["connection", "body", "header:content-length", "header:content-encoding"];

const hasBody = ({ body }: ProxyAnswer, request: ProxyRequest | null) => request?.method !== "HEAD" && body.length > 0;
const writes = (name: string, change: Operator["change"], breaks = WIRE): Operator => ({ name, breaks, change });
const announces = (name: string, length: (answer: ProxyAnswer) => number): Operator =>
  writes(name, (answer, request) =>
    hasBody(answer, request) ? verbatim(withHeader(answer, "Content-Length", String(length(answer)))) : answer,
  );
const adds = (body: Buffer) => (answer: ProxyAnswer) =>
  verbatim({ ...answer, body: Buffer.concat([answer.body, body]) });

function inChunks(answer: ProxyAnswer): ProxyAnswer {
  const { body } = answer;
  const start = Buffer.from(`${body.length.toString(16)}\r\n`);
  const chunked = withAddedHeader(withoutHeader(answer, "Content-Length"), "Transfer-Encoding", "chunked");
  return { ...chunked, body: Buffer.concat([start, body, Buffer.from("\r\n0\r\n\r\n")]) };
}

/** What can go wrong where an answer is written, with a body or without. */
const anyWriters: readonly Operator[] = [
  writes("is not written", (answer) => ({ ...answer, raw: Buffer.alloc(0) })),
  writes("has a byte more than announced", adds(Buffer.from("\n"))),
  writes("is written twice", (answer, request) => {
    const bytes = answerBytes(answer, request?.method ?? "GET");
    return { ...answer, raw: Buffer.concat([bytes, bytes]) };
  }),
];
const writers: readonly Operator[] = [
  ...anyWriters,
  announces("has a byte less than announced", ({ body }) => body.length + 1),
  announces("announces characters", ({ body }) => body.toString("latin1").length - 20),
  writes("announces its length twice", (answer, request) =>
    hasBody(answer, request) ? verbatim(withAddedHeader(answer, "Content-Length", String(answer.body.length))) : answer,
  ),
  writes("has length and chunks", (answer, request) =>
    hasBody(answer, request)
      ? { ...answer, raw: verbatimBytes(withHeader(inChunks(answer), "Content-Length", String(answer.body.length))) }
      : answer,
  ),
  writes("has no last chunk", (answer, request) =>
    hasBody(answer, request) ? { ...answer, raw: verbatimBytes(inChunks(answer)).subarray(0, -5) } : answer,
  ),
];
const BODILESS = /^(?:HEAD|not modified|preflight|the redirect)/;
const bodiless = [...anyWriters, writes("has a body where there is none", adds(Buffer.from("{}")))];

const anyProblem: Selector = { name: "a problem", takes: (answer) => problemCode(answer) !== null, parser: true };
const early = [
  "malformed-request",
  "headers-too-large",
  "uri-too-long",
  "content-too-large",
  "expectation-failed",
] as const;
const kinds: readonly Selector[] = [
  ...queries.map((one) => successOf(one, 200)),
  // Of pages and documents one kind is enough: they are written alike.
  ...others.filter(({ name }) => !/ but | as application\/json$/.test(name)),
  anyProblem,
  ...early.map((code) => problemOf(code)),
];

const coded = ["gzip", "br"].map((coding) =>
  answersOtherwise(
    {
      name: "answers to an Accept-Encoding",
      takes: (answer, request) =>
        request !== null && hasBody(answer, request) && header(request, "Accept-Encoding") !== null,
    },
    `say ${coding}`,
    WIRE,
    (answer) => withHeader(answer, "Content-Encoding", coding),
  ),
);

const old: Selector = {
  name: "answers by HTTP/1.0",
  takes: (answer, request) => request?.version === "1.0" && hasBody(answer, request),
};
export const mutants: readonly Mutant[] = [
  ...kinds.flatMap((kind) =>
    (BODILESS.test(kind.name) ? bodiless : writers).map((operator) => changesAnswer(kind, operator)),
  ),
  ...coded,
  answersOtherwise(old, "have chunks", ["header:transfer-encoding"], (answer) => ({
    ...answer,
    raw: verbatimBytes(inChunks(withHeader(answer, "Connection", "close"))),
  })),
  answersOtherwise(old, "have no head", ["connection"], (answer) => ({ ...answer, raw: answer.body })),
];
