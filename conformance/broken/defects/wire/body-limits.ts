import { caught } from "../../caught.ts";
import type { Defect, ProxyAnswer, ProxyRequest } from "../../defect.ts";
import { header, pathOf } from "../../look.ts";
import { respondProblem, withBody, withHeader, withoutHeader, withStatus } from "../../shape.ts";
import { connect, TargetClosed } from "../../upstream.ts";

const LIMIT = 65_536;

type Hooks = Parameters<typeof caught>[4];

const defect = (id: string, description: string, catches: readonly string[], reason: RegExp, hooks: Hooks) =>
  caught(
    `http/body-${id}`,
    description,
    catches.map((name) => `http/body-limit${name}`),
    reason,
    hooks,
  );

/** With white space cut from the end of a body that is too large by no more than `by` bytes. */
const trimmed = (request: ProxyRequest, by = Number.POSITIVE_INFINITY): ProxyRequest =>
  request.body.length > LIMIT && request.body.length <= LIMIT + by
    ? { ...request, body: request.body.subarray(0, LIMIT) }
    : request;

const isChunked = (request: ProxyRequest) => header(request, "Transfer-Encoding") !== null;
const tooLarge = (change: (answer: ProxyAnswer, request: ProxyRequest) => ProxyAnswer): Hooks => ({
  answer: (answer, request) => (answer.status === 413 ? change(answer, request) : answer),
  unreadableAnswer: (answer) => (answer.status === 413 && answer.body.length > 0 ? change(answer, NO_REQUEST) : answer),
});
const NO_REQUEST: ProxyRequest = {
  method: "POST",
  target: "/",
  version: "1.1",
  headers: [],
  body: Buffer.alloc(0),
  rawBytes: Buffer.alloc(0),
};

const nothing = (answer: ProxyAnswer): ProxyAnswer => ({ ...answer, raw: Buffer.alloc(0) });

const ANSWERED = ["-answered#while-writing", "-answered#in-chunks", "-answered#through-a-client", "-answered#no-reset"];

