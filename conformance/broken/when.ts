import type { Defect, ProxyRequest } from "./defect.ts";
import { namedIn, problemCode } from "./look.ts";

/** Words for narrowing a defect to some requests or answers. */

type AnswerChange = NonNullable<Defect["answer"]>;
type RequestChange = NonNullable<Defect["request"]>;

/** Changes the answers to one operation only; `docs.get.` with the dot at its end stands for every document. */
export function answerOf(operation: string, change: AnswerChange): AnswerChange {
  return (answer, request, context) => (names(operation, request) ? change(answer, request, context) : answer);
}

/** Changes the requests of one operation only. */
export function requestOf(operation: string, change: RequestChange): RequestChange {
  return (request, context) => (names(operation, request) ? change(request, context) : request);
}

/** Changes answers with one status only. */
export function answersWith(status: number, change: AnswerChange): AnswerChange {
  return (answer, request, context) => (answer.status === status ? change(answer, request, context) : answer);
}

/** Changes the problems with one code only. */
export function problemsWith(code: string, change: AnswerChange): AnswerChange {
  return (answer, request, context) => (problemCode(answer) === code ? change(answer, request, context) : answer);
}

function names(operation: string, request: ProxyRequest): boolean {
  const named = namedIn(request);
  return named === operation || (operation.endsWith(".") && named?.startsWith(operation) === true);
}
