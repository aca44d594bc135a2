import { caught } from "../../caught.ts";
import type { Defect, HeaderFields, ProxyAnswer, ProxyRequest } from "../../defect.ts";
import { pathOf, queryOf } from "../../look.ts";
import { respondProblem, withBody, withStatus } from "../../shape.ts";

type Hooks = Parameters<typeof caught>[4];

const defect = (id: string, description: string, catches: readonly string[], reason: RegExp, hooks: Hooks) =>
  caught(
    `http/${id}`,
    description,
    catches.map((name) => `http/${name}`),
    reason,
    hooks,
  );

const refused = (status: number, change: (answer: ProxyAnswer) => ProxyAnswer): Hooks => {
  const hook = (answer: ProxyAnswer) => (answer.status === status ? change(answer) : answer);
  return { answer: hook, unreadableAnswer: hook };
};
const closes = (answer: ProxyAnswer): ProxyAnswer => ({ ...answer, raw: Buffer.alloc(0) });

const size = ({ headers }: ProxyRequest) =>
  headers.reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
const padding = ([name]: HeaderFields[number]) => /^(x-field-\d+|x-padding|x)$/i.test(name);
const cut = (target: string, length: number) => target.slice(0, length);

/** The request without what makes it too large, as a server would read it that has no such limit. */
const bare = (request: ProxyRequest): ProxyRequest => ({
  ...request,
  headers: request.headers.filter((field) => !padding(field)),
});

const urls: readonly Defect[] = [
  defect(
    "url-8192-refused",
    "Takes 8,191 bytes of URL at most.",
    ["url-limit#query", "url-limit#path", "url-limit#post"],
    /404|taken/,
    {
      request: (request) => (request.target.length === 8192 ? respondProblem(414, "uri-too-long") : request),
    },
  ),
  defect("url-4k", "Takes 4 KiB of URL.", ["url-limit#query"], /404/, {
    request: (request) => (request.target.length > 4096 ? respondProblem(414, "uri-too-long") : request),
  }),
  defect("url-2k-of-path", "Takes 2 KiB of path.", ["url-limit#path"], /404/, {
    request: (request) => (pathOf(request).length > 2048 ? respondProblem(414, "uri-too-long") : request),
  }),
  defect(
    "url-8193-taken",
    "Takes one byte more than 8 KiB of URL.",
    ["url-limit#query", "url-limit#path", "url-limit#post"],
    /414/,
    {
      request: (request) =>
        request.target.length === 8193 ? { ...request, target: cut(request.target, 8192) } : request,
    },
  ),
  defect(
    "url-unlimited",
    "Has no limit of its own for URLs.",
    ["url-limit#query", "url-limit#path", "url-limit#post"],
    /414/,
    {
      request: (request) => ({ ...request, target: cut(request.target, 8192) }),
    },
  ),
  defect("url-path-unlimited", "Counts the query alone.", ["url-limit#path"], /414/, {
    request: (request) => (request.target.includes("?") ? request : { ...request, target: cut(request.target, 8192) }),
  }),
  defect("url-post-unlimited", "Counts the URL of GET alone.", ["url-limit#post"], /414/, {
    request: (request) => (request.method === "POST" ? { ...request, target: cut(request.target, 8192) } : request),
  }),
  defect(
    "url-as-404",
    "Finds nothing at a long URL.",
    ["url-limit#query", "url-limit#path", "url-limit#far-over"],
    /414/,
    refused(414, (answer) => withStatus(answer, 404)),
  ),
  defect(
    "url-as-text",
    "Refuses a long URL as its framework does.",
    ["url-limit#query"],
    /problem\+json/,
    refused(414, (answer) => ({ ...withBody(answer, "URI Too Long"), headers: [["Content-Type", "text/plain"]] })),
  ),
  defect(
    "url-as-500",
    "Breaks at a long URL.",
    ["url-limit#query", "url-limit#many-parameters"],
    /414/,
    refused(414, (answer) => withStatus(answer, 500)),
  ),
  defect(
    "url-closes",
    "Ends the connection at a long URL.",
    ["url-limit#query", "url-limit#path"],
    /an answer/,
    refused(414, closes),
  ),
  defect(
    "url-far-over-closes",
    "Ends the connection when its parser gives up.",
    ["url-limit#far-over", "url-limit#many-parameters"],
    /an answer|414/,
    {
      request: (request) =>
        request.target.length > 15_000
          ? { ...respondProblem(431, "headers-too-large"), raw: Buffer.alloc(0) }
          : request,
      unreadable: () => ({ ...respondProblem(431, "headers-too-large"), raw: Buffer.alloc(0) }),
    },
  ),
  defect("parameters-limited", "Takes a hundred parameters.", ["url-limit#many-parameters"], /422|414/, {
    request: (request) => (queryOf(request).size > 100 ? respondProblem(400, "malformed-query") : request),
  }),
];

