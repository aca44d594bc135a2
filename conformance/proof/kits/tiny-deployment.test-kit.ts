// Another implementation of the given document, in plain node:http: other status codes, member
// names, media types and error bodies than ours wherever the document leaves them open. `breaks`
// breaks one given statement at a time (each of them where `broken` names it), `decisions` replaces
// its choices where nothing is given.
import { brotliCompressSync, deflateSync, gzipSync } from "node:zlib";
import { contract } from "../../contract.ts";
import { type Arrived, serve } from "./server.test-kit.ts";

const VERSION = contract.version;
type Person = Readonly<Record<string, unknown>>;

/** A response of any media type; JSON is written from the body. */
export interface Said {
  readonly status?: number;
  readonly type?: string;
  readonly body: unknown;
  readonly headers?: Readonly<Record<string, string>>;
}

export const coders = { gzip: gzipSync, br: brotliCompressSync, deflate: deflateSync } as const;

const defaultDecisions = {
  refused: { status: 418, body: { no: "entry" } } as Said,
  /** Status, media type, envelope and spelling of accepted requests. */
  status: 200,
  type: "application/vnd.tiny+json",
  indent: 0,
  wrap: (body: unknown): unknown => body,
  sysinfo: { tiny: [VERSION] } as unknown,
  health: { healthy: true } as unknown,
  documents: ["README"] as unknown,
  created: (person: Person, _people: readonly Person[]): unknown => ({ done: person }),
  listed: (people: readonly Person[]): unknown => ({ people }),
  readme: { type: "text/plain", body: "Tiny" } as Said,
  /** Operations, by prefix of their names, that need no key. */
  open: /^(sysinfo|docs)/,
  required: ["name", "email"],
  takes: (_person: Person, _people: readonly Person[]): boolean => true,
  /** If `@` is missing, and on other paths; null: rejected. */
  ...({ help: null, elsewhere: null } as Record<"help" | "elsewhere", Said | null>),
  /** Paths that are the endpoint as well. */
  endpoints: /^$/,
  /** The operation of a GET without `@`. */
  byDefault: null as string | null,
  landingAt: "/",
  /** The response at `/` if the landing page is elsewhere. */
  root: null as Said | null,
  page: (facts: string): Said => ({ type: "text/html", body: `<p>${facts}` }),
  headers: {} as Readonly<Record<string, string>>,
  code: null as ((body: Buffer) => Buffer) | null,
  chunked: false,
  lateMs: 0,
};
export type Decisions = typeof defaultDecisions;

/**
 * Starts one that lives as long as the test; `key` is the only valid key, `web` the only platform.
 * Returns its address.
 */
