import { verbatimBytes } from "../../answer.ts";
import { caught } from "../../caught.ts";
import type { Defect, ProxyAnswer, ProxyRequest } from "../../defect.ts";
import { header, namedIn } from "../../look.ts";
import { verbatim, withAddedHeader, withHeader } from "../../shape.ts";
import { chunks, everywhere } from "./everywhere.ts";

type Hooks = Parameters<typeof caught>[4];

const length = (id: string, description: string, variants: readonly string[], reason: RegExp, hooks: Hooks) =>
  caught(
    `http/length-${id}`,
    description,
    variants.map((name) => `http/content-length${name}`),
    reason,
    hooks,
  );

/** One byte more than announced, whatever the answer is: bodiless ones too. */
const longer = (answer: ProxyAnswer): ProxyAnswer =>
  verbatim({ ...answer, body: Buffer.concat([answer.body, Buffer.from("\n")]) });
const announcing = (answer: ProxyAnswer, more: number): ProxyAnswer =>
  verbatim(withHeader(answer, "Content-Length", String(answer.body.length + more)));

const OPERATIONS = ["#sysinfo-get", "#test.health-get", "#user.list-get", "#docs.list-get", "#docs.get-get"];
const HEADS = [
  "#sysinfo-head",
  "#user.list-head",
  "#docs.get-head",
  "#landing-head",
  "#redirect-head",
  "#unknown-path-head",
];
const REFUSALS = ["#unknown-operation", "#unknown-path", "#invalid-input", "#missing-credentials", "#wrong-method"];
const hasBody = (answer: ProxyAnswer, { method }: ProxyRequest) => method !== "HEAD" && answer.body.length > 0;

export const lengthDefects: readonly Defect[] = [
  length("short", "Announces one byte too few.", [""], /as many bytes/, everywhere(longer)),
  length(
    "long",
    "Announces one byte too many.",
    [...OPERATIONS, ...REFUSALS, "#landing", "#contract", "#robots"],
    /an answer/,
    {
      answer: (answer, request) => (hasBody(answer, request) ? announcing(answer, 1) : answer),
    },
  ),
  length(
    "early-long",
    "Announces too many bytes where its framework does not answer.",
    ["#large-headers", "#expectation", "#large-body"],
    /an answer/,
    {
      answer: (answer) => ([413, 417, 431].includes(answer.status) ? announcing(answer, 7) : answer),
    },
  ),
  length("of-head", "Sends a body to HEAD.", HEADS, /as many bytes/, {
    answer: (answer, { method }) =>
      method === "HEAD" ? verbatim({ ...answer, body: Buffer.from('{"status":"Operational"}') }) : answer,
  }),
  length("of-304", "Sends a body with 304.", ["#not-modified"], /as many bytes/, {
    answer: (answer) => (answer.status === 304 ? verbatim({ ...answer, body: Buffer.from("{}") }) : answer),
  }),
  length("of-204", "Sends a body with 204.", ["#options"], /as many bytes|204/, {
    answer: (answer) => (answer.status === 204 ? verbatim({ ...answer, body: Buffer.from("{}") }) : answer),
  }),
  length("announced-with-204", "Announces a body with 204.", ["#options"], /204/, {
    answer: (answer) => (answer.status === 204 ? verbatim(withHeader(answer, "Content-Length", "2")) : answer),
  }),
  length("twice", "Announces the length twice.", [...OPERATIONS, ...REFUSALS], /one Content-Length/, {
    answer: (answer, request) =>
      hasBody(answer, request)
        ? verbatim(withAddedHeader(answer, "Content-Length", String(answer.body.length)))
        : answer,
  }),
  length("and-chunks", "Announces a length beside chunks.", [...OPERATIONS, "#landing"], /Content-Length or/, {
    answer: (answer, request) => {
      if (!hasBody(answer, request)) return answer;
      return {
        ...answer,
        raw: verbatimBytes(withHeader(chunks(answer), "Content-Length", String(answer.body.length))),
      };
    },
  }),
  length("last-chunk-missing", "Forgets the last chunk.", ["#sysinfo-get", "#landing"], /an answer/, {
    answer: (answer, request) => {
      if (!hasBody(answer, request)) return answer;
      const { body, ...rest } = chunks(answer);
      return { ...answer, raw: verbatimBytes({ ...rest, body: body.subarray(0, -5) }) };
    },
  }),
  length(
    "of-characters",
    "Counts the characters of what it sends.",
    ["#docs.get-get"],
    /as many bytes|an answer|JSON/,
    {
      answer: (answer, request) =>
        namedIn(request)?.startsWith("docs.get.") && hasBody(answer, request)
          ? announcing(answer, answer.body.toString().length - answer.body.length - 1)
          : answer,
    },
  ),
  length(
    "before-coding",
    "Announces the length before compression.",
    ["#docs.get-gzip", "#contract"],
    /as many bytes|an answer/,
    {
      answer: (answer, request) =>
        header(answer, "Content-Encoding") && hasBody(answer, request) ? announcing(answer, 500) : answer,
    },
  ),
  length("corrupt-coding", "Says gzip of what is none.", ["#sysinfo-gzip", "#user.list-gzip"], /JSON in gzip/, {
    answer: (answer, request) =>
      header(request, "Accept-Encoding") && hasBody(answer, request)
        ? withAddedHeader(answer, "Content-Encoding", "gzip")
        : answer,
  }),
  length("other-coding", "Compresses as nobody asked.", ["#test.health-gzip", "#docs.list-gzip"], /gzip or nothing/, {
    answer: (answer, request) =>
      header(request, "Accept-Encoding") && hasBody(answer, request)
        ? withAddedHeader(answer, "Content-Encoding", "br")
        : answer,
  }),
  length(
    "keeps-open",
    "Keeps the connection open although told to end it.",
    ["#sysinfo-get"],
    /end of the connection/,
    {
      socket: (client) => {
        client.end = () => client;
        return false;
      },
    },
  ),
];
