import { caught } from "../../caught.ts";
import type { Defect, ProxyAnswer, ProxyRequest } from "../../defect.ts";
import { header } from "../../look.ts";
import { respond, respondProblem, verbatim, withAddedHeader, withBody, withHeader, withStatus } from "../../shape.ts";
import { connect } from "../../upstream.ts";

type Hooks = Parameters<typeof caught>[4];

const defect = (id: string, description: string, variants: readonly string[], reason: RegExp, hooks: Hooks) =>
  caught(
    `http/malformed-${id}`,
    description,
    variants.map((name) => `http/malformed-request${name}`),
    reason,
    hooks,
  );

const KNOWN = new Set(["GET", "HEAD", "POST", "OPTIONS", "PUT", "PATCH", "DELETE", "TRACE", "CONNECT"]);

/** The refusal of what never became a request. */
const refusals = (change: (answer: ProxyAnswer) => ProxyAnswer): Hooks => {
  const hook = (answer: ProxyAnswer) => (answer.status === 400 ? change(answer) : answer);
  return { unreadableAnswer: hook, answer: (answer, { method }) => (KNOWN.has(method) ? answer : hook(answer)) };
};
const unknownMethods = (change: (request: ProxyRequest) => ProxyRequest | ProxyAnswer): Hooks => ({
  request: (request) => (KNOWN.has(request.method) ? request : change(request)),
});
const hasNoHost = (request: ProxyRequest) => request.version === "1.1" && header(request, "Host") === null;

/** Serves what an address of another scheme is to stand for. */
const targets = (found: (rest: string) => string): Hooks => ({
  request: (request) => {
    const [start = ""] = /^(?!https?:)[a-z]+:\/\/[^/?]*/.exec(request.target) ?? [];
    return start === "" ? request : { ...request, target: found(request.target.slice(start.length)) };
  },
});
const OTHER_VERSION = /^GET \S+ HTTP\/[^1]/;
const CODED = /^transfer-encoding: (?:gzip|identity)/im;
const unread = (pattern: RegExp, answer: ProxyAnswer): Hooks => ({
  unreadable: (bytes) => (pattern.test(bytes.toString("latin1")) ? answer : null),
});

const served = respond(200, { status: "Operational" });
const closed: ProxyAnswer = { ...served, raw: Buffer.alloc(0) };
const isHead = (bytes: Buffer) => bytes.toString().startsWith("HEAD ");
const never = () => new Promise<null>(() => {});

