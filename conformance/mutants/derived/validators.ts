import { gzipSync } from "node:zlib";
import type { Aspect } from "../../client/expectation.ts";
import { answersOtherwise, changesAnswer, type Mutant, type Operator, type Selector, takesFor } from "../mutant.ts";
import { values } from "../proxy/head.ts";
import { header, textOf } from "../proxy/look.ts";
import type { Context, ProxyAnswer, ProxyRequest } from "../proxy/message.ts";
import { verbatim, withHeader, withoutHeader, withStatus } from "../proxy/shape.ts";

/** Broken conditions and content codings of whatever has an `ETag`: how `If-None-Match` and `Accept-Encoding` are read. */

/** What a wrong reader takes the lines of a header for; null for none. */
type Reading = (lines: readonly string[], request: ProxyRequest) => string | null | undefined;

const reads = (name: string, breaks: readonly Aspect[]) => (how: string, read: Reading) =>
  takesFor(
    `${name}: ${how}`,
    (request) => {
      const before = values(request.headers, name);
      const after = read(before, request) ?? null;
      if (after === (before.length === 0 ? null : before.join(", "))) return request;
      return after === null ? withoutHeader(request, name) : withHeader(request, name, after);
    },
    breaks,
  );

const unless =
  (test: (value: string, request: ProxyRequest) => boolean): Reading =>
  (lines, request) =>
    lines.length === 0 || test(lines.join(", "), request) ? null : lines.join(", ");

const conditions: Readonly<Record<string, Reading>> = {
  "is ignored": () => null,
  "is ignored for text": unless((_, request) => header(request, "Accept")?.startsWith("text/") === true),
  "is ignored where a coding is asked for": unless((_, request) =>
    /gzip|br/.test(header(request, "Accept-Encoding") ?? ""),
  ),
  "is ignored by HEAD": unless((_, { method }) => method === "HEAD"),
  "knows no lists": unless((value) => value.includes(",")),
  "compares strongly": unless((value) => value.includes("W/")),
  "knows no *": unless((value) => value === "*"),
  "reads the first line": (lines) => lines[0],
  "reads the last line": (lines) => lines.at(-1),
};

const codings: Readonly<Record<string, Reading>> = {
  "passes over q=0": (lines) =>
    lines.length === 0 ? null : lines.join(", ").replace(/;\s*q=0(\.0*)?(?=\s*(,|$))/g, ""),
  "finds gzip in any word": (lines) => (/gzip/.test(lines.join()) ? "gzip" : lines.join(", ")),
  "is ignored": () => "gzip",
  "takes none for gzip": (lines) => (lines.length === 0 ? "gzip" : lines.join(", ")),
};

const tagOf = (answer: ProxyAnswer) => header(answer, "ETag") ?? "";
const asked = (request: ProxyRequest | null) => (request ? header(request, "If-None-Match") : null);

const conditional: Selector = {
  name: "If-None-Match",
  takes: (answer, request) => answer.status === 200 && tagOf(answer) !== "" && asked(request) !== null,
};

type Test = (sent: string, tag: string, request: ProxyRequest, context: Context) => boolean | Promise<boolean>;

/** Whether the tag is that of the same in another format or coding. */
const matchesAs =
  (name: string, others: readonly string[]): Test =>
  async (_sent, _tag, request, { forward }) => {
    for (const other of others) if ((await forward(withHeader(request, name, other))).status === 304) return true;
    return false;
  };

/** What is taken for the tag that the answer has. */
const matches: Readonly<Record<string, Test>> = {
  "matches anything": () => true,
  "matches a part": (sent, tag) => sent.includes(tag.slice(1, -1)),
  "matches a beginning": (sent, tag) => sent.length > 2 && tag.startsWith(sent.slice(0, -1)),
  "matches another format": matchesAs("Accept", ["application/json", "text/markdown", "text/plain", "text/html"]),
  "matches another coding": matchesAs("Accept-Encoding", ["identity", "gzip", "br"]),
};

const is304: Selector = { name: "not modified", takes: ({ status }) => status === 304 };
const tagged: Selector = { name: "what has an ETag", takes: (answer) => answer.status === 200 && tagOf(answer) !== "" };

const tagFrom = (how: string, ask: (request: ProxyRequest, context: Context) => ProxyRequest) =>
  answersOtherwise(tagged, `has the ETag of ${how}`, ["header:etag"], async (answer, request, context) =>
    withHeader(answer, "ETag", tagOf(await context.forward(ask(withoutHeader(request, "If-None-Match"), context)))),
  );

const packed: Selector = { name: "what is compressed", takes: (answer) => header(answer, "Content-Encoding") !== null };
const packs = (name: string, pack: (answer: ProxyAnswer) => Buffer): Operator => ({
  name,
  breaks: ["body", "header:content-encoding"],
  change: (answer) => ({ ...answer, body: pack(answer) }),
});

const packing: readonly Operator[] = [
  packs("is not", (answer) => Buffer.from(textOf(answer))),
  packs("lacks its end", ({ body }) => body.subarray(0, -12)),
  packs("is compressed twice", ({ body }) => gzipSync(body)),
  packs("is an older copy", (answer) => gzipSync(`${textOf(answer)} `)),
  { name: "does not say so", breaks: ["body"], change: (answer) => withoutHeader(answer, "Content-Encoding") },
  {
    name: "says another coding",
    breaks: ["body", "header:content-encoding"],
    change: (answer) =>
      withHeader(answer, "Content-Encoding", header(answer, "Content-Encoding") === "br" ? "gzip" : "br"),
  },
];

export const mutants: readonly Mutant[] = [
  ...Object.entries(conditions).map(([how, read]) => reads("If-None-Match", ["status"])(how, read)),
  ...Object.entries(codings).map(([how, read]) =>
    reads("Accept-Encoding", ["header:content-encoding", "body"])(how, read),
  ),
  ...Object.entries(matches).map(([how, test]) =>
    answersOtherwise(conditional, how, ["status"], async (answer, request, context) =>
      (await test(asked(request) ?? "", tagOf(answer), request, context))
        ? { ...withStatus(answer, 304), body: Buffer.alloc(0) }
        : answer,
    ),
  ),
  answersOtherwise(is304, "with the body behind it", ["body", "connection"], async (answer, request, { forward }) =>
    verbatim({ ...answer, body: (await forward(withoutHeader(request, "If-None-Match"))).body }),
  ),
  tagFrom("another format", (request) => withHeader(request, "Accept", "text/markdown")),
  tagFrom("no coding", (request) => withoutHeader(request, "Accept-Encoding")),
  answersOtherwise(tagged, "has an ETag of the moment", ["header:etag"], (answer, _request, { random }) =>
    withHeader(answer, "ETag", `"${random()}"`),
  ),
  ...packing.map((operator) => changesAnswer(packed, operator)),
];
