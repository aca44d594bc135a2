import { brotliCompressSync, constants, gzipSync } from "node:zlib";
import { parse, stringify } from "yaml";
import type { Request } from "../../oracle/model-state.ts";
import { listing, queries, simplest } from "../operations.ts";
import { withBody, withHeader, withJson, withQuery } from "../proxy/edit-response.ts";
import type { Hooks, Mutant, Reply } from "../proxy/message.ts";
import {
  called,
  header,
  isObject,
  jsonAnswer,
  pathOf,
  problemCode,
  queryOf,
  textOf,
} from "../proxy/sniff.ts";

/**
 * How another implementation, or a proxy in front of it, changes responses without changing their
 * meaning.
 */

export const right = (id: string, answer: NonNullable<Hooks["answer"]>): Mutant => ({ id, answer });

const coders: Record<string, (text: string) => Buffer> = {
  gzip: (text) => gzipSync(text),
  br: (text) => brotliCompressSync(text, { params: { [constants.BROTLI_PARAM_QUALITY]: 4 } }),
};

/** Another body in the same content coding. */
function recoded(answer: Reply, text: string): Reply {
  const coding = header(answer, "content-encoding");
  const coder = coding === null ? undefined : coders[coding];
  return coder ? { ...answer, body: coder(text) } : withBody(answer, text);
}

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
  const requestId = `01J.${id.replaceAll("-", "_")}`;
  const named = withHeader(answer, "X-Request-Id", requestId);
  return answer.status >= 400 && jsonAnswer(answer)?.requestId === id
    ? withJson(named, (problem) => ({ ...problem, requestId }))
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
    const isPage = request.method === "GET" && onPath(request, /^\/$/);
    if (answer.status !== 200 || !(isCall || isPage)) return answer;
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

const isText = (answer: Reply) =>
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
    // The service compresses responses with an ETag where it is worth it: each coding has its own
    // tag.
    const asks = /(^|[\s,])gzip\s*(,|$)/.test(header(request, "accept-encoding") ?? "");
    if (!asks || header(answer, "etag") !== null) return varied;
    return withHeader({ ...varied, body: gzipSync(answer.body) }, "Content-Encoding", "gzip");
  },
);

/** The contract as YAML in another style: the same document. */
const written = new Map<string, string>();
const yaml = right("writes YAML in flow style", (answer, request) => {
  if (!onPath(request, /\.yaml$/) || answer.status !== 200 || answer.body.length === 0)
    return answer;
  const text = textOf(answer);
  const write = () => stringify(parse(text), { collectionStyle: "flow", version: "1.1" });
  const rewritten = written.get(text) ?? write();
  written.set(text, rewritten);
  return recoded(answer, rewritten);
});

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

/** In this order: documents of its own are in the contract before that is written as YAML. */
export const answers: readonly Mutant[] = [
  documents,
  detail,
  missingScope,
  requestIds,
  software,
  yaml,
  spells("writes Allow without blanks, in another order", "Allow", (value) =>
    value.split(", ").reverse().join(","),
  ),
  etags,
  compressed,
  right("has no reason phrases", (answer) => ({ ...answer, reason: "" })),
  fields("writes header names in small letters", (all) =>
    all.map(([name, value]) => [name.toLowerCase(), value]),
  ),
  fields("sends header fields in the opposite order", (all) => [...all].reverse()),
  right("writes JSON in ASCII, its members in another order", (answer) => {
    const json = jsonAnswer(answer);
    return json ? recoded(answer, escaped(JSON.stringify(reversed(json)))) : answer;
  }),
  spells("writes Vary in small letters, in another order", "Vary", (value) =>
    value.toLowerCase().split(", ").reverse().join(","),
  ),
  spells("quotes the charset", "Content-Type", (value) =>
    value.replace("; charset=utf-8", '; charset="utf-8"'),
  ),
  spells("links with a token as relation", "Link", (value) =>
    value.replace('rel="next"', "rel=next"),
  ),
  fields("sends header fields of its own", (all) => [
    ["Via", "1.1 front"],
    ...all,
    ["Strict-Transport-Security", "max-age=63072000"],
    ["Server-Timing", "total;dur=1.2"],
  ]),
];