const LIMITS = ["header-limit#one-field", "header-limit#3-fields", "header-limit#90-fields"];

const heads: readonly Defect[] = [
  defect("headers-8k", "Takes 8 KiB of header fields.", [...LIMITS, "header-limit#post"], /200|422/, {
    request: (request) => (size(request) > 8192 ? respondProblem(431, "headers-too-large") : request),
  }),
  defect(
    "headers-unlimited",
    "Has no limit of its own for header fields.",
    [...LIMITS, "header-limit#post", "header-limit#far-over"],
    /431/,
    {
      request: (request) => (size(request) > 16_384 ? bare(request) : request),
    },
  ),
  defect("headers-17k", "Takes a little more than 16 KiB of header fields.", [...LIMITS], /431/, {
    request: (request) => (size(request) < 17_408 ? bare(request) : request),
  }),
  defect(
    "headers-each-limited",
    "Counts the largest field alone.",
    ["header-limit#3-fields", "header-limit#90-fields"],
    /431/,
    {
      request: (request) =>
        request.headers.every(([, value]) => value.length < 8192) && request.headers.length < 100
          ? bare(request)
          : request,
    },
  ),
  defect("headers-post-unlimited", "Counts the header fields of GET alone.", ["header-limit#post"], /431/, {
    request: (request) => (request.method === "POST" ? bare(request) : request),
  }),
  defect(
    "headers-as-400",
    "Says malformed-request of large header fields.",
    [...LIMITS, "header-limit#far-over", "header-count#by-name", "header-count#one-name", "header-count#ten-thousand"],
    /431/,
    refused(431, () => respondProblem(400, "malformed-request")),
  ),
  defect(
    "headers-as-text",
    "Refuses large header fields as its runtime does.",
    ["header-limit#one-field", "header-limit#far-over", "header-count#ten-thousand"],
    /problem\+json/,
    refused(431, (answer) => ({ ...answer, headers: [], body: Buffer.alloc(0) })),
  ),
  defect(
    "headers-far-over-closes",
    "Ends the connection when its parser gives up on the headers.",
    ["header-limit#far-over", "header-count#ten-thousand"],
    /an answer|431/,
    refused(431, closes),
  ),
  defect("fields-99", "Takes 99 header fields.", ["header-count#by-name", "header-count#one-name"], /200/, {
    request: (request) => (request.headers.length > 99 ? respondProblem(431, "headers-too-large") : request),
  }),
  defect("fields-101", "Takes 101 header fields.", ["header-count#by-name", "header-count#one-name"], /431/, {
    request: (request) => (request.headers.length === 101 ? bare(request) : request),
  }),
  defect(
    "fields-unlimited",
    "Does not count header fields.",
    ["header-count#by-name", "header-count#one-name"],
    /431/,
    { request: bare },
  ),
  defect("fields-dropped", "Drops what comes after 2,000 header fields.", ["header-count#one-name"], /431/, {
    request: (request) => (request.headers.length > 2000 ? bare(request) : request),
  }),
  defect("fields-by-name", "Counts the names of header fields.", ["header-count#one-name"], /431/, {
    request: (request) => {
      const names = new Set(request.headers.map(([name]) => name.toLowerCase()));
      return names.size <= 100 ? bare(request) : request;
    },
  }),
  defect(
    "fields-summed",
    "Counts the header fields of a connection together.",
    ["header-count#next-request"],
    /three answers|200/,
    { request: summed(150) },
  ),
];

/** The fields of this and the last requests count as one number. */
function summed(limit: number): NonNullable<Hooks["request"]> {
  return (request, { state }) => {
    const before = state.get("fields");
    const fields = request.headers.length + (typeof before === "number" ? before : 0);
    state.set("fields", fields);
    return fields > limit ? respondProblem(431, "headers-too-large") : request;
  };
}

export const headLimitDefects: readonly Defect[] = [...urls, ...heads];
