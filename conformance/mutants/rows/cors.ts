import type { Aspect } from "../../client/expectation.ts";
import { every, queries } from "../../client/operation.ts";
import { refusal } from "../derived/limits.ts";
import { answersItself, answersOtherwise, changesAnswer, type Mutant, OUTCOME, type Selector } from "../mutant.ts";
import { alters, setsHeader } from "../operators.ts";
import { header } from "../proxy/look.ts";
import type { ProxyAnswer, ProxyRequest } from "../proxy/message.ts";
import { withHeader, withoutHeader, withStatus } from "../proxy/shape.ts";
import { called, KEY } from "../requests.ts";

/** What pages of other origins must not learn, or must. */

const ORIGIN = "Access-Control-Allow-Origin";
const CREDENTIALS = "Access-Control-Allow-Credentials";
const originOf = (request: ProxyRequest | null) => (request ? header(request, "Origin") : null);

const ASPECTS: readonly Aspect[] = ["header:access-control-allow-origin", "header:vary"];

const all: Selector = { name: "every answer", takes: () => true, parser: true };
const refused: Selector = { name: "every refusal", takes: ({ status }) => status >= 400, parser: true };
const toPages: Selector = { name: "every answer to a page", takes: (_answer, request) => originOf(request) !== null };
const unasked: Selector = { name: "every answer to no page", takes: (_answer, request) => originOf(request) === null };
const preflights: Selector = {
  name: "preflights",
  takes: (answer, request) => request?.method === "OPTIONS" && answer.status === 204,
};

const reflected = (answer: ProxyAnswer, request: ProxyRequest) =>
  withHeader(answer, ORIGIN, originOf(request) ?? "null");

const origins: readonly Mutant[] = [
  ...[all, refused, toPages, preflights].flatMap((selector) => [
    ...["https://elsewhere.example", "null"].map((origin) => changesAnswer(selector, setsHeader(ORIGIN, origin))),
    ...["true", "false"].map((value) => changesAnswer(selector, setsHeader(CREDENTIALS, value))),
  ]),
  answersOtherwise(toPages, "reflects the origin", ASPECTS, reflected),
  answersOtherwise(toPages, "allows pages its successes alone", ASPECTS, (answer, request) =>
    withHeader(answer.status < 400 ? reflected(answer, request) : withoutHeader(answer, ORIGIN), "Vary", "Origin"),
  ),
  answersOtherwise(unasked, "allows none", ASPECTS, (answer) => withoutHeader(answer, ORIGIN)),
];

const forgetsNth = (index: number) =>
  alters("Access-Control-Allow-Headers", `forgets number ${index + 1} of`, (value) =>
    value.split(", ").toSpliced(index, 1).join(", "),
  );

const questions: readonly Mutant[] = [
  ...[
    ...[0, 1, 2, 3, 4].map(forgetsNth),
    setsHeader("Access-Control-Allow-Headers", "*"),
    ...["86400", "600000"].map((age) => setsHeader("Access-Control-Max-Age", age)),
    ...["GET", "GET, POST"].map((methods) => setsHeader("Access-Control-Allow-Methods", methods)),
  ].map((operator) => changesAnswer(preflights, operator)),
  answersOtherwise(preflights, "need a key", OUTCOME, (answer, request) =>
    header(request, KEY) === null ? refusal("credentials-missing") : answer,
  ),
  answersOtherwise(preflights, "are not there", OUTCOME, () => refusal("method-not-allowed")),
  answersOtherwise(preflights, "are refused to an opaque origin", OUTCOME, (answer, request) =>
    originOf(request) === "null" ? refusal("platform-not-allowed") : answer,
  ),
  ...queries
    .filter(({ auth }) => auth)
    .map((operation) =>
      answersOtherwise(preflights, `for ${operation.id} need a key`, OUTCOME, (answer, request) =>
        called(request)?.id === operation.id ? refusal("credentials-missing") : answer,
      ),
    ),
];

export const mutants: readonly Mutant[] = [
  ...origins,
  ...questions,
  ...every.map((operation) =>
    answersItself(`${operation.id} refuses pages`, OUTCOME, (request) =>
      originOf(request) !== null && request.method !== "OPTIONS" && called(request)?.id === operation.id
        ? refusal("platform-not-allowed")
        : null,
    ),
  ),
  answersOtherwise(toPages, "takes an origin for a credential", OUTCOME, (answer) =>
    answer.status === 401 ? withStatus(answer, 200) : answer,
  ),
];
