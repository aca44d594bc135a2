import { fieldsOf, type Request } from "../../oracle/model-state.ts";
import { creating } from "../operations.ts";
import { answerBytes } from "../proxy/bytes.ts";
import {
  creation,
  letIn,
  refusal,
  withBody,
  withHeader,
  withJson,
  withoutHeader,
  withQuery,
} from "../proxy/edit-response.ts";
import type { Context, Mutant } from "../proxy/message.ts";
import {
  header,
  isList,
  isObject,
  jsonAnswer,
  pathOf,
  problemCode,
  queryOf,
  textOf,
} from "../proxy/sniff.ts";
import { reads, right } from "./answers.ts";

/**
 * How another implementation, or a proxy in front of it, may differ in users, time and place, and
 * in connections.
 */

/** An opaque text with the same content as our cursor. */
const sealed = (cursor: string) => `p.${[...cursor].reverse().join("")}`;
const opened = (cursor: string) =>
  cursor.startsWith("p.") ? [...cursor.slice(2)].reverse().join("") : `!${cursor}`;

const cursors: Mutant = {
  id: "has cursors of another form",
  request: (request) => {
    const [cursor, ...repeated] = isList(request) ? queryOf(request).getAll("cursor") : [];
    return cursor && repeated.length === 0
      ? withQuery(request, (query) => query.set("cursor", opened(cursor)))
      : request;
  },
  answer: (answer) => {
    const cursor = answer.status === 200 ? jsonAnswer(answer)?.nextCursor : undefined;
    if (typeof cursor !== "string") return answer;
    const link = header(answer, "Link") ?? "";
    const sealedLink = link.replace(encodeURIComponent(cursor), encodeURIComponent(sealed(cursor)));
    return withJson(withHeader(answer, "Link", sealedLink), (page) => ({
      ...page,
      nextCursor: sealed(cursor),
    }));
  },
};

const AHEAD_MS = 120_000;
const later = (time: unknown) => new Date(Date.parse(String(time)) + AHEAD_MS);
/** The first 48 bits of a UUIDv7 are milliseconds (RFC 9562, 5.7). */
function laterId(id: string): string {
  const time = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) + AHEAD_MS;
  const digits = time.toString(16).padStart(12, "0");
  return `${digits.slice(0, 8)}-${digits.slice(8)}${id.slice(13)}`;
}
/** The times and ids of a JSON value, and of its items. */
function shifted(value: unknown): unknown {
  if (!isObject(value)) return value;
  const members = Object.entries(value).map(([name, member]) => {
    if (name === "id") return [name, laterId(String(member))];
    if (name === "time" || name === "createdAt") return [name, later(member).toISOString()];
    return [name, Array.isArray(member) && name === "items" ? member.map(shifted) : member];
  });
  return Object.fromEntries(members);
}
const clock = right("has a clock that is two minutes fast", (answer, request) => {
  const date = header(answer, "Date");
  const dated = date ? withHeader(answer, "Date", later(date).toUTCString()) : answer;
  const json = jsonAnswer(dated);
  const isOwn = /\/(api\/)?$/.test(pathOf(request)) && answer.status < 300;
  if (!isOwn || !json) return dated;
  const moved = JSON.stringify(shifted(json));
  return moved === JSON.stringify(json) ? dated : withBody(dated, moved);
});

/** Milliseconds that a response takes, and the few that take long. */
const JITTER_MS = { most: 4, rare: 150 };

const late = right(
  "answers late, and now and then much later",
  async (answer, _request, { random }) => {
    const draw = random();
    await new Promise((resolve) =>
      setTimeout(resolve, draw < 0.01 ? JITTER_MS.rare : draw * JITTER_MS.most),
    );
    return answer;
  },
);

/** A record of another client. */
async function crowd(request: Request, context: Context): Promise<void> {
  const [command] = creating;
  const email = `somebody-${process.hrtime.bigint()}@example.org`;
  if (command) await context.forward(letIn(creation(request, command, email), context));
}

/** The share of our requests that are followed by a create of another client. */
const CREATES = 1 / 60;
const busy = right("has users created by others meanwhile", async (answer, request, context) => {
  if (context.random() < CREATES) await crowd(request, context);
  return answer;
});

/** About sixty a second, for a list that is read page by page. */
export const crowded = right(
  "has a user created by others for each page of the list",
  async (answer, request, context) => {
    if (isList(request)) await crowd(request, context);
    return answer;
  },
);

/** The effect of a bastion, or of a container's network, on every caller. */
const hidden = right("sees every caller at the address of a bastion", (answer, request) => {
  const json = jsonAnswer(answer);
  const address = "100.64.3.7";
  if (typeof json?.clientAddress === "string")
    return withJson(answer, (said) => ({ ...said, clientAddress: address }));
  if (request.method !== "GET" || pathOf(request) !== "/" || answer.status !== 200) return answer;
  return withBody(answer, textOf(answer).replaceAll(/\b127\.0\.0\.\d+\b/g, address));
});

const METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"];
const methods: Mutant = {
  id: "knows no methods but those of RFC 9110 and PATCH",
  request: (request) =>
    METHODS.includes(request.method) ? request : { ...request, method: "UNKNOWN" },
};

const TOO_LARGE: Request = {
  method: "POST",
  target: "/api/",
  body: " ".repeat(100_000),
  fields: Object.entries({ Host: "localhost", "Content-Type": "application/json" }),
};
const lengths: Mutant = {
  id: "reads lengths of any size",
  unreadable: (bytes, { forward }) =>
    /^content-length: \d{17,}\r$/im.test(bytes.toString("latin1")) ? forward(TOO_LARGE) : null,
};

const codings: Mutant = {
  id: "has gzip alone",
  // `*` is not that coding either.
  request: reads(/^accept-encoding$/i, (value) =>
    value.replaceAll(/\bbr\b/gi, "x-br").replace(/\*/, "br;q=0, *"),
  ),
};

/** The share of responses that close their connection: a connection has about ten requests. */
const CLOSES = 1 / 10;
const closing = right("closes a connection now and then", (answer, _request, { random }) =>
  random() < CLOSES ? withHeader(answer, "Connection", "close") : answer,
);

const chunks = right("sends every body in chunks", (answer, { version }) =>
  version !== "1.0" &&
  answer.body.length > 0 &&
  fieldsOf(answer.fields, "Content-Length").length > 0
    ? withHeader(withoutHeader(answer, "Content-Length"), "Transfer-Encoding", "chunked")
    : answer,
);

/** Faults that a parser finds before the method is known, or that more requests have come. */
const AT_PARSER = new Set([
  "malformed-request",
  "uri-too-long",
  "expectation-failed",
  "headers-too-large",
]);
const parser = right(
  "ends the connection with what its parser rejects, whose error has a body for HEAD too",
  (answer) =>
    AT_PARSER.has(problemCode(answer) ?? "")
      ? { ...answer, raw: answerBytes(answer, "GET") }
      : answer,
);

const connect: Mutant = {
  id: "rejects CONNECT, and closes at once",
  request: (request) => {
    if (request.method !== "CONNECT") return request;
    const answer = refusal("malformed-request");
    return { ...answer, raw: answerBytes(answer, "GET") };
  },
};

export const behaviour: readonly Mutant[] = [
  cursors,
  clock,
  late,
  busy,
  hidden,
  methods,
  lengths,
  codings,
];
/** Behind all other differences. */
export const connections: readonly Mutant[] = [closing, chunks, connect, parser];
