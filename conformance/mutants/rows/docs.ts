import { operations, problems } from "../../../generated/operations.ts";
import { requirements } from "../../../generated/requirements.ts";
import { every, knownParts } from "../../client/operation.ts";
import { readers } from "../derived/dispatch.ts";
import { answersOtherwise, changesAnswer, type Mutant, OUTCOME, type Selector, takesFor } from "../mutant.ts";
import { atPointer, dropsHeader, onBody } from "../operators.ts";
import { header, namedIn, problemCode, textOf } from "../proxy/look.ts";
import type { ProxyAnswer, ProxyRequest } from "../proxy/message.ts";
import { respond, respondProblem, withBody, withHeader, withoutHeader, withQuery, withStatus } from "../proxy/shape.ts";
import { selector, successOf } from "../selectors.ts";

/** Broken documents: which names they are found by, and what stands in them. */

const docs = operations["docs.get"];
const known = knownParts(docs);
const [first = ""] = known;
const prefix = docs.name.replace(/\{.*$/, "");
const partOf = (request: ProxyRequest | null) => {
  const name = request && request.method !== "POST" ? namedIn(request) : null;
  return name?.startsWith(prefix) ? name.slice(prefix.length) : null;
};
const withPart = (request: ProxyRequest, part: string) => withQuery(request, (query) => query.set("@", prefix + part));

const oneThat = (fits: (one: string) => boolean, part: string) => known.find(fits) ?? part;
const { trimmed = String, "without marks": unmarked = String, "up to a NUL": untilNul = String } = readers;
/** Ways to take what is no name of a document for one. */
const parts: Readonly<Record<string, (part: string) => string>> = {
  trimmed,
  "without marks": unmarked,
  "up to a NUL": untilNul,
  "as it folds": (part) => part.normalize("NFKC"),
  "decoded twice, from the end of a path": (part) => part.replace(/%2f/gi, "/").split(/[/\\]/).at(-1) ?? part,
  "without an extension": (part) => part.replace(/\.md$/, ""),
  "up to a comma": (part) => part.split(/[,;]/)[0] ?? part,
  "without letter case": (part) => oneThat((one) => one.toLowerCase() === part.toLowerCase(), part),
  "by its beginning": (part) => oneThat((one) => part.length > 3 && one.startsWith(part), part),
  "by what it begins with": (part) => oneThat((one) => part.startsWith(one), part),
  "without ../": (part) => part.replaceAll("../", ""),
  "without blanks": (part) => part.replace(/\s/g, ""),
  "as a pattern": (part) => oneThat((one) => part.endsWith("*") && one.startsWith(part.slice(0, -1)), part),
  "behind other signs": (part) => part.replace(/^[-_.]+/, ""),
  "as the first where it is empty": (part) => part || first,
};
const names = Object.entries(parts).map(([how, read]) =>
  takesFor(`reads the name of a document ${how}`, (request) => {
    const part = partOf(request);
    const after = part === null || known.includes(part) ? part : read(part);
    return after !== null && after !== part && known.includes(after) ? withPart(request, after) : request;
  }),
);

type Code = "document-not-found" | "operation-not-found";
const refused = (code: Code, shape: RegExp): Selector => ({
  name: `${code} for ${shape}`,
  takes: (answer, request) => problemCode(answer) === code && shape.test(partOf(request) ?? "\n"),
});
/** Names that the pattern has, refused; names that it has not, taken. */
const pattern = (
  [
    ["document-not-found", "operation-not-found", [/^.$/, /^\d$/, /^.{64}$/]],
    [
      "operation-not-found",
      "document-not-found",
      [/^\w{65}$/, /^.{66,}$/, /^[-_]\w/, /^[\w.]+$/, /^\p{L}+$/u, /^$/, /[/\\]/],
    ],
  ] as const
).flatMap(([code, other, shapes]) =>
  shapes.map((shape) =>
    answersOtherwise(refused(code, shape), `is ${other}`, OUTCOME, () => respondProblem(404, other)),
  ),
);
const made = respond(200, { name: "made", title: "Made", mediaType: "text/markdown", content: "" });
const outcomes = (
  [
    [/^(?:constructor|toString|valueOf)$/, respondProblem(500, "internal-error")],
    [/^(?:constructor|toString|valueOf)$/, made],
    [/^[A-Z]+$/, made],
  ] as const
).map(([shape, answer]) =>
  answersOtherwise(refused("document-not-found", shape), `is ${answer.status}`, OUTCOME, () => answer),
);
const files = [/passwd/, /\.(env|json|git)$/].map((shape) =>
  answersOtherwise(refused("operation-not-found", shape), "is a file", OUTCOME, () => made),
);
/** What is there to some who ask, and to others not. */
const asked = (what: string, status: number, test: (request: ProxyRequest) => boolean) => {
  const takes: Selector["takes"] = (answer, request) =>
    request !== null && answer.status === 404 && partOf(request) !== null && test(request);
  return answersOtherwise({ name: `no document ${what}`, takes }, `is ${status}`, OUTCOME, (answer) =>
    withStatus({ ...answer, body: Buffer.alloc(0) }, status),
  );
};

const as = (mediaType?: string) => successOf(docs, 200, mediaType);
const texts = (mediaType: string, what: string, change: (text: string) => string) =>
  changesAnswer(
    as(mediaType),
    onBody(what, (body) => Buffer.from(change(`${body}`))),
  );
/** Entries that have to name all of something, and the last name of each. */
const named = Object.entries({
  reference: every.findLast((one) => one.parts.length === 0)?.name,
  problems: Object.keys(problems).at(-1),
  contract: requirements.at(-1)?.id,
}).map(([entry, name = ""]) =>
  answersOtherwise(
    as(entry === "problems" ? "text/html" : "text/markdown"),
    `calls ${name} otherwise`,
    ["body"],
    (answer, request) =>
      partOf(request) === entry ? withBody(answer, textOf(answer).replaceAll(name, `${name}-x`)) : answer,
  ),
);

const isTagged = (answer: ProxyAnswer) => answer.status === 200 && header(answer, "ETag") !== null;
/** Whatever has an ETag shows another one to HEAD: that of the format, or coding, which is sent to who asks for none. */
const heads = ["Accept", "Accept-Encoding"].map((name) =>
  answersOtherwise(
    selector("HEAD of what is tagged", (answer, { method }) => method === "HEAD" && isTagged(answer)),
    `does not read ${name}`,
    ["header:etag"],
    (_answer, request, { forward }) => forward(withoutHeader(request, name)),
  ),
);
/** A document that is taken for the one which the caller has. */
const unchanged = (asked: string, takes: (request: ProxyRequest) => boolean): Mutant =>
  answersOtherwise(
    selector(
      `a document ${asked}`,
      (answer, request) => isTagged(answer) && partOf(request) !== null && takes(request),
    ),
    "is 304",
    ["status"],
    (answer) => ({ ...withStatus(answer, 304), body: Buffer.alloc(0) }),
  );
const conditional = [
  unchanged("with a date of the caller's", (request) => header(request, "If-Modified-Since") !== null),
  unchanged(
    "with a date beside another tag",
    (request) => header(request, "If-Modified-Since") !== null && header(request, "If-None-Match") !== null,
  ),
  answersOtherwise(
    selector(
      "not-acceptable",
      (answer, request) => problemCode(answer) === "not-acceptable" && partOf(request) !== null,
    ),
    "comes behind If-None-Match",
    ["status"],
    async (answer, request, { forward }) => {
      if (header(request, "If-None-Match") === null) return answer;
      return forward(withHeader(withHeader(request, "Accept", "*/*"), "If-None-Match", "*"));
    },
  ),
  changesAnswer(
    selector(
      "a document for no Accept",
      (answer, request) => isTagged(answer) && partOf(request) !== null && header(request, "Accept") === null,
    ),
    dropsHeader("Vary"),
  ),
  takesFor(
    "no document is compressed",
    (request) =>
      partOf(request) !== null && header(request, "Accept-Encoding") !== null
        ? withHeader(request, "Accept-Encoding", "identity")
        : request,
    ["header:content-encoding"],
  ),
];

export const mutants: readonly Mutant[] = [
  takesFor("answers README for any document", (request) =>
    /^docs\.get\.no-/.test(namedIn(request) ?? "")
      ? withQuery(request, (query) => query.set("@", "docs.get.README"))
      : request,
  ),
  ...heads,
  ...conditional,
  ...names,
  ...pattern,
  ...outcomes,
  ...files,
  asked("to If-None-Match", 304, (request) => header(request, "If-None-Match") !== null),
  asked("to a browser", 200, (request) => header(request, "Accept")?.includes("html") === true),
  asked("to HEAD", 200, ({ method }) => method === "HEAD"),
  ...named,
  answersOtherwise(as("text/html"), "is the same for all", ["body"], (_answer, request, { forward }) =>
    forward(withPart(request, first)),
  ),
  answersOtherwise(as("text/html"), "is Markdown", ["body"], async (answer, request, { forward }) =>
    withBody(answer, textOf(await forward(withHeader(request, "Accept", "text/markdown")))),
  ),
  texts("text/html", "has headings only", (html) => html.replace(/<(p|ul|ol|table|pre)\b[\s\S]*?<\/\1>/g, "")),
  texts("text/plain", "has no marks", (text) => text.replace(/[#`*]/g, "")),
  texts("text/markdown", "ends lines by CRLF", (text) => text.replace(/\n/g, "\r\n")),
  changesAnswer(
    as(),
    atPointer("trims", "/content", (content) => String(content).trim()),
  ),
  changesAnswer(
    as(),
    atPointer("leaves a placeholder in", "/content", (content) => `${content}\nhttps://two.invalid/\n`),
  ),
  takesFor(
    "only the first document has other formats",
    (request) =>
      ![null, first].includes(partOf(request)) && header(request, "Accept") !== null
        ? withHeader(request, "Accept", "*/*")
        : request,
    [...OUTCOME, "header:content-type"],
  ),
];
