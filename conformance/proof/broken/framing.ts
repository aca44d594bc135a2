import { fieldsOf, type Request } from "../../oracle/model-state.ts";
import { answerBytes, verbatim } from "../proxy/bytes.ts";
import { refusal, respond, withHeader, withoutHeader } from "../proxy/edit-response.ts";
import type { Mutant, Reply } from "../proxy/message.ts";
import { header } from "../proxy/sniff.ts";
import { answering, asking } from "./memory.ts";

/**
 * Bytes that are not a request, or might be two: each server reads them differently. And responses
 * that are written wrongly.
 */

const HEAD_END = "\r\n\r\n";
const FRAMING = /^(?:content-length|transfer-encoding)[ \t]*:.*\r\n/gim;

/** A server's own framing fields, instead of those that were sent. */
const framings: Readonly<Record<string, () => string>> = {
  "reads chunks, whatever the length": () => "Transfer-Encoding: chunked",
  "reads no body by a length that it does not know": () => "Content-Length: 0",
};

const framed = Object.entries(framings).map(
  ([id, framing]): Mutant => ({
    id,
    unreadable: (bytes) => {
      const [head = "", ...rest] = bytes.toString("latin1").split(HEAD_END);
      const body = rest.join(HEAD_END);
      const unframed = `${head}\r\n`.replace(FRAMING, "");
      if (rest.length === 0 || unframed.length === head.length + 2) return null;
      return Buffer.from(`${unframed}${framing()}${HEAD_END}${body}`, "latin1");
    },
  }),
);

/** Responds to bytes of this form by itself. */
const serves = (id: string, form: RegExp, answer: Reply): Mutant => ({
  id,
  unreadable: (bytes) => (form.test(bytes.toString("latin1")) ? answer : null),
});

/** For the proxy a message with chunks is readable, whatever its version is. */
const isOldAndCoded = ({ version, fields }: Request) =>
  version === "1.0" && fieldsOf(fields, "transfer-encoding").length > 0;

const reading: readonly Mutant[] = [
  asking("reads the chunks of HTTP/1.0", (request) =>
    isOldAndCoded(request) ? { ...request, version: "1.1" } : request,
  ),
  ...framed,
  serves("serves what is no request", /^(?![A-Z]+ \S+ HTTP\/1\.1\r\n)/, respond(200, {})),
  serves("serves a line that is no field", /\r\n[^:\r\n]+\r\n/, respond(200, {})),
  // It belongs to a valid request before it.
  serves(
    "forgets what came before what it cannot read",
    /HTTP\/1\.1\r\n.*\r\n\r\n/s,
    refusal("malformed-request"),
  ),
];

/** Writes responses that have a body in another way, where it `holds`. */
const writes = (
  id: string,
  holds: (answer: Reply, request: Request) => boolean,
  write: (answer: Reply) => Reply,
): Mutant =>
  answering(id, (answer, request) =>
    request.method !== "HEAD" && answer.body.length > 0 && holds(answer, request)
      ? write(answer)
      : answer,
  );
const isSuccess = ({ status }: Reply) => status < 300;
const isRejection = ({ status }: Reply) => status >= 400;
const coded = (answer: Reply) => withHeader(answer, "Transfer-Encoding", "chunked");

const writing: readonly Mutant[] = [
  writes("a rejection has length and chunks", isRejection, coded),
  writes("a success has no last chunk", isSuccess, (answer) => ({
    ...answer,
    raw: answerBytes(coded(withoutHeader(answer, "Content-Length")), "GET").subarray(
      0,
      -"0\r\n\r\n".length,
    ),
  })),
  writes(
    "answers HTTP/1.0 in chunks",
    (_, { version }) => version === "1.0",
    (answer) => coded(withHeader(withoutHeader(answer, "Content-Length"), "Connection", "close")),
  ),
  writes(
    "says br of what is not",
    (_, request) => header(request, "Accept-Encoding") !== null,
    (answer) => withHeader(answer, "Content-Encoding", "br"),
  ),
  answering("a 304 has a body", (answer) =>
    answer.status === 304 ? verbatim({ ...answer, body: Buffer.from("{}") }) : answer,
  ),
];

export const mutants: readonly Mutant[] = [...reading, ...writing];
