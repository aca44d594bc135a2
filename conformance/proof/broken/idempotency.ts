import { broken, type Mutant } from "../mutant.ts";
import { values } from "../proxy/head.ts";
import { header, problemCode } from "../proxy/look.ts";
import type { ProxyAnswer, ProxyRequest } from "../proxy/message.ts";
import { respondProblem, withHeader, withoutHeader } from "../proxy/shape.ts";
import { called, creating, KEY, sent } from "../requests.ts";

/** What is stored for an idempotency key, and how it is used the next time. */

const keysOf = ({ headers }: ProxyRequest) => values(headers, "Idempotency-Key");
const isKeyed = (request: ProxyRequest, id: string) => called(request)?.id === id && keysOf(request).length > 0;

/** Responds from stored requests with the same key. */
const keeps = (
  what: string,
  answer: (
    answer: ProxyAnswer,
    request: ProxyRequest,
    before: unknown,
  ) => readonly [answer: ProxyAnswer, kept: unknown],
): readonly Mutant[] =>
  creating.map(({ id }) =>
    broken(`${id} ${what}`, {
      answer: (right, request, { state }) => {
        const [key = ""] = keysOf(request);
        if (!isKeyed(request, id) || key === "") return right;
        const [given, kept] = answer(right, request, state.get(key));
        state.set(key, kept);
        return given;
      },
    }),
  );
const isAnswer = (kept: unknown): kept is ProxyAnswer => typeof kept === "object" && kept !== null && "status" in kept;

export const mutants: readonly Mutant[] = [
  ...keeps("replays whatever the data is", (answer, _, first) => {
    if (problemCode(answer) === "idempotency-key-reused" && isAnswer(first))
      return [withHeader(first, "Idempotent-Replayed", "true"), first];
    return [answer, first ?? answer];
  }),
  ...keeps("knows the same data by its bytes alone", (answer, { body }, first) => [
    first !== undefined && first !== body.toString() && answer.status === 201
      ? respondProblem(422, "idempotency-key-reused")
      : answer,
    first ?? (answer.status === 201 ? body.toString() : undefined),
  ]),
  ...keeps("remembers refusals", (answer, _, refusal) => {
    if (isAnswer(refusal)) return [refusal, refusal];
    return [answer, problemCode(answer) === "email-taken" ? answer : undefined];
  }),
  ...keeps("remembers who may not call", (answer, _, refusal) =>
    isAnswer(refusal) ? [refusal, refusal] : [answer, [401, 406].includes(answer.status) ? answer : undefined],
  ),
  ...keeps("knows a key by where the credentials stand", (answer, request, before) => {
    const place = header(request, KEY) === null ? "query" : "header";
    return [before && before !== place ? respondProblem(409, "email-taken") : answer, before ?? place];
  }),
  ...keeps("remembers keys of invalid input", (answer, _, invalid) =>
    invalid === true && answer.status !== 422
      ? [respondProblem(422, "idempotency-key-reused"), true]
      : [answer, problemCode(answer) === "invalid-input"],
  ),
  ...keeps("knows that another caller has used a key", (answer, request, caller) => {
    const own = sent(request, KEY);
    const isOthers = caller !== undefined && caller !== own && answer.status === 201;
    return [isOthers ? respondProblem(422, "idempotency-key-reused") : answer, caller ?? own];
  }),
  ...keeps("replays once", (answer, _, calls) => {
    const times = Number(calls ?? 0) + 1;
    return [times > 2 && answer.status === 201 ? respondProblem(409, "email-taken") : answer, times];
  }),
  ...creating.flatMap(({ id }) => [
    broken(`${id} refuses a twin that comes meanwhile`, {
      request: (request, { state }) => {
        const [key = ""] = isKeyed(request, id) ? keysOf(request) : [];
        if (key === "") return request;
        if (state.has(key)) return respondProblem(409, "email-taken");
        state.set(key, true);
        return request;
      },
    }),
    broken(`${id} answers each twin as the first`, {
      answer: (answer, request) => (isKeyed(request, id) ? withoutHeader(answer, "Idempotent-Replayed") : answer),
    }),
  ]),
];
