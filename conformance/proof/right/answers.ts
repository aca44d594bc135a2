import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { parse, stringify } from "yaml";
import type { Request } from "../../oracle/world.ts";
import { listing, queries, simplest } from "../operations.ts";
import {
  called,
  header,
  isObject,
  jsonAnswer,
  pathOf,
  problemCode,
  queryOf,
  textOf,
} from "../proxy/look.ts";
import type { Hooks, Mutant, ProxyAnswer } from "../proxy/message.ts";
import { withBody, withHeader, withJson, withQuery } from "../proxy/shape.ts";

/** How another implementation, or a proxy in front of it, changes responses without changing their meaning. */

export const right = (id: string, answer: NonNullable<Hooks["answer"]>): Mutant => ({ id, answer });

const coders: Record<string, (text: string) => Buffer> = {
  gzip: (text) => gzipSync(text),
  br: (text) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
};

/** Another body in the same content coding. */
function recoded(answer: ProxyAnswer, text: string): ProxyAnswer {
  const coding = header(answer, "content-encoding");
  const coder = coding === null ? undefined : coders[coding];
  return coder ? { ...answer, body: coder(text) } : withBody(answer, text);
}

/** The same JSON, written differently. */
const writes = (id: string, write: (json: object) => string): Mutant =>
  right(id, (answer) => {
    const json = jsonAnswer(answer);
    return json ? recoded(answer, write(json)) : answer;
  });

/** Members in the opposite order, at every depth. */
function reversed(value: unknown): unknown {
  if (Array.isArray(value)) return value.map(reversed);
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .reverse()
      .map(([name, member]) => [name, reversed(member)]),
  );
}

const escaped = (text: string) =>
  text.replaceAll(
    /[^\x20-\x7e\n]/g,
    (character) => `\\u${character.charCodeAt(0).toString(16).padStart(4, "0")}`,
  );

const fields = (id: string, change: (fields: Request["fields"]) => Request["fields"]): Mutant =>
  right(id, (answer) => ({ ...answer, fields: change(answer.fields) }));

/** If the field is present: its value in another spelling. */
const spells = (id: string, name: string, change: (value: string) => string): Mutant =>
  right(id, (answer) => {
    const value = header(answer, name);
    return value === null ? answer : withHeader(answer, name, change(value));
  });

const onPath = (request: Request, path: RegExp) => path.test(pathOf(request));

const OWN_ID = /^[A-Za-z0-9._-]{1,64}$/;
const requestIds: Mutant = right("makes request ids of another form", (answer, request) => {
  const id = header(answer, "x-request-id");
  if (id === null || OWN_ID.test(header(request, "x-request-id") ?? "")) return answer;
  const own = `01J.${id.replaceAll("-", "_")}`;
  const named = withHeader(answer, "X-Request-Id", own);
  return answer.status >= 400 && jsonAnswer(answer)?.requestId === id
    ? withJson(named, (problem) => ({ ...problem, requestId: own }))
    : named;
});

// Missing credentials must be named.
const detail: Mutant = right("says what is wrong in other words", (answer) =>
  ![null, "credentials-missing"].includes(problemCode(answer))
    ? withJson(answer, (problem) => ({
        ...problem,
        detail: "Ask your administrator, who knows what was wrong here.",
      }))
    : answer,
);

const software: Mutant = right(
  "is other software on another runtime",
  async (answer, request, { forward }) => {
    const names = { server: "Wunderwerk", runtime: "go1.26.1" };
    const isCall = called(request)?.id === simplest.id;
    if (answer.status !== 200 || !(isCall || (request.method === "GET" && onPath(request, /^\/$/))))
      return answer;
    if (isCall || jsonAnswer(answer)) return withJson(answer, (said) => ({ ...said, ...names }));
    // The page shows these values in its own words, at any place.
    const target = `/api/?@=${simplest.name}`;
    const said = jsonAnswer(await forward({ ...request, target, fields: [["Host", "localhost"]] }));
    const page = textOf(answer)
      .replaceAll(`>${said?.server}<`, `>${names.server}<`)
      .replaceAll(`>${said?.runtime}<`, `>${names.runtime}<`);
    return withBody(answer, page);
  },
);

const isText = (answer: ProxyAnswer) =>
  /^(text\/|application\/(problem\+)?json)/.test(header(answer, "content-type") ?? "");
const compressed: Mutant = right(
  "compresses every answer for whoever takes gzip",
  (answer, request) => {
    if (!isText(answer) || header(answer, "content-encoding") !== null || answer.body.length === 0)
      return answer;
    const vary = header(answer, "vary");
    const varied = /accept-encoding/i.test(vary ?? "")
      ? answer
      : withHeader(answer, "Vary", vary === null ? "Accept-Encoding" : `${vary}, Accept-Encoding`);
    // The service compresses responses with an ETag where it is worth it: each coding has its own tag.
    const asks = /(^|[\s,])gzip\s*(,|$)/.test(header(request, "accept-encoding") ?? "");
    if (!asks || header(answer, "etag") !== null) return varied;
    return withHeader({ ...varied, body: gzipSync(answer.body) }, "Content-Encoding", "gzip");
  },
);

/** The contract as YAML in another style: the same document. */
function yaml(id: string, write: (document: unknown) => string): Mutant {
  const written = new Map<string, string>();
  return right(id, (answer, request) => {
    if (!onPath(request, /\.yaml$/) || answer.status !== 200 || answer.body.length === 0)
      return answer;
    const text = textOf(answer);
    const other = written.get(text) ?? write(parse(text));
    written.set(text, other);
    return recoded(answer, other);
  });
}

