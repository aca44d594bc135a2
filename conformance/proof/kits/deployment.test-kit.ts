import { randomUUID } from "node:crypto";
import { contract } from "../../contract.ts";
import { type Arrived, serve } from "./server.test-kit.ts";

export const KEY = "key-of-the-test-0123456789";

interface DeploymentOptions {
  readonly version?: string;
  readonly status?: string;
  /** Whether a key is valid; by default one is known. */
  readonly accepts?: (key: string | undefined) => boolean;
  /** Gets every request first; a status is the response, "silence" closes the connection instead. */
  readonly before?: (
    request: Arrived,
  ) => { status: number; headers?: Record<string, string>; body?: string } | "silence" | null;
  readonly headers?: Record<string, string>;
  /** The address of this machine to listen on; default 127.0.0.1. */
  readonly host?: string;
}

function dataIn(body: Buffer): Readonly<Record<string, unknown>> | null {
  try {
    return Object(JSON.parse(body.toString()).data);
  } catch {
    return null;
  }
}

/** The minimum that a run needs of a deployment: sysinfo, a guarded user.list, user.create. Returns its base address. */
export function deploy(options: DeploymentOptions = {}): Promise<string> {
  const { version = contract.version, status = "Operational", accepts = (key) => key === KEY } = options;
  const users: unknown[] = [];
  return serve((request, response) => {
    let operation: string | undefined;
    const send = (code: number, body: unknown) => {
      const type = { "Content-Type": "application/json; charset=utf-8" };
      const named = code < 300 && operation !== undefined && { "X-Operation": operation };
      response.writeHead(code, {
        ...type,
        ...named,
        "X-Request-Id": randomUUID(),
        "Cache-Control": "no-store",
        ...options.headers,
      });
      response.end(JSON.stringify(body));
    };
    const early = options.before?.(request);
    if (early === "silence") return void response.destroy();
    if (early) {
      response.writeHead(early.status, early.headers);
      response.end(early.body);
      return;
    }
    const key = request.headers["x-api-key"];
    if (!URL.canParse(request.url, "http://localhost")) return send(400, { code: "malformed-request" });
    const { pathname, searchParams } = new URL(request.url, "http://localhost");
    const [called, ...more] = searchParams.getAll("@");
    operation = called;
    if (more.length > 0) return send(400, { code: "parameter-repeated" });
    if (pathname !== "/api/") return send(404, { code: "path-not-found" });
    if (operation === "sysinfo") {
      const time = new Date().toISOString();
      return send(200, {
        status,
        version,
        server: "Test",
        runtime: "Node.js",
        clientAddress: "127.0.0.1",
        requestMethod: "GET",
        time,
      });
    }
    if (!accepts(typeof key === "string" ? key : undefined)) return send(401, { code: "credentials-invalid" });
    if (operation === "user.list") return send(200, { items: users });
    if (!request.body.includes("email")) return send(404, { code: "not-found" });
    const data = dataIn(request.body);
    if (!data) return send(400, { code: "malformed-body" });
    if (typeof data.email !== "string" || !data.email.includes("@")) return send(422, { code: "invalid-input" });
    users.push(data);
    return send(201, data);
  }, options.host);
}
