import type { Defect, ProxyRequest } from "../../defect.ts";
import { header, namedIn, pathOf, textOf } from "../../look.ts";
import { withBody } from "../../shape.ts";

/** Words for the defects of the landing page. */

type AnswerChange = NonNullable<Defect["answer"]>;

/** A deployment may have a path prefix; nothing else of its paths ends in a slash. */
export const isLanding = (request: ProxyRequest): boolean =>
  pathOf(request).endsWith("/") && !pathOf(request).endsWith("/api/") && namedIn(request) === null;

export const landed = (change: AnswerChange): Required<Pick<Defect, "answer">> => ({
  answer: (answer, request, context) => (isLanding(request) ? change(answer, request, context) : answer),
});

export const isHtml = (answer: Parameters<AnswerChange>[0]): boolean =>
  header(answer, "Content-Type")?.startsWith("text/html") === true;

/** Changes the HTML of the page. */
export const page = (change: (html: string, request: ProxyRequest) => string) =>
  landed((answer, request) => (isHtml(answer) ? withBody(answer, change(textOf(answer), request)) : answer));
