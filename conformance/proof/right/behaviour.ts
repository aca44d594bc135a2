import { isObject, jsonAnswer, operationOf, pathOf, queryOf, textOf } from "../proxy/look.ts";
import type { ProxyRequest } from "../proxy/message.ts";
import { letIn, withBody, withHeader, withJson, withQuery } from "../proxy/shape.ts";
import { creating, paged } from "../requests.ts";
import type { Right } from "./right.ts";

/** How another implementation may differ in users, time and place. */

/** An opaque text with the same content as our cursor. */
const sealed = (cursor: string) => `p.${[...cursor].reverse().join("")}`;
const opened = (cursor: string) => (cursor.startsWith("p.") ? [...cursor.slice(2)].reverse().join("") : `!${cursor}`);

const isPage = (request: ProxyRequest) => paged.some(({ id }) => id === operationOf(request));

const cursors: Right = {
  id: "has cursors of another form",
  request: (request) => {
    const isCall = isPage(request) && !pathOf(request).endsWith("/api");
    const [cursor, ...more] = isCall ? queryOf(request).getAll("cursor") : [];
    return cursor && more.length === 0 ? withQuery(request, (query) => query.set("cursor", opened(cursor))) : request;
  },
  answer: (answer) => {
    const cursor = answer.status === 200 ? jsonAnswer(answer)?.nextCursor : undefined;
    if (typeof cursor !== "string") return answer;
    const link = answer.headers.find(([name]) => /^link$/i.test(name))?.[1] ?? "";
    const linked = withHeader(
      answer,
      "Link",
      link.replace(encodeURIComponent(cursor), encodeURIComponent(sealed(cursor))),
    );
    return withJson(linked, (page) => ({ ...page, nextCursor: sealed(cursor) }));
  },
};

/** Times of the deployment, this many milliseconds from ours. */
function clock(words: string, offset: number): Right {
  const shift = (time: unknown) => new Date(Date.parse(String(time)) + offset).toISOString();
  // The first 48 bits of a UUIDv7 are milliseconds (RFC 9562, 5.7).
  const shiftId = (id: string) => {
    const time = (Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16) + offset).toString(16).padStart(12, "0");
    return `${time.slice(0, 8)}-${time.slice(8)}${id.slice(13)}`;
  };
  const shifted = (value: unknown): unknown =>
    !isObject(value)
      ? value
      : Object.fromEntries(
          Object.entries(value).map(([name, member]) => {
            if (name === "id") return [name, shiftId(String(member))];
            if (name === "time" || name === "createdAt") return [name, shift(member)];
            return [name, Array.isArray(member) && name === "items" ? member.map(shifted) : member];
          }),
        );
  return {
    id: `has a clock that is two minutes ${words}`,
    answer: (answer, request) => {
      const date = answer.headers.find(([name]) => /^date$/i.test(name))?.[1];
      const dated = date ? withHeader(answer, "Date", new Date(Date.parse(date) + offset).toUTCString()) : answer;
      const json = jsonAnswer(dated);
      const own = /\/(api\/)?$/.test(pathOf(request)) && answer.status < 300;
      if (!own || !json) return dated;
      const moved = JSON.stringify(shifted(json));
      return moved === JSON.stringify(json) ? dated : withBody(dated, moved);
    },
  };
}
export const fast = clock("fast", 120_000);
export const slow = clock("slow", -120_000);

/** Milliseconds that a response takes, and the few that take long. */
const JITTER_MS = { most: 4, rare: 150 };

const late: Right = {
  id: "answers late, and now and then much later",
  answer: async (answer, _request, { random }) => {
    const draw = random();
    await new Promise((resolve) => setTimeout(resolve, draw < 0.01 ? JITTER_MS.rare : draw * JITTER_MS.most));
    return answer;
  },
};

/** The share of our requests that are followed by a create of another client. */
const SHARE = 1 / 60;

function foreign(request: ProxyRequest): ProxyRequest {
  const [{ name = "", example = {} } = {}] = creating;
  const data = { ...example, email: `somebody-${process.hrtime.bigint()}@example.org` };
  return {
    ...request,
    method: "POST",
    target: "/api/",
    headers: [
      ["Host", "localhost"],
      ["Content-Type", "application/json"],
    ],
    body: Buffer.from(JSON.stringify({ "@": name, data })),
  };
}

const busy: Right = {
  id: "has users created by others meanwhile",
  answer: async (answer, request, context) => {
    if (context.random() < SHARE) await context.forward(letIn(foreign(request), context));
    return answer;
  },
};

/** About sixty a second, for a list that is read page by page. */
export const crowded: Right = {
  id: "has a user created by others for each page of the list",
  answer: async (answer, request, context) => {
    if (isPage(request)) await context.forward(letIn(foreign(request), context));
    return answer;
  },
};

/** The effect of a bastion, or of a container's network, on every caller. */
const hidden: Right = {
  id: "sees every caller at the address of a bastion",
  answer: (answer, request) => {
    const json = jsonAnswer(answer);
    const address = "100.64.3.7";
    if (typeof json?.clientAddress === "string")
      return withJson(answer, (said) => ({ ...said, clientAddress: address }));
    if (request.method !== "GET" || pathOf(request) !== "/" || answer.status !== 200) return answer;
    return withBody(answer, textOf(answer).replaceAll(/\b127\.0\.0\.\d+\b/g, address));
  },
};

const METHODS = ["GET", "HEAD", "POST", "PUT", "DELETE", "CONNECT", "OPTIONS", "TRACE", "PATCH"];
const methods: Right = {
  id: "knows no methods but those of RFC 9110 and PATCH",
  request: (request) => (METHODS.includes(request.method) ? request : { ...request, method: "UNKNOWN" }),
};

const TOO_LARGE: ProxyRequest = {
  ...({ method: "POST", target: "/api/", version: "1.1", rawBytes: Buffer.alloc(0) } as const),
  headers: [
    ["Host", "localhost"],
    ["Content-Type", "application/json"],
  ],
  body: Buffer.alloc(100_000, " "),
};
const lengths: Right = {
  id: "reads lengths of any size",
  unreadable: async (bytes, { forward }) =>
    /^content-length: \d{17,}\r$/im.test(bytes.toString("latin1")) ? forward(TOO_LARGE) : null,
};

const codings: Right = {
  id: "has gzip alone",
  request: (request) => {
    const headers = request.headers.map(([name, value]) =>
      /^accept-encoding$/i.test(name)
        ? ([name, value.replaceAll(/\bbr\b/gi, "x-br")] as const)
        : ([name, value] as const),
    );
    return `${headers}` === `${request.headers}` ? request : { ...request, headers };
  },
};

export const behaviourOfOne: readonly Right[] = [cursors, fast, late];
export const behaviourOfOther: readonly Right[] = [slow, busy, hidden, methods, lengths, codings];
