import { caught } from "../../caught.ts";
import type { Defect, ProxyAnswer, ProxyRequest } from "../../defect.ts";
import { header, pathOf } from "../../look.ts";
import { respondProblem, verbatim, withAddedHeader, withHeader, withoutHeader } from "../../shape.ts";

/** What is right on GET and POST of the endpoint, and wrong elsewhere: a layer that answers before the one that judges. */

type Hooks = Parameters<typeof caught>[4];

const defect = (id: string, description: string, catches: readonly string[], reason: RegExp, hooks: Hooks) =>
  caught(
    `http/elsewhere-${id}`,
    description,
    catches.map((name) => `http/${name}`),
    reason,
    hooks,
  );

/** Who answers before the limits are judged. */
const EARLY: Readonly<Record<string, (request: ProxyRequest) => boolean>> = {
  options: ({ method }) => method === "OPTIONS",
  head: ({ method }) => method === "HEAD",
  redirect: (request) => request.method === "GET" && pathOf(request).endsWith("/api"),
  landing: (request) => pathOf(request) === "/",
  files: (request) => /\.(json|txt)$/.test(pathOf(request)),
  "unknown-path": (request) => pathOf(request).endsWith("/no-such-path"),
};

const short = (request: ProxyRequest): ProxyRequest => ({
  ...request,
  target: request.target.slice(0, 2000),
  headers: request.headers.filter(([name]) => !/^x-field-\d+$/i.test(name)),
});

const limits: readonly Defect[] = [
  ...Object.entries(EARLY).map(([name, isEarly]) =>
    defect(
      `limits-not-${name}`,
      `Judges the limits of a request's head after it has answered (${name}).`,
      ["url-limit#elsewhere", "header-limit#elsewhere", "header-count#elsewhere"],
      /a refusal of/,
      { request: (request) => (isEarly(request) ? short(request) : request) },
    ),
  ),
  defect("fields-of-post-uncounted", "Counts no header fields of POST.", ["header-count#elsewhere"], /a refusal of/, {
    request: (request) => (request.method === "POST" ? short(request) : request),
  }),
  defect(
    "head-limited-as-a-whole",
    "Has 20 KiB for the URL and the header fields together.",
    ["header-limit#beside-a-long-url"],
    /404/,
    {
      request: (request) => {
        const fields = request.headers.reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
        return request.target.length + fields > 20_480 ? respondProblem(431, "headers-too-large") : request;
      },
    },
  ),
];

const hosts: readonly Defect[] = Object.entries(EARLY)
  .filter(([name]) => name !== "unknown-path")
  .map(([name, isEarly]) =>
    defect(
      `host-not-needed-${name}`,
      `Needs no Host where it answers early (${name}).`,
      ["malformed-request#missing-host"],
      /400/,
      {
        request: (request, { target }) =>
          isEarly(request) && request.version === "1.1" && header(request, "Host") === null
            ? withAddedHeader(request, "Host", target.host)
            : request,
      },
    ),
  );

const addresses = defect(
  "host-of-the-address",
  "Takes the address in the request line for the Host that is missing.",
  ["malformed-request#missing-host"],
  /400/,
  {
    request: (request, { target }) =>
      /^https?:/i.test(request.target) && header(request, "Host") === null
        ? withAddedHeader(request, "Host", target.host)
        : request,
  },
);

const expectations: readonly Defect[] = Object.entries(EARLY).map(([name, isEarly]) =>
  defect(
    `expectation-ignored-${name}`,
    `Ignores expectations where it answers early (${name}).`,
    ["expectation#unknown"],
    /417/,
    { request: (request) => (isEarly(request) ? withoutHeader(request, "Expect") : request) },
  ),
);

const NAME = "X-Request-Id";
const WITH_REFUSALS: typeof EARLY = { ...EARLY, refusals: () => false };
const isRaw = ({ status }: ProxyAnswer) => status === 400 || status === 417 || status === 431;

const ids: readonly Defect[] = [
  ...Object.entries(WITH_REFUSALS).map(([name, isEarly]) =>
    defect(
      `request-id-taken-${name}`,
      `Takes the caller's id as it is where it answers early (${name}).`,
      ["request-id#replaced-everywhere"],
      /X-Request-Id/,
      {
        answer: (answer, request) => {
          const sent = header(request, NAME);
          return sent !== null && (isEarly(request) || (name === "refusals" && answer.status > 400))
            ? withHeader(answer, NAME, sent)
            : answer;
        },
      },
    ),
  ),
  defect("one-id-for-refusals", "Has one id for all that it refuses at once.", ["request-id#new-on-refusals"], /same/, {
    answer: (answer, request) =>
      isRaw(answer) && header(request, NAME) === null ? withHeader(answer, NAME, "refused") : answer,
    unreadableAnswer: (answer) => withHeader(answer, NAME, "unreadable"),
  }),
];

