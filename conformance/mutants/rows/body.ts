import { decoders } from "../../client/wire/content-coding.ts";
import { PROTO, parse } from "../derived/bodies.ts";
import { answersItself, changesAnswer, type Mutant, OUTCOME, takesFor, wild } from "../mutant.ts";
import { dropsHeader, setsHeader } from "../operators.ts";
import { header, isObject, type JsonObject, jsonBody } from "../proxy/look.ts";
import type { ProxyRequest } from "../proxy/message.ts";
import { respondProblem, withHeader, withJson, withoutHeader } from "../proxy/shape.ts";
import { isPost, oneField } from "../requests.ts";
import { problemOf } from "../selectors.ts";

/** Broken readers of a body, and of the header fields that describe it (D6, D7). */

const inChunks = (request: ProxyRequest) =>
  header(request, "Transfer-Encoding") === "chunked" && request.body.some((byte) => byte > 127);

const JSON_TYPE = "application/json";

/** The fields of a form of either kind as a body. */
function ofForm(request: ProxyRequest): ProxyRequest {
  const [type, text] = [header(request, "Content-Type") ?? "", request.body.toString()];
  if (!isPost(request) || !/urlencoded|multipart/.test(type)) return request;
  const fields = type.includes("urlencoded")
    ? [...new URLSearchParams(text)]
    : [...text.matchAll(/name="([^"]+)"\r\n\r\n(.*)\r\n/g)].map(([, name = "", value = ""]) => [name, value] as const);
  const { "@": name, data: own, ...rest } = Object.fromEntries(fields);
  const data = Object.fromEntries(
    Object.entries(rest).map(([each, value]) => [each.replace(/^data\[(.*)\]$/, "$1"), value]),
  );
  const body = Buffer.from(JSON.stringify({ "@": name, data: own === undefined ? data : parse(own) }));
  return { ...withHeader(request, "Content-Type", JSON_TYPE), body };
}

function uncoded(request: ProxyRequest): ProxyRequest {
  const decode = decoders.get(header(request, "Content-Encoding")?.toLowerCase() ?? "");
  try {
    return decode ? { ...withoutHeader(request, "Content-Encoding"), body: decode(request.body) } : request;
  } catch {
    return request;
  }
}

const unsupported = problemOf("unsupported-media-type");
const isCoded = (request: ProxyRequest) => isPost(request) && header(request, "Content-Encoding") !== null;

const described: readonly Mutant[] = [
  ...[0, -1].map((at) =>
    takesFor(`takes the ${at === 0 ? "first" : "last"} of two Content-Types`, (request) =>
      oneField(request, "Content-Type", at),
    ),
  ),
  takesFor("takes an empty body for JSON", (request) =>
    isPost(request) && request.body.length === 0 ? withHeader(request, "Content-Type", JSON_TYPE) : request,
  ),
  takesFor("reads forms", ofForm),
  takesFor("passes over Content-Encoding", (request) =>
    isCoded(request) ? withoutHeader(request, "Content-Encoding") : request,
  ),
  takesFor("passes over codings that it does not know", (request) =>
    isCoded(request) && !/gzip|deflate|br|compress/i.test(header(request, "Content-Encoding") ?? "")
      ? withoutHeader(request, "Content-Encoding")
      : request,
  ),
  takesFor("undoes the coding of a body", uncoded),
  answersItself("refuses the coding identity", OUTCOME, (request) =>
    isCoded(request) && /^identity$/i.test(header(request, "Content-Encoding") ?? "")
      ? respondProblem(415, "unsupported-media-type")
      : null,
  ),
  ...[dropsHeader("Accept"), setsHeader("Accept", "*/*"), dropsHeader("Accept-Encoding")].map((operator) =>
    changesAnswer(unsupported, operator),
  ),
  answersItself("refuses characters in two chunks", OUTCOME, (request) =>
    inChunks(request) ? respondProblem(400, "malformed-json") : null,
  ),
  takesFor("reads each chunk as a text of its own", (request) =>
    inChunks(request)
      ? { ...request, body: Buffer.from(request.body.toString("latin1").replace(/[\x80-\xff]/g, "\ufffd")) }
      : request,
  ),
];

/** What a merge would put into every object. */
function polluting(value: unknown): JsonObject {
  if (!isObject(value)) return {};
  const { constructor: made, ...rest } = value;
  const own =
    Object.entries(value).find(([name]) => name === PROTO)?.[1] ?? (isObject(made) ? made.prototype : undefined);
  return Object.assign({}, isObject(own) ? own : {}, ...Object.values(rest).map(polluting));
}

const merges = wild("merges bodies into the prototype of objects", ["http/proto-member"], ["body"], {
  request: (request, { state }) => {
    const found = isPost(request) ? polluting(jsonBody(request)) : {};
    if (Object.keys(found).length > 0) state.set("polluted", found);
    return request;
  },
  answer: (answer, _request, { state }) =>
    state.has("polluted") ? withJson(answer, (json) => Object.assign({}, state.get("polluted"), json)) : answer,
});

export const mutants: readonly Mutant[] = [...described, merges];
