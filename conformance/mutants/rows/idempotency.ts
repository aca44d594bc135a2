import { operations } from "../../../generated/operations.ts";
import type { Aspect } from "../../client/expectation.ts";
import { queries } from "../../client/operation.ts";
import { answersItself, answersOtherwise, changesAnswer, type Mutant, OUTCOME, takesFor, wild } from "../mutant.ts";
import { alters, atPointer, dropsHeader, setsHeader } from "../operators.ts";
import { header, problemCode } from "../proxy/look.ts";
import type { HeaderFields, ProxyAnswer, ProxyRequest } from "../proxy/message.ts";
import { respondProblem, withHeader, withoutHeader, withStatus } from "../proxy/shape.ts";
import { called, KEY, withCredential } from "../requests.ts";
import { problemOf, selector } from "../selectors.ts";

/** Broken idempotency: what a key is, what stands for what, and what is said of it. */

const { id: creating } = operations["user.create"];
const NAME = "Idempotency-Key";
const REPLAYED: Aspect = "header:idempotent-replayed";

/** As they were sent, one or two. */
const keysOf = ({ headers }: { readonly headers: HeaderFields }) =>
  headers.flatMap(([name, value]) => (name.toLowerCase() === NAME.toLowerCase() ? [value] : []));
const isKeyed = (request: ProxyRequest | null): request is ProxyRequest =>
  request !== null && called(request)?.id === creating && keysOf(request).length > 0;

/** Takes another key for the one that was sent, where that is another; null: none. */
const takes = (what: string, read: (key: string, keys: readonly string[]) => string | null): Mutant =>
  takesFor(`${creating} takes idempotency keys ${what}`, (request) => {
    if (!isKeyed(request)) return request;
    const [key = "", ...more] = keysOf(request);
    const read_ = read(key, [key, ...more]);
    if (read_ === null) return withoutHeader(request, NAME);
    return read_ === key && more.length === 0 ? request : withHeader(withoutHeader(request, NAME), NAME, read_);
  });
const onlyIf = (test: RegExp, instead: (key: string) => string | null) => (key: string) =>
  test.test(key) ? instead(key) : key;

/** What it refuses as no key. */
const refuses = (what: string, test: RegExp): Mutant =>
  answersItself(`${creating} refuses idempotency keys ${what}`, OUTCOME, (request) =>
    isKeyed(request) && keysOf(request).some((key) => test.test(key))
      ? respondProblem(400, "invalid-idempotency-key")
      : null,
  );

const replays = selector("a replayed create", (answer) => header(answer, "Idempotent-Replayed") !== null);
const firsts = selector(
  "the first create under a key",
  (answer, request) => answer.status === 201 && isKeyed(request) && header(answer, "Idempotent-Replayed") === null,
);
const reused = problemOf("idempotency-key-reused");

/** Answers by what it has kept of the requests under the same key. */
const keeps = (
  what: string,
  breaks: readonly Aspect[],
  answer: (
    answer: ProxyAnswer,
    request: ProxyRequest,
    before: unknown,
  ) => readonly [answer: ProxyAnswer, kept: unknown],
): Mutant =>
  wild(`${creating} ${what}`, [`${creating}/key-*`, `${creating}/replayed`], breaks, {
    answer: (right, request, { state }) => {
      const [key = ""] = keysOf(request);
      if (!isKeyed(request) || key === "") return right;
      const [given, kept] = answer(right, request, state.get(key));
      state.set(key, kept);
      return given;
    },
  });
const isAnswer = (kept: unknown): kept is ProxyAnswer => typeof kept === "object" && kept !== null && "status" in kept;

const onGet = queries.flatMap(({ id }) => [
  answersItself(`${id} judges an Idempotency-Key`, OUTCOME, (request) =>
    called(request)?.id === id && keysOf(request).some((key) => !/^[!-~]{1,255}$/.test(key))
      ? respondProblem(400, "invalid-idempotency-key")
      : null,
  ),
  answersOtherwise(
    selector(id, (_, request) => request !== null && called(request)?.id === id && keysOf(request).length > 0),
    "replays what was asked under an Idempotency-Key",
    [...OUTCOME, REPLAYED],
    (answer, request, { state }) => {
      const name = `${id} ${keysOf(request).join()}`;
      const before = state.get(name);
      state.set(name, answer);
      return before === undefined ? answer : withHeader(answer, "Idempotent-Replayed", "true");
    },
  ),
]);