export const bodyLimitDefects: readonly Defect[] = [
  defect(
    "65536-refused",
    "Takes 65,535 bytes at most.",
    ["#by-length", "#by-chunks", "#through-a-client", "#bytes-not-characters", "#whole-user", "#expected"],
    /422|201|input/,
    {
      request: (request) => (request.body.length === LIMIT ? respondProblem(413, "content-too-large") : request),
    },
  ),
  defect(
    "65537-taken",
    "Takes one byte more than 64 KiB.",
    ["#by-length", "#by-chunks", "#through-a-client", "#expected", "#whatever-else-is-wrong"],
    /413/,
    {
      request: (request) => trimmed(request, 1),
    },
  ),
  defect(
    "unlimited",
    "Takes bodies of any size that its proxy lets pass.",
    [
      "#by-length",
      "#by-chunks",
      "#through-a-client",
      "#expected",
      "#whatever-else-is-wrong",
      "-answered#through-a-client",
    ],
    /413/,
    {
      request: (request) => trimmed(request),
    },
  ),
  defect("chunks-unlimited", "Counts announced lengths alone.", ["#by-chunks"], /413/, {
    request: (request) => (isChunked(request) ? trimmed(request) : request),
  }),
  defect("wire-bytes-counted", "Counts the bytes of the chunks' frames.", ["#by-chunks"], /input/, {
    request: (request) =>
      isChunked(request) && request.rawBytes.length > LIMIT + 400 ? respondProblem(413, "content-too-large") : request,
  }),
  defect("characters-counted", "Counts characters.", ["#bytes-not-characters"], /413/, {
    request: (request) =>
      request.body.toString().length <= LIMIT
        ? { ...request, body: Buffer.from(request.body.toString().replaceAll("é", "e")) }
        : request,
  }),
  defect("after-credentials", "Judges credentials before the size.", ["#whatever-else-is-wrong"], /413/, {
    answer: (answer, request) =>
      answer.status === 413 && header(request, "X-API-KEY") === null
        ? respondProblem(401, "credentials-missing")
        : answer,
  }),
  defect("after-json", "Judges the JSON before the size.", ["#whatever-else-is-wrong"], /413/, {
    answer: (answer, request) =>
      answer.status === 413 && request.body.toString().startsWith("{{")
        ? respondProblem(400, "malformed-json")
        : answer,
  }),
  defect(
    "created-though-refused",
    "Creates the user, and then says that the request was too large.",
    ["#whole-user"],
    /409|201/,
    {
      request: async (request, { forward }) => {
        if (request.method === "POST" && request.body.length > LIMIT) await forward(trimmed(request));
        return request;
      },
    },
  ),
  defect(
    "as-500",
    "Takes a body that is too large for a fault of its own.",
    ["#by-length", "#by-chunks", "#through-a-client", ...ANSWERED.slice(0, 3)],
    /413/,
    tooLarge((answer) => withStatus(answer, 500)),
  ),
  defect(
    "as-400",
    "Says malformed-json of a body that is too large.",
    ["#by-length", "#through-a-client"],
    /413/,
    tooLarge(() => respondProblem(400, "malformed-json")),
  ),
  defect(
    "413-as-text",
    "Refuses a large body as its framework does.",
    ["#by-length", "#by-chunks"],
    /problem\+json/,
    tooLarge((answer) => withHeader(withBody(answer, "Payload Too Large"), "Content-Type", "text/plain")),
  ),
  defect(
    "413-without-code",
    "Refuses a large body without saying why.",
    ["#by-length"],
    /problem\+json/,
    tooLarge((answer) => ({ ...withoutHeader(answer, "Content-Type"), body: Buffer.alloc(0) })),
  ),
  defect("closed", "Ends the connection when a body is too large.", ANSWERED, /an answer/, tooLarge(nothing)),
  defect(
    "reset",
    "Resets the connection when a body is too large.",
    ["-answered#through-a-client", "-answered#no-reset"],
    /reset|answer/,
    {
      request: (request) => {
        if (request.body.length > LIMIT) throw new TargetClosed(Buffer.alloc(0), true);
        return request;
      },
    },
  ),
  defect(
    "reset-behind-the-answer",
    "Answers, and resets the connection right behind it.",
    ["-answered#no-reset"],
    /reset|answer/,
    {
      socket: (client, { target }) => {
        const upstream = connect(target);
        client.pipe(upstream);
        client.on("close", () => upstream.destroy());
        let refused = false;
        upstream.on("error", () => {}).on("end", () => refused || client.end());
        upstream.on("data", (bytes: Buffer) => {
          refused ||= bytes.includes("HTTP/1.1 413");
          client.write(bytes);
          // A reset that comes in one with the answer looks to Node like any other end; a late timer must not make it one.
          if (refused) setTimeout(() => setImmediate(() => client.resetAndDestroy()), 20);
        });
        return true;
      },
    },
  ),
  defect("on-get-ignored", "Does not count a body on GET.", ["-on-get"], /413/, {
    request: (request) =>
      request.method === "GET" && request.body.length > LIMIT ? { ...request, body: Buffer.alloc(0) } : request,
  }),
  defect("on-get-refused", "Refuses a body on GET.", ["-on-get"], /200/, {
    request: (request) =>
      request.method === "GET" && request.body.length > 0 ? respondProblem(400, "malformed-request") : request,
  }),
  defect("on-get-smaller", "Takes 1 KiB on GET.", ["-on-get#sysinfo", "-on-get#user.list"], /200/, {
    request: (request) =>
      request.method === "GET" && request.body.length > 1024 ? respondProblem(413, "content-too-large") : request,
  }),
  defect("on-get-chunks-ignored", "Does not count chunks on GET.", ["-on-get#sysinfo", "-on-get#docs.get"], /413/, {
    request: (request) =>
      request.method === "GET" && isChunked(request) ? { ...request, body: Buffer.alloc(0) } : request,
  }),
  defect(
    "on-pages-ignored",
    "Does not count a body beside its endpoint.",
    ["-on-get#/", "-on-get#/openapi.json", "-on-get#/robots.txt"],
    /413/,
    {
      request: (request) =>
        pathOf(request) !== "/api/" && request.method === "GET" ? { ...request, body: Buffer.alloc(0) } : request,
    },
  ),
];
