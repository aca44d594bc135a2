// Somebody else's implementation of the seed document, in plain node:http: other status codes, member names, media types and
// error bodies than ours wherever the document is silent. `breaks` breaks one given statement at a time.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from "node:http";
import type { AddressInfo } from "node:net";

const VERSION = "3.0.3";

/** The given statements that this deployment can break. */
export const statements = [
  "operation by the path",
  "version in the path",
  "another path only",
  "no docs.list",
  "sysinfo needs a key",
  "sysinfo is no JSON",
  "sysinfo by POST only",
  "health needs no key",
  "health needs no platform",
  "list needs no key",
  "list needs no platform",
  "key in the query not taken",
  "key in the header not taken",
  "platform in the query not taken",
  "platform in the header not taken",
  "create takes the query",
  "create is refused",
  "create answers text",
  "list is no JSON",
  "no README",
  "docs.list is XML",
  "another version on the landing page",
  "no status label on the landing page",
  "no client address on the landing page",
] as const;
export type Statement = (typeof statements)[number];

interface Asked {
  readonly operation: string | null;
  readonly data: Record<string, unknown>;
  readonly query: URLSearchParams;
}

export interface TinyDeployment {
  readonly url: string;
  close(): Promise<void>;
}

/** Starts one on a free port; `key` is the only key it knows, `web` the only platform. */
export async function startTiny(key: string, breaks: Statement | null = null): Promise<TinyDeployment> {
  const people: Record<string, unknown>[] = [];
  const broken = (statement: Statement) => statement === breaks;

  const say = (response: ServerResponse, status: number, body: unknown, type = "application/vnd.tiny+json") => {
    response.writeHead(status, { "Content-Type": type });
    response.end(type.endsWith("json") ? JSON.stringify(body) : String(body));
  };
  const landing = (request: IncomingMessage, response: ServerResponse) => {
    const label = broken("no status label on the landing page") ? "fine" : "Operational";
    const version = broken("another version on the landing page") ? "3.1.0" : VERSION;
    const address = broken("no client address on the landing page") ? "" : request.socket.remoteAddress;
    say(
      response,
      200,
      `<p>${label} ${version} tiny on node ${process.versions.node} for ${address} by ${request.method}`,
      "text/html",
    );
  };
  const entered = (request: IncomingMessage, { query }: Asked, health: boolean) => {
    const place = (name: string, what: "key" | "platform") => {
      const header = broken(`${what} in the header not taken`) ? undefined : request.headers[name.toLowerCase()];
      return header ?? (broken(`${what} in the query not taken`) ? null : query.get(name));
    };
    const anyKey = broken(health ? "health needs no key" : "list needs no key");
    const sent = place("X-API-KEY", "key");
    const keyIsGood = anyKey || sent === key;
    const platform = place("X-PLATFORM", "platform");
    const platformIsGood =
      platform === "web" || (health ? broken("health needs no platform") : broken("list needs no platform"));
    return keyIsGood && platformIsGood;
  };
  const create = (response: ServerResponse, data: Record<string, unknown>) => {
    if (broken("create is refused") || typeof data.name !== "string" || typeof data.email !== "string")
      return say(response, 460, { no: "create" });
    people.push(data);
    return say(response, 200, { done: data }, broken("create answers text") ? "text/plain" : undefined);
  };

  const answer = (request: IncomingMessage, response: ServerResponse, asked: Asked) => {
    const { operation, data, query } = asked;
    const isGet = request.method === "GET";
    if (operation === "sysinfo" && isGet !== broken("sysinfo by POST only")) {
      if (broken("sysinfo needs a key") && !entered(request, asked, false)) return say(response, 418, { no: "key" });
      return say(response, 200, { tiny: [VERSION] }, broken("sysinfo is no JSON") ? "text/plain" : undefined);
    }
    if (operation === "docs.list" && isGet && !broken("no docs.list"))
      return say(response, 203, ["README"], broken("docs.list is XML") ? "application/xml" : undefined);
    if (operation === "docs.get.README" && isGet && !broken("no README"))
      return say(response, 200, "Tiny", "text/plain");
    if (operation === "test.health" && isGet)
      return entered(request, asked, true)
        ? say(response, 200, { healthy: true })
        : say(response, 418, { no: "entry" });
    if (operation === "user.list" && isGet)
      return entered(request, asked, false)
        ? say(response, 206, { people }, broken("list is no JSON") ? "text/plain" : undefined)
        : say(response, 418, { no: "entry" });
    if (operation === "user.create" && (request.method === "POST" || broken("create takes the query"))) {
      if (!entered(request, asked, false)) return say(response, 418, { no: "entry" });
      return create(response, broken("create takes the query") ? { ...Object.fromEntries(query), ...data } : data);
    }
    return say(response, 410, "no", "text/plain");
  };

  const server: Server = createServer(async (request, response) => {
    const { pathname, searchParams: query } = new URL(request.url ?? "/", "http://tiny");
    if (pathname === "/") return landing(request, response);
    const byPath = broken("operation by the path") ? /^\/api\/(.+)$/.exec(pathname)?.[1] : undefined;
    const endpoint = broken("version in the path")
      ? `/api/${VERSION}/`
      : broken("another path only")
        ? "/call/"
        : "/api/";
    if (byPath === undefined && pathname !== endpoint) return say(response, 410, "no such path", "text/plain");
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk);
    let body: Record<string, unknown> = {};
    try {
      body = request.method === "POST" ? JSON.parse(Buffer.concat(chunks).toString()) : {};
    } catch {
      return say(response, 499, "not JSON", "text/plain");
    }
    const named = request.method === "POST" ? body["@"] : query.get("@");
    const operation = byPath ?? (typeof named === "string" ? named : null);
    return answer(request, response, { operation, data: Object(body.data), query });
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  return {
    // An object for every server that listens on a port.
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    close: () => new Promise((resolve) => server.close(() => resolve())),
  };
}
