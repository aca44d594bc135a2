import { answerBytes } from "../proxy/answer.ts";
import { header, problemCode } from "../proxy/look.ts";
import { refusal, withHeader, withoutHeader } from "../proxy/shape.ts";
import { TargetClosed } from "../proxy/upstream.ts";
import type { Right } from "./right.ts";

/** How another implementation, or a proxy in front of it, may differ in connections and in the framing of responses. */

const closing: Right = {
  id: "closes the connection after every response",
  answer: (answer) => withHeader(answer, "Connection", "close"),
};

/** The share of responses that close their connection: a connection has about ten requests. */
const SHARE = 1 / 10;

const closingNowAndThen: Right = {
  id: "closes a connection now and then",
  answer: (answer, _request, { random }) => (random() < SHARE ? withHeader(answer, "Connection", "close") : answer),
};

const chunks: Right = {
  id: "sends every body in chunks",
  answer: (answer, request) =>
    request.version === "1.1" && answer.body.length > 0 && header(answer, "content-length") !== null
      ? { ...withoutHeader(answer, "Content-Length"), chunked: true }
      : answer,
};

/** Faults that a parser finds before the method is known, or that more requests have come. */
const AT_PARSER = new Set(["malformed-request", "uri-too-long", "expectation-failed", "headers-too-large"]);

const parser: Right = {
  id: "ends the connection with what its parser rejects, whose error has a body for HEAD too",
  answer: (answer) =>
    AT_PARSER.has(problemCode(answer) ?? "") ? { ...answer, raw: answerBytes(answer, "GET") } : answer,
};

const connect: Right = {
  id: "rejects CONNECT, and closes at once",
  request: (request) => {
    if (request.method === "CONNECT") throw new TargetClosed(answerBytes(refusal("malformed-request"), "GET"), false);
    return request;
  },
};

export const connectionsOfOne: readonly Right[] = [closing];
export const connectionsOfOther: readonly Right[] = [closingNowAndThen, chunks, connect, parser];