export function startTiny(
  key: string,
  breaks: string | null = null,
  decisions: Partial<Decisions> = {},
): Promise<string> {
  const people: Person[] = [];
  const broken = (statement: string) => statement === breaks;
  const shape = { ...defaultDecisions, ...decisions };
  const accepted = (body: unknown, isBroken = false): Said => ({
    body: shape.wrap(body),
    type: isBroken ? "text/plain" : shape.type,
  });

  const landing = ({ method }: Arrived, from = "") => {
    const version = broken("another version on the landing page") ? "3.1.0" : VERSION;
    const address = broken("no client address on the landing page") ? "" : from;
    const software = `tiny on node ${process.versions.node}`;
    const facts = `Operational ${version} ${software} for ${address} by ${method}`;
    return { status: 200, ...shape.page(facts) };
  };
  const entered = ({ headers }: Arrived, query: URLSearchParams, operation: string | null) => {
    const what = operation === "test.health" ? "health" : "list";
    const sent = (name: string) => {
      const header = broken("headers not taken") ? undefined : headers[name.toLowerCase()];
      return header ?? (broken("the query not taken") ? null : query.get(name));
    };
    const isKnown = broken(`${what} needs no key`) || sent("X-API-KEY") === key;
    return isKnown && sent("X-PLATFORM") === "web";
  };
  const create = (data: Person) => {
    const missing = shape.required.some((member) => typeof data[member] !== "string");
    if (missing || !shape.takes(data, people)) return shape.refused;
    const person = { name: data.name, email: data.email };
    if (!broken("a created user is never listed")) people.push(person);
    return accepted(shape.created(person, people), broken("create answers text"));
  };
  const list = () => accepted(shape.listed(people), broken("list is no JSON"));
  const sysinfo = () => (broken("another version") ? { version: "3.0.4" } : shape.sysinfo);

  const called = (
    request: Arrived,
    query: URLSearchParams,
    operation: string | null,
    data: Person,
  ): Said => {
    const isGet = request.method === "GET";
    if (operation === null && isGet && shape.help) return shape.help;
    const isOpen = operation === "sysinfo" || shape.open.test(operation ?? "");
    if (!isOpen && !entered(request, query, operation)) return shape.refused;
    if (operation === "sysinfo" && isGet !== broken("sysinfo by POST only"))
      return accepted(sysinfo(), broken("sysinfo is no JSON"));
    if (operation === "docs.list" && isGet && !broken("no docs.list")) {
      const documents = accepted(broken("docs.list without README") ? ["help"] : shape.documents);
      return broken("docs.list is XML") ? { ...documents, type: "application/xml" } : documents;
    }
    const isAny =
      broken("any document name answers README") ||
      broken("any name answers README with that name");
    const [, name = ""] = /^docs\.get\.(.+)$/.exec(operation ?? "") ?? [];
    if (isGet && (isAny ? name !== "" : name === "README") && !broken("no README"))
      return broken("any name answers README with that name")
        ? accepted({ name, text: "Tiny" })
        : shape.readme;
    if (operation === "test.health" && isGet) return accepted(shape.health);
    if (operation === "user.list" && isGet) return list();
    if (operation === "user.create" && broken("create takes the query"))
      return create({ ...Object.fromEntries(query), ...data });
    return operation === "user.create" && request.method === "POST" ? create(data) : shape.refused;
  };

  const answer = (request: Arrived, from?: string): Said => {
    const { pathname, searchParams: query } = new URL(request.url, "http://tiny");
    if (pathname === shape.landingAt) return landing(request, from);
    if (pathname === "/" && shape.root) return shape.root;
    if (pathname === "/users" && broken("the list at /users")) return list();
    const byPath = broken("operation by the path")
      ? /^\/api\/(.+)$/.exec(pathname)?.[1]
      : undefined;
    const endpoint = broken("another path only") ? "/call/" : "/api/";
    if (byPath === undefined && pathname !== endpoint && !shape.endpoints.test(pathname))
      return shape.elsewhere ?? shape.refused;
    let body: unknown;
    try {
      body = request.method === "POST" ? JSON.parse(request.body.toString()) : {};
    } catch {
      return shape.refused;
    }
    const { "@": inBody, data } = Object(body);
    const named = request.method === "POST" ? inBody : query.get("@");
    const unnamed = request.method === "GET" ? shape.byDefault : null;
    return called(
      request,
      query,
      byPath ?? (typeof named === "string" ? named : unnamed),
      Object(data),
    );
  };

  return serve((request, response) => {
    const said = answer(request, response.socket?.remoteAddress);
    const { status = shape.status, type = shape.type, body, headers } = said;
    const text = /json/i.test(type) ? JSON.stringify(body, null, shape.indent) : String(body);
    const bytes = shape.code?.(Buffer.from(text)) ?? Buffer.from(text);
    const coding = Object.entries(coders).find(([, coder]) => coder === shape.code)?.[0];
    const coded = coding && { "Content-Encoding": coding };
    const fields = { "Content-Type": type, ...shape.headers, ...headers, ...coded };
    const send = () => {
      response.writeHead(
        status,
        shape.chunked ? fields : { ...fields, "Content-Length": String(bytes.length) },
      );
      if (shape.chunked) response.write(bytes.subarray(0, 1));
      response.end(shape.chunked ? bytes.subarray(1) : bytes);
    };
    if (shape.lateMs > 0) setTimeout(send, shape.lateMs);
    else send();
  });
}