const unchanged = defect(
  "one-id-for-304",
  "Sends the id of an earlier answer with 304.",
  ["request-id#new-ones-differ"],
  /same/,
  {
    answer: (answer) => (answer.status === 304 ? withHeader(answer, NAME, "earlier") : answer),
  },
);

const closes = (answer: ProxyAnswer): ProxyAnswer => ({ ...answer, raw: Buffer.alloc(0) });
const large = ({ body }: ProxyRequest) => body.length > 65_536;

const uploads: readonly Defect[] = [
  defect(
    "upload-cut-off",
    "Ends the connection of an upload that it refuses for something else than its size.",
    ["body-limit-answered#whatever-refuses-it"],
    /an answer/,
    { answer: (answer, request) => (large(request) && answer.status !== 413 ? closes(answer) : answer) },
  ),
  defect(
    "upload-of-another-type-cut-off",
    "Ends the connection of an upload of another media type.",
    ["body-limit-answered#whatever-refuses-it"],
    /an answer/,
    { answer: (answer, request) => (large(request) && answer.status === 415 ? closes(answer) : answer) },
  ),
];

const WAYS = ["versions#1.0-every-path", "versions#absolute-form-every-path"];
const isOld = ({ version, target }: ProxyRequest) => version === "1.0" || /^https?:/i.test(target);

const versions: readonly Defect[] = Object.entries(EARLY)
  .filter(([name]) => name !== "unknown-path")
  .map(([name, isEarly]) =>
    defect(
      `versions-not-${name}`,
      `Finds nothing by HTTP/1.0, or at an address, where it answers early (${name}).`,
      WAYS,
      /HTTP\/1\.0|absolute form/,
      {
        answer: (answer, request) =>
          isOld(request) && isEarly(request) ? respondProblem(404, "path-not-found") : answer,
      },
    ),
  );

const pipelines: readonly Defect[] = [
  defect(
    "304-with-body",
    "Sends a body behind 304.",
    ["pipelining#after-not-modified", "pipelining#after-unchanged-page"],
    /in this order/,
    { answer: (answer) => (answer.status === 304 ? verbatim({ ...answer, body: Buffer.from("{}") }) : answer) },
  ),
  defect(
    "refusal-sticks",
    "Refuses everything behind a request whose head it has refused.",
    ["pipelining#after-refused-head"],
    /200 or the end/,
    {
      answer: (answer, _request, { state }) => {
        if (answer.status === 414 || answer.status === 417 || answer.status === 431) state.set("refused", true);
        return state.has("refused") && answer.status === 200 ? respondProblem(404, "path-not-found") : answer;
      },
    },
  ),
  ...["POST", "HEAD"].map((method) =>
    defect(
      `redirect-of-${method.toLowerCase()}-rewritten`,
      `Writes the query anew when it redirects ${method}.`,
      [`slash-redirect#${method.toLowerCase()}`],
      /byte for byte/,
      {
        answer: (answer, request) =>
          answer.status === 308 && request.method === method
            ? withHeader(answer, "Location", (header(answer, "Location") ?? "").replaceAll("%40", "@"))
            : answer,
      },
    ),
  ),
  defect(
    "absolute-without-path",
    "Finds nothing at an address without a path.",
    ["versions#absolute-form-landing"],
    /200/,
    {
      answer: (answer, { target }) =>
        /^https?:\/\/[^/]*$/i.test(target) ? respondProblem(404, "path-not-found") : answer,
    },
  ),
  defect(
    "absolute-redirect-query-lost",
    "Loses the query of a redirect at an address.",
    ["versions#absolute-form-every-path"],
    /redirect/,
    {
      request: (request) =>
        /^https?:.*\/api\?/i.test(request.target)
          ? { ...request, target: request.target.replace(/\?.*$/, "") }
          : request,
    },
  ),
];

export const elsewhereDefects: readonly Defect[] = [
  ...limits,
  ...hosts,
  addresses,
  ...expectations,
  ...ids,
  unchanged,
  ...uploads,
  ...versions,
  ...pipelines,
];
