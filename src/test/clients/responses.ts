// The responses of the scripted server, and the results that clients return for them.
import type { Step } from "./scripted-server.ts";

/** The result of a call. An error has all its members; if arguments cannot be sent, another error is `raised`, with this text. */
export interface Outcome {
  readonly answer?: unknown;
  readonly items?: readonly unknown[];
  readonly error?: Readonly<Record<string, unknown>>;
  readonly raised?: string;
}

type Headers = Readonly<Record<string, string>>;

const bytes = (status: number, type: string, body: string, headers: Headers = {}): string => {
  const fields = { "Content-Type": type, "Content-Length": body.length, Connection: "close", ...headers };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${status} Any\r\n${lines.join("")}\r\n${body}`;
};

export const send = (...words: Parameters<typeof bytes>): Step => ({ bytes: bytes(...words) });
export const json = (value: unknown): Step => send(200, "application/json; charset=utf-8", JSON.stringify(value));
export const problem = (status: number, code: string, headers: Headers = {}, more = {}): Step => {
  const body = JSON.stringify({ code, status, detail: "So it is.", ...more });
  return send(status, "application/problem+json", body, { "X-Request-Id": "id-1", ...headers });
};
export const busy = (retryAfter: string): Step => problem(503, "shutting-down", { "Retry-After": retryAfter });

/** The body ends before it is as long as the head says. */
export const half = bytes(200, "application/json", '{"status":', { "Content-Length": "100" });
const chunked = "HTTP/1.1 200 OK\r\nContent-Type: application/json\r\nTransfer-Encoding: chunked\r\n\r\n";
export const halfAChunk = `${chunked}5\r\n{"sta\r\n`;

const message = (operation: string, text: string) => ({ operation, message: `${operation}: ${text}` });

export const lost = (operation = "sysinfo", more = {}): Outcome => ({
  error: { ...message(operation, "no complete response"), kind: "network", ...more },
});
export const late = (more = {}): Outcome => ({
  error: { ...message("sysinfo", "no complete response in time"), kind: "timeout", ...more },
});
export const rejected = (operation: string, status: number, code: string, more = {}): Outcome => ({
  error: { ...message(operation, `${code}: So it is.`), kind: "problem", code, status, requestId: "id-1", ...more },
});
export const unexpected = (status: number, seen: string): Outcome => ({
  error: { ...message("sysinfo", `unexpected response: ${status} ${seen}`), kind: "unexpected", status },
});
export const noPage: Outcome = {
  items: [],
  error: { ...message("user.list", "unexpected response: a page without items"), kind: "unexpected" },
};
export const aborted: Outcome = { error: { ...message("sysinfo", "aborted"), kind: "aborted" } };