export const mutants: readonly Mutant[] = [
  takes("for nothing", () => null),
  takes("in any letter case", (key) => key.toLowerCase()),
  takes("up to 64 characters", (key) => (key.length > 255 ? key : key.slice(0, 64))),
  takes("up to their last character", (key) => (key.length === 255 ? key.slice(0, -1) : key)),
  takes("without quotes around them", (key) => key.replace(/^"(.*)"$/, '$1k"').replace(/"$/, "")),
  takes("with their quotes taken off", (key) => key.replace(/^"(.{1,200})"$/, "$1")),
  takes("by their letters", (key) => (/^[!-~]{1,255}$/.test(key) ? key.replace(/[^a-zA-Z\d-]/g, "") : key)),
  takes("with blanks", (key) => key.replace(/[ \t]/g, "-")),
  takes(
    "with tabs",
    onlyIf(/\t/, (key) => key.replace(/\t/g, "-")),
  ),
  takes(
    "in Latin-1",
    onlyIf(/[\x80-\xff]/, (key) => key.replace(/[\x80-\xff]/g, "-")),
  ),
  takes(
    "of 256 characters",
    onlyIf(/^.{256}$/, (key) => key.slice(1)),
  ),
  takes(
    "of any length",
    onlyIf(/^.{256}/, (key) => key.slice(-255)),
  ),
  takes("that are malformed for none", (key, keys) => (keys.length === 1 && /^[!-~]{0,255}$/.test(key) ? key : null)),
  takes("from the first of two fields", (key) => key),
  takes("that are empty as keys", (key) => key || "none"),
  refuses("that are empty", /^$/),
  refuses("over 64 characters", /^[!-~]{65,255}$/),
  refuses("of 255 characters", /^[!-~]{255}$/),
  refuses("with other signs than of UUIDs", /^(?=.*[^\w-])[!-~]{1,255}$/),
  takesFor(`${creating} knows idempotency keys whoever sends them`, (request, context) =>
    isKeyed(request) ? withCredential(request, KEY, context.credentials?.key) : request,
  ),
  changesAnswer(replays, {
    name: "is answered with 200",
    breaks: ["status"],
    change: (answer) => withStatus(answer, 200),
  }),
  changesAnswer(replays, dropsHeader("Idempotent-Replayed")),
  changesAnswer(
    replays,
    alters("Idempotent-Replayed", "1", () => "1"),
  ),
  changesAnswer(
    replays,
    atPointer("tells another time", "/createdAt", () => new Date(0).toISOString(), ["body"]),
  ),
  changesAnswer(firsts, setsHeader("Idempotent-Replayed", "true")),
  changesAnswer(firsts, setsHeader("Idempotent-Replayed", "false")),
  changesAnswer(reused, { name: "is a conflict", breaks: ["status"], change: (answer) => withStatus(answer, 409) }),
  keeps("replays whatever the data is", OUTCOME, (answer, _, first) => {
    if (problemCode(answer) === "idempotency-key-reused" && isAnswer(first))
      return [withHeader(first, "Idempotent-Replayed", "true"), first];
    return [answer, first ?? answer];
  }),
  keeps("knows the same data by its bytes alone", OUTCOME, (answer, { body }, first) => [
    first !== undefined && first !== body.toString() && answer.status === 201
      ? respondProblem(422, "idempotency-key-reused")
      : answer,
    first ?? (answer.status === 201 ? body.toString() : undefined),
  ]),
  keeps("remembers refusals", OUTCOME, (answer, _, refusal) => {
    if (isAnswer(refusal)) return [refusal, refusal];
    return [answer, problemCode(answer) === "email-taken" ? answer : undefined];
  }),
  keeps("remembers who may not call", OUTCOME, (answer, _, refusal) =>
    isAnswer(refusal) ? [refusal, refusal] : [answer, [401, 406].includes(answer.status) ? answer : undefined],
  ),
  keeps("knows a key by where the credentials stand", OUTCOME, (answer, request, before) => {
    const place = header(request, KEY) === null ? "query" : "header";
    return [before && before !== place ? respondProblem(409, "email-taken") : answer, before ?? place];
  }),
  keeps("remembers keys of invalid input", OUTCOME, (answer, _, invalid) =>
    invalid === true && answer.status !== 422
      ? [respondProblem(422, "idempotency-key-reused"), true]
      : [answer, problemCode(answer) === "invalid-input"],
  ),
  keeps("replays once", OUTCOME, (answer, _, calls) => {
    const times = Number(calls ?? 0) + 1;
    return [times > 2 && answer.status === 201 ? respondProblem(409, "email-taken") : answer, times];
  }),
  answersOtherwise(
    problemOf("invalid-input"),
    "says first that the idempotency key is malformed",
    OUTCOME,
    (answer, request) =>
      isKeyed(request) && !/^[!-~]{0,255}$/.test(keysOf(request).join(", "))
        ? respondProblem(400, "invalid-idempotency-key")
        : answer,
  ),
  wild(`${creating} refuses a twin that comes meanwhile`, [`${creating}/key-twins`], [...OUTCOME, REPLAYED], {
    request: (request, { state }) => {
      const [key = ""] = isKeyed(request) ? keysOf(request) : [];
      if (key === "") return request;
      if (state.has(key)) return respondProblem(409, "email-taken");
      state.set(key, true);
      return request;
    },
  }),
  wild(`${creating} answers each twin as the first`, [`${creating}/key-twins`], [REPLAYED], {
    answer: (answer, request) => (isKeyed(request) ? withoutHeader(answer, "Idempotent-Replayed") : answer),
  }),
  ...onGet,
];
