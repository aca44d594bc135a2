import { randomUUID } from "node:crypto";
import { contract } from "../../contract.ts";
import { type Arrived, serve } from "./server.test-kit.ts";

export const KEY = "key-of-the-test-0123456789";

interface DeploymentOptions {
  readonly version?: string;
  readonly status?: string;
  /** Whether a key is valid; by default one is known. */
  readonly accepts?: (key: string | undefined) => boolean;
  /**
   * Gets every request first; a status is the response, "silence" closes the connection instead.
   */
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

/**
 * The minimum that a run needs of a deployment: sysinfo, a guarded user.list, user.create. Returns
 * its base address.
 */
export function deploy(options: DeploymentOptions = {}): Promise<string> {
  const {
    version = contract.version,
    status = "Operational",
    accepts = (key) => key === KEY,
  } = options;
  const users: unknown[] = [];
  return serve((request, response) => {
    let operation: string | undefined;
    const send = (code: number, body: unknown) => {
      const named = code < 300 && operation !== undefined && { "X-Operation": operation };
      const json = {
        "Content-Type": "application/json; charset=utf-8",
        "Cache-Control": "no-store",
      };
      response.writeHead(code, {
        ...json,
        ...named,
        "X-Request-Id": randomUUID(),
        ...options.headers,
      });
      response.end(JSON.stringify(body));
    };
    const early = options.before?.(request);
    if (early === "silence") return void response.destroy();
    if (early) return void response.writeHead(early.status, early.headers).end(early.body);
    const key = request.headers["x-api-key"];
    if (!URL.canParse(request.url, "http://localhost"))
      return send(400, { code: "malformed-request" });
    const { pathname, searchParams } = new URL(request.url, "http://localhost");
    const [called, ...repeated] = searchParams.getAll("@");
    operation = called;
    if (repeated.length > 0) return send(400, { code: "parameter-repeated" });
    if (pathname !== "/api/") return send(404, { code: "path-not-found" });
    if (operation === "sysinfo") {
      const machine = {
        server: "Test",
        runtime: "Node.js",
        clientAddress: "127.0.0.1",
        requestMethod: "GET",
      };
      return send(200, { status, version, ...machine, time: new Date().toISOString() });
    }
    if (!accepts(typeof key === "string" ? key : undefined))
      return send(401, { code: "credentials-invalid" });
    if (operation === "user.list") return send(200, { items: users });
    if (!request.body.includes("email")) return send(404, { code: "not-found" });
    const data = dataIn(request.body);
    if (!data) return send(400, { code: "malformed-body" });
    if (typeof data.email !== "string" || !data.email.includes("@"))
      return send(422, { code: "invalid-input" });
    users.push(data);
    return send(201, data);
  }, options.host);
}
