import type { Defect, ProxyAnswer } from "../../defect.ts";
import { pathOf } from "../../look.ts";
import { withoutHeader } from "../../shape.ts";

type Change = (answer: ProxyAnswer) => ProxyAnswer;
type Hooks = Pick<Defect, "request" | "answer" | "socket" | "unreadable" | "unreadableAnswer">;

/** Changes every answer, those to malformed requests too. */
export const everywhere = (change: Change): Hooks => ({ answer: change, unreadableAnswer: change });

/** Changes the answers for which it holds. */
export const where = (holds: (answer: ProxyAnswer) => boolean, change: Change): Hooks =>
  everywhere((answer) => (holds(answer) ? change(answer) : answer));

/** What the contract serves. */
const SERVED = new Set([
  ...["/", "/api/", "/api", "/openapi.json", "/openapi.yaml", "/openapi.operations.json", "/openapi.operations.yaml"],
  ...["/reference", "/.well-known/api-catalog", "/.well-known/security.txt", "/robots.txt"],
]);

export const isServed = (path: string): boolean => SERVED.has(path);

/** Serves what is found when the path is spelled otherwise; one that is right already stays as it is. */
export const findsPath = (respell: (path: string) => string): Hooks => ({
  request: (request) => {
    const path = pathOf(request);
    const found = isServed(path) ? path : respell(path);
    if (found === path || !isServed(found)) return request;
    return { ...request, target: found + (/\?.*$/s.exec(request.target)?.[0] ?? "") };
  },
});

/** The same body in one chunk; to be written by `verbatimBytes`. */
export const chunks = (answer: ProxyAnswer): ProxyAnswer => ({
  ...withoutHeader(answer, "Content-Length"),
  headers: [...withoutHeader(answer, "Content-Length").headers, ["Transfer-Encoding", "chunked"]],
  body: Buffer.concat([
    Buffer.from(`${answer.body.length.toString(16)}\r\n`),
    answer.body,
    Buffer.from("\r\n0\r\n\r\n"),
  ]),
});