export const malformedDefects: readonly Defect[] = [
  defect(
    "as-text",
    "Refuses what its parser cannot read as its runtime does.",
    ["#not-http", "#unknown-method"],
    /problem\+json/,
    refusals((answer) => ({ ...answer, headers: [["Connection", "close"]], body: Buffer.alloc(0) })),
  ),
  defect(
    "closed",
    "Ends the connection at what its parser cannot read.",
    ["#not-http", "#broken-chunks"],
    /an answer/,
    { unreadable: () => closed },
  ),
  defect("preface-closed", "Ends the connection at a method of HTTP/2.", ["#not-http"], /an answer to "PRI/, {
    unreadable: (bytes) => (bytes.toString().startsWith("PRI ") ? closed : null),
  }),
  caught(
    "http/head-refused-with-body",
    "Sends a body with its parser's refusal of HEAD.",
    ["http/head-refused"],
    /no body/,
    { unreadable: (bytes) => (isHead(bytes) ? respondProblem(400, "malformed-request") : null) },
  ),
  caught("http/head-refused-as-get", "Sends a body with any refusal of HEAD.", ["http/head-refused"], /no body/, {
    answer: (answer, { method }) =>
      method === "HEAD" && answer.status >= 400 ? verbatim({ ...answer, body: Buffer.from("{}") }) : answer,
  }),
  defect("silent", "Waits for more when its parser cannot go on.", ["#not-http", "#bad-lines"], /an answer|a refusal/, {
    unreadable: never,
  }),
  defect("served", "Answers whatever comes.", ["#not-http", "#bad-lines", "#broken-chunks"], /400|refusal/, {
    unreadable: () => served,
  }),
  defect(
    "as-500",
    "Breaks at what it cannot read.",
    ["#not-http", "#unknown-method", "#broken-chunks"],
    /400/,
    refusals((answer) => withStatus(answer, 500)),
  ),
  defect(
    "short-length",
    "Announces too little when it refuses what it cannot read.",
    ["#not-http"],
    /one answer|JSON/,
    refusals((answer) => verbatim(withHeader(answer, "Content-Length", "20"))),
  ),
  defect(
    "long-length",
    "Announces too much when it refuses what it cannot read.",
    ["#not-http", "#unknown-method"],
    /an answer/,
    refusals((answer) => verbatim(withHeader(answer, "Content-Length", "9999"))),
  ),
  defect(
    "wrong-code",
    "Says malformed-json of what is no request.",
    ["#not-http", "#unknown-method", "#missing-host"],
    /malformed-request/,
    {
      ...refusals((answer) =>
        withBody(answer, answer.body.toString().replaceAll("malformed-request", "malformed-json")),
      ),
      answer: (answer, request) =>
        hasNoHost(request) || !KNOWN.has(request.method)
          ? withBody(answer, answer.body.toString().replaceAll("malformed-request", "malformed-json"))
          : answer,
    },
  ),
  defect("twice", "Answers twice to what it cannot read.", ["#not-http"], /one answer/, { socket: twice }),
  defect(
    "any-case",
    "Takes methods in any letter case.",
    ["#method-in-lower-case"],
    /400/,
    unknownMethods((request) => ({ ...request, method: request.method.toUpperCase() })),
  ),
  defect(
    "lower-case-405",
    "Takes a method in lower case for one that it does not have.",
    ["#method-in-lower-case"],
    /400/,
    unknownMethods((request) =>
      /^[a-z]+$/i.test(request.method) && KNOWN.has(request.method.toUpperCase())
        ? respondProblem(405, "method-not-allowed")
        : request,
    ),
  ),
  defect(
    "unknown-method-405",
    "Takes an unknown method for one that it does not have.",
    ["#unknown-method"],
    /400/,
    unknownMethods(() => respondProblem(405, "method-not-allowed")),
  ),
  defect(
    "unknown-method-501",
    "Says of an unknown method that it is not there yet.",
    ["#unknown-method"],
    /400/,
    unknownMethods((request) => ({ ...respondProblem(501, "method-not-allowed"), headers: request.headers })),
  ),
  defect(
    "unknown-method-as-get",
    "Takes every method that it does not know for GET.",
    ["#unknown-method", "#method-in-lower-case"],
    /400/,
    unknownMethods((request) => ({ ...request, method: "GET" })),
  ),
  defect(
    "any-scheme",
    "Serves addresses of any scheme.",
    ["#targets"],
    /400/,
    targets((rest) => rest),
  ),
  defect("unparsable-500", "Breaks at a target that is no URL.", ["#targets"], /400/, {
    request: (request) =>
      request.target.startsWith("/") || URL.canParse(request.target) ? request : respondProblem(500, "internal-error"),
  }),
  defect(
    "targets-as-paths",
    "Takes an address of another scheme for a path.",
    ["#targets"],
    /400/,
    targets(() => "/no-such-path"),
  ),
  defect("any-version", "Serves every version of HTTP.", ["#versions"], /400/, unread(OTHER_VERSION, respond(200, {}))),
  defect(
    "versions-505",
    "Says which versions it does not speak.",
    ["#versions"],
    /400/,
    unread(OTHER_VERSION, respondProblem(505, "malformed-request")),
  ),
  defect(
    "codings-ignored",
    "Reads a coded body as it stands.",
    ["#transfer-codings"],
    /code malformed-request/,
    unread(CODED, respondProblem(400, "malformed-json")),
  ),
  defect(
    "codings-501",
    "Says that it does not know a transfer coding.",
    ["#transfer-codings"],
    /400/,
    unread(CODED, respondProblem(501, "malformed-request")),
  ),
  defect("chunks-as-json", "Judges the JSON of a body that broke off.", ["#broken-chunks"], /malformed-request|400/, {
    unreadable: () => respondProblem(422, "invalid-input"),
  }),
  defect("host-not-needed", "Needs no Host.", ["#missing-host"], /400/, {
    request: (request, { target }) => (hasNoHost(request) ? withAddedHeader(request, "Host", target.host) : request),
  }),
  defect("host-needed-by-get", "Needs Host for GET alone.", ["#missing-host"], /400/, {
    request: (request, { target }) =>
      hasNoHost(request) && request.method !== "GET" ? withAddedHeader(request, "Host", target.host) : request,
  }),
  defect("host-after-path", "Judges the path before Host.", ["#missing-host"], /400/, {
    answer: (answer, request) =>
      hasNoHost(request) && request.target.startsWith("/no-such") ? respondProblem(404, "path-not-found") : answer,
  }),
  defect("last-host", "Takes the last of several Hosts.", ["#two-hosts"], /refusal/, {
    request: (request, { target }) => withHeader(request, "Host", target.host),
  }),
];

/** Every answer of 400 goes out once more. */
function twice(
  client: Parameters<NonNullable<Hooks["socket"]>>[0],
  { target }: Parameters<NonNullable<Hooks["socket"]>>[1],
): boolean {
  const upstream = connect(target);
  client.pipe(upstream);
  client.on("close", () => upstream.destroy());
  upstream.on("error", () => {}).on("end", () => client.end());
  upstream.on("data", (bytes: Buffer) => {
    client.write(bytes.includes("HTTP/1.1 400") ? Buffer.concat([bytes, bytes]) : bytes);
  });
  return true;
}
