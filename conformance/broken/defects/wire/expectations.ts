import { caught } from "../../caught.ts";
import type { Defect, ProxyAnswer, ProxyRequest } from "../../defect.ts";
import { header } from "../../look.ts";
import { respond, respondProblem, withoutHeader } from "../../shape.ts";
import { connect } from "../../upstream.ts";

type Hooks = Parameters<typeof caught>[4];

const expectation = (id: string, description: string, variants: readonly string[], reason: RegExp, hooks: Hooks) =>
  caught(
    `http/expectation-${id}`,
    description,
    variants.map((name) => `http/${name}`),
    reason,
    hooks,
  );
const expects = (request: ProxyRequest) => header(request, "Expect");

const expectations: readonly Defect[] = [
  expectation("ignored", "Ignores expectations.", ["expectation#unknown"], /417/, {
    request: (request) => (expects(request) === null ? request : withoutHeader(request, "Expect")),
  }),
  expectation("as-400", "Says malformed-request of an unknown expectation.", ["expectation#unknown"], /417/, {
    answer: (answer) => (answer.status === 417 ? respondProblem(400, "malformed-request") : answer),
  }),
  expectation(
    "as-text",
    "Refuses an unknown expectation as its runtime does.",
    ["expectation#unknown"],
    /problem\+json/,
    {
      answer: (answer) => (answer.status === 417 ? { ...answer, headers: [], body: Buffer.alloc(0) } : answer),
    },
  ),
  expectation("loosely-read", "Looks for 100 in an expectation.", ["expectation#unknown"], /417/, {
    request: (request) => (expects(request)?.includes("100") ? withoutHeader(request, "Expect") : request),
  }),
  expectation("searched", "Looks for 100-continue anywhere in an expectation.", ["expectation#unknown"], /417/, {
    request: (request) => (expects(request)?.includes("100-continue") ? withoutHeader(request, "Expect") : request),
  }),
  expectation("by-get-alone", "Judges the expectations of GET alone.", ["expectation#unknown"], /417/, {
    request: (request) => (request.method === "POST" ? withoutHeader(request, "Expect") : request),
  }),
  expectation("continue-refused", "Meets no expectation.", ["expectation#continue", "body-limit#expected"], /422|200/, {
    request: (request) => (expects(request) === null ? request : respondProblem(417, "expectation-failed")),
  }),
  expectation("one-case", "Knows 100-continue in lower case.", ["expectation#continue"], /422/, {
    request: (request) => (/[A-Z]/.test(expects(request) ?? "") ? respondProblem(417, "expectation-failed") : request),
  }),
  expectation(
    "body-skipped",
    "Does not wait for a body that was asked for.",
    ["expectation#continue", "body-limit#expected"],
    /422|413/,
    {
      request: (request) =>
        expects(request) === "100-continue" && request.method === "POST"
          ? { ...withoutHeader(request, "Expect"), body: Buffer.from("") }
          : request,
    },
  ),
];

const connects = (id: string, description: string, hooks: Hooks) =>
  caught(`http/connect-${id}`, description, ["http/connect#closed"], /closed/, hooks);
const onConnect = (answer: () => ProxyAnswer): Hooks => ({
  request: (request) => (request.method === "CONNECT" ? answer() : request),
});

const tunnels: readonly Defect[] = [
  connects(
    "opened",
    "Says of CONNECT that it is done.",
    onConnect(() => respond(200, {})),
  ),
  connects(
    "refused-and-kept",
    "Refuses CONNECT and goes on reading.",
    onConnect(() => respondProblem(405, "method-not-allowed")),
  ),
  connects("as-get", "Takes CONNECT for GET.", {
    request: (request) =>
      request.method === "CONNECT" ? { ...request, method: "GET", target: "/api/?@=sysinfo" } : request,
  }),
  caught("http/connect-drops", "Forgets what came before CONNECT.", ["http/connect#after-requests"], /two answers/, {
    socket: (client, { target }) => {
      client.once("data", (bytes: Buffer) => {
        const upstream = connect(target).on("error", () => {});
        client.on("close", () => upstream.destroy());
        if (bytes.includes("CONNECT ")) client.end();
        else upstream.pipe(client);
        upstream.write(bytes);
      });
      return true;
    },
  }),
  connects("hangs", "Leaves CONNECT without an answer.", {
    request: (request) => (request.method === "CONNECT" ? new Promise<ProxyAnswer>(() => {}) : request),
  }),
];

export const expectationDefects: readonly Defect[] = [...expectations, ...tunnels];