/** Reads a field of requests in another way. */
export const reads =
  (wanted: RegExp, change: (value: string) => string): NonNullable<Mutant["request"]> =>
  (request) => {
    const fields = request.fields.map(
      ([name, value]) => [name, wanted.test(name) ? change(value) : value] as const,
    );
    return `${fields}` === `${request.fields}` ? request : { ...request, fields };
  };

const etags: Mutant = {
  ...spells("has ETags of another form", "ETag", (value) => value.replace(/^"/, '"v1/')),
  request: reads(/^if-none-match$/i, (value) => value.replaceAll('"v1/', '"')),
};

/** The operation that serves documents. */
const [documented] = queries.filter(({ pattern }) => pattern !== null);
/** The last document that the contract names, and an additional one. */
const KNOWN = documented?.known.at(-1) ?? "";
const PART = "faq-1";
const OWN = `${documented?.id}.${PART}`;
const documents: Mutant = {
  id: "has a document of its own",
  request: (request) =>
    queryOf(request).getAll("@").join() === OWN
      ? withQuery(request, (query) => query.set("@", KNOWN))
      : request,
  answer: (answer, request) => {
    if (answer.status !== 200) return answer;
    const json = jsonAnswer(answer);
    const operation = onPath(request, /^\/api\/$/) ? (queryOf(request).get("@") ?? "") : "";
    if (listing.includes(operation) && Array.isArray(json?.items)) {
      const entry = {
        ...json.items.find(({ operation: one }) => one === KNOWN),
        name: PART,
        operation: OWN,
      };
      return recoded(answer, JSON.stringify({ items: [...json.items, entry] }));
    }
    if (operation === OWN && json) return recoded(answer, JSON.stringify({ ...json, name: PART }));
    if (!onPath(request, /^\/openapi\.(json|yaml)$/)) return answer;
    // As an item of a list, in either notation.
    return recoded(
      answer,
      textOf(answer).replace(new RegExp(`(\\n *- )${KNOWN}|"${KNOWN}"`), (item, dash) =>
        dash ? `${item}${dash}${OWN}` : `${item},"${OWN}"`,
      ),
    );
  },
};

/** It may be named (D16). */
const missingScope: Mutant = right("names the scope that is missing", (answer, request) => {
  const scope = called(request)?.scope;
  return problemCode(answer) === "scope-missing"
    ? withJson(answer, (problem) => ({ ...problem, detail: `The scope ${scope} is missing.` }))
    : answer;
});

/**
 * RFC 9110, 8.6: a 304 may have the length of its 200, if that had one; the other deployment sends none. Applied after everything
 * that changes bodies.
 */
const lengths: Mutant = right(
  "has the length of the 200 on 304",
  (answer, { method }, { state }) => {
    const name = `length of ${header(answer, "etag")}`;
    if (answer.status === 200 && method === "GET") state.set(name, answer.body.length);
    return answer.status === 304 && state.has(name)
      ? withHeader(answer, "Content-Length", `${state.get(name)}`)
      : answer;
  },
);

/** The responses of one deployment. */
export const answersOfOne: readonly Mutant[] = [
  requestIds,
  software,
  writes("writes JSON with indentation", (json) => `${JSON.stringify(json, null, 2)}\n`),
  yaml("writes YAML in flow style", (document) =>
    stringify(document, { collectionStyle: "flow", version: "1.1" }),
  ),
  spells("writes Allow without blanks, in another order", "Allow", (value) =>
    value.split(", ").reverse().join(","),
  ),
  spells("writes the charset in capitals", "Content-Type", (value) =>
    value.replace("; charset=utf-8", ";charset=UTF-8"),
  ),
  etags,
  compressed,
  right("has no reason phrases", (answer) => ({ ...answer, reason: "" })),
  fields("writes header names in small letters", (all) =>
    all.map(([name, value]) => [name.toLowerCase(), value]),
  ),
  fields("sends header fields in the opposite order", (all) => [...all].reverse()),
  missingScope,
  lengths,
];

/** The responses of another. */
export const answersOfOther: readonly Mutant[] = [
  documents,
  detail,
  writes("writes JSON in ASCII, its members in another order", (json) =>
    escaped(JSON.stringify(reversed(json))),
  ),
  yaml(
    "writes YAML with other indentation, in another order",
    (document) =>
      `# As a document\n---\n${stringify(reversed(document), { indent: 4, version: "1.1" })}`,
  ),
  spells("writes Vary in small letters, in another order", "Vary", (value) =>
    value.toLowerCase().split(", ").reverse().join(","),
  ),
  spells("quotes the charset", "Content-Type", (value) =>
    value.replace("; charset=utf-8", '; charset="utf-8"'),
  ),
  spells("links with a token as relation", "Link", (value) =>
    value.replace('rel="next"', "rel=next"),
  ),
  right("has reason phrases of its own", (answer) => ({ ...answer, reason: "As You Like It" })),
  fields("writes header names in capitals", (all) =>
    all.map(([name, value]) => [name.toUpperCase(), value]),
  ),
  fields("sends header fields of its own", (all) => [
    ["Via", "1.1 front"],
    ...all,
    ["Strict-Transport-Security", "max-age=63072000"],
    ["Server-Timing", "total;dur=1.2"],
  ]),
];
