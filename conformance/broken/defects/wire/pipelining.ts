import { answerBytes, received } from "../../answer.ts";
import { caught } from "../../caught.ts";
import type { Defect, ProxyAnswer, ProxyRequest } from "../../defect.ts";
import { header, pathOf } from "../../look.ts";
import { respondProblem, verbatim, withHeader } from "../../shape.ts";
import { connect } from "../../upstream.ts";

type Hooks = Parameters<typeof caught>[4];

const defect = (id: string, description: string, variants: readonly string[], reason: RegExp, hooks: Hooks) =>
  caught(
    `http/pipelining-${id}`,
    description,
    variants.map((name) => `http/pipelining#${name}`),
    reason,
    hooks,
  );

const PLAIN = ["reads", "slow-one-first", "posts", "one-by-one", "head-then-get", "many"];
const WITH_BODY = [
  "unknown-path-with-body",
  "wrong-method-with-body",
  "wrong-method-of-a-page",
  "media-type",
  "content-coding",
  "redirect",
  "options",
];
const READ = ["not-json", "invalid-input", "missing-credentials-with-body", "get-with-body", "page-with-body"];
const WITHOUT = [
  "unknown-operation",
  "unknown-path",
  "bad-query",
  "missing-credentials",
  "wrong-method",
  "not-acceptable",
];
const after = (names: readonly string[]) => names.map((name) => `after-${name}`);

const isRefusal = ({ status }: ProxyAnswer) => status >= 300 || status === 204;

/** The answer, and what a server adds that takes the body it did not read for the next request. */
function bodyAsRequest(answer: ProxyAnswer, request: ProxyRequest): ProxyAnswer {
  const next = respondProblem(400, "malformed-request");
  return { ...answer, raw: Buffer.concat([answerBytes(answer, request.method), answerBytes(next, "GET")]) };
}

const unread = (holds: (answer: ProxyAnswer, request: ProxyRequest) => boolean): Hooks => ({
  answer: (answer, request) =>
    request.body.length > 0 && holds(answer, request) ? bodyAsRequest(answer, request) : answer,
});

/** Whether two whole answers to GET are there. */
function holdsTwo(bytes: Buffer): boolean {
  const first = received(bytes, "GET", false);
  return first !== null && received(bytes.subarray(first.bytes.length), "GET", false) !== null;
}

export const pipeliningDefects: readonly Defect[] = [
  defect(
    "closes",
    "Ends the connection after each answer.",
    [...PLAIN, ...after([...WITHOUT, ...READ, ...WITH_BODY]), "then-malformed"],
    /in this order|statuses/,
    {
      answer: (answer) => withHeader(answer, "Connection", "close"),
    },
  ),
  defect(
    "closes-after-refusals",
    "Ends the connection after a refusal.",
    after([...WITHOUT, "not-json", "invalid-input", "missing-credentials-with-body", ...WITH_BODY.slice(0, 5)]),
    /in this order/,
    {
      answer: (answer) => (isRefusal(answer) ? withHeader(answer, "Connection", "close") : answer),
    },
  ),
  defect(
    "late-by-one",
    "Gives each answer the id of the one before.",
    [...PLAIN, ...after([...WITHOUT, ...READ, ...WITH_BODY])],
    /in this order/,
    {
      answer: (answer, request, { state }) => {
        const before = state.get("id");
        state.set("id", header(request, "X-Request-Id") ?? "none");
        return withHeader(answer, "X-Request-Id", typeof before === "string" ? before : "none");
      },
    },
  ),
  defect(
    "body-unread-on-refusal",
    "Leaves the body of what it refuses unread.",
    after(WITH_BODY),
    /in this order/,
    unread(isRefusal),
  ),
  defect(
    "body-unread-on-415",
    "Leaves a body of another media type unread.",
    after(["media-type", "content-coding"]),
    /in this order/,
    unread(({ status }) => status === 415),
  ),
  defect(
    "body-unread-on-get",
    "Leaves the body of a GET unread.",
    after(["get-with-body", "page-with-body"]),
    /in this order/,
    unread((_answer, { method }) => method === "GET"),
  ),
  defect(
    "body-unread-on-pages",
    "Leaves bodies unread beside its endpoint.",
    after(["page-with-body", "wrong-method-of-a-page", "unknown-path-with-body"]),
    /in this order/,
    unread((_answer, request) => pathOf(request) !== "/api/"),
  ),
  defect(
    "body-unread-when-large",
    "Takes the rest of a body that is too large for requests.",
    ["after-large-body"],
    /or the end/,
    unread(({ status }) => status === 413),
  ),
  defect("head-with-body", "Sends a body to HEAD.", ["head-then-get"], /in this order/, {
    answer: (answer, { method }) => (method === "HEAD" ? verbatim({ ...answer, body: Buffer.from("{}") }) : answer),
  }),
  defect(
    "drops-the-earlier",
    "Forgets earlier requests when it cannot read the next one.",
    ["then-malformed"],
    /statuses/,
    {
      unreadable: () => respondProblem(400, "malformed-request"),
    },
  ),
  defect("reads-on", "Goes on reading after Connection: close.", ["then-close"], /one answer/, {
    socket: (client, { target }) => {
      const upstream = connect(target);
      client.on("data", (bytes: Buffer) => {
        upstream.write(
          Buffer.from(bytes.toString("latin1").replaceAll("Connection: close", "X-Connection: no"), "latin1"),
        );
      });
      client.on("close", () => upstream.destroy());
      let answered: Buffer = Buffer.alloc(0);
      upstream
        .on("error", () => {})
        .on("data", (bytes: Buffer) => {
          client.write(bytes);
          answered = Buffer.concat([answered, bytes]);
          // The target itself would keep the connection for seconds.
          if (holdsTwo(answered)) client.end();
        });
      return true;
    },
  }),
  defect("five-a-connection", "Ends the connection after five answers.", ["many"], /in this order/, {
    answer: (answer, _request, { state }) => {
      const answers = Number(state.get("answers") ?? 0) + 1;
      state.set("answers", answers);
      return answers % 5 === 0 ? withHeader(answer, "Connection", "close") : answer;
    },
  }),
];
