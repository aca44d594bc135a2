import type { Defect, ProxyAnswer, ProxyRequest } from "../../defect.ts";
import { header, queryOf } from "../../look.ts";
import { withHeader, withoutHeader, withQuery } from "../../shape.ts";
import { answerOf, requestOf } from "../../when.ts";

/** Words for the defects of documents. */

type AnswerChange = NonNullable<Defect["answer"]>;
type RequestChange = NonNullable<Defect["request"]>;

const DOCUMENT = "docs.get.";

/** The name of the document that a request asks for. */
export const entryOf = (request: ProxyRequest): string => queryOf(request).get("@")?.slice(DOCUMENT.length) ?? "";

/** Changes the documents that are sent with 200. */
export const documentAnswer = (change: AnswerChange): Required<Pick<Defect, "answer">> => ({
  answer: answerOf(DOCUMENT, (answer, request, context) =>
    answer.status === 200 ? change(answer, request, context) : answer,
  ),
});

/** Changes the documents that are sent with 200 under one media type. */
export const formatAnswer = (mediaType: string, change: AnswerChange) =>
  documentAnswer((answer, request, context) =>
    header(answer, "Content-Type")?.startsWith(mediaType) ? change(answer, request, context) : answer,
  );

/** Changes every answer to a request for a document, refusals and 304 too. */
export const anyDocumentAnswer = (change: AnswerChange): Required<Pick<Defect, "answer">> => ({
  answer: answerOf(DOCUMENT, change),
});

export const documentRequest = (change: RequestChange): Required<Pick<Defect, "request">> => ({
  request: requestOf(DOCUMENT, change),
});

/** Rewrites the name of the document. */
export const nameRequest = (change: (name: string) => string) =>
  documentRequest((request) =>
    withQuery(request, (query) => {
      const name = change(entryOf(request));
      if (name !== entryOf(request)) query.set("@", DOCUMENT + name);
    }),
  );

/** Rewrites a header of requests for documents; null leaves it out. A request without it stays as it is. */
export const headerRequest = (name: string, change: (value: string) => string | null) =>
  documentRequest((request) => {
    const value = header(request, name);
    if (value === null) return request;
    const changed = change(value);
    if (changed === value) return request;
    return changed === null ? withoutHeader(request, name) : withHeader(request, name, changed);
  });

/** The answer to the same request for another document. */
export const namedInstead =
  (name: string): AnswerChange =>
  (_answer, request, { forward }) =>
    forward(withQuery(request, (query) => query.set("@", DOCUMENT + name)));

export const isFormat = (answer: ProxyAnswer, mediaType: string): boolean =>
  header(answer, "Content-Type")?.startsWith(mediaType) === true;

/** The names that a document may have. */
export const PATTERN = /^[A-Za-z0-9][A-Za-z0-9_-]{0,63}$/;

/** The formats, as the variants of checks name them. */
export const FORMATS = ["application-json", "text-markdown", "text-plain", "text-html"];

export const tagOf = (answer: ProxyAnswer): string => header(answer, "ETag") ?? "";

/** Changes the answers with 304. */
export const on304 = (change: (answer: ProxyAnswer) => ProxyAnswer) =>
  anyDocumentAnswer((answer) => (answer.status === 304 ? change(answer) : answer));
