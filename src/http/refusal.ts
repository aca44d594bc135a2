import { STATUS_CODES } from "node:http";
import type { Problem } from "../problem.ts";
import { baseHeaders } from "./base-headers.ts";
import { type AllowedOrigins, corsHeaders } from "./cors.ts";

/** What an answer needs that is written without Koa. */
export interface RefusalOptions {
  /** Absolute address of the problems documentation, to which the code is added as fragment. */
  readonly problemsUrl: string;
  readonly corsOrigins: AllowedOrigins;
}

/** A problem as an answer that is complete but for its status line. */
export interface Refusal {
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** The answer to what Node refuses before Koa sees it (D13), with the headers of every answer (D12, D15). */
export function refusalOf(
  problem: Problem,
  requestId: string,
  { problemsUrl, corsOrigins }: RefusalOptions,
  origin?: string,
): Refusal {
  const body = JSON.stringify(problem.document(problemsUrl, requestId));
  return {
    headers: {
      "Content-Type": "application/problem+json",
      "Content-Length": String(Buffer.byteLength(body)),
      ...baseHeaders(requestId),
      ...corsHeaders(origin, corsOrigins),
      ...problem.headers,
    },
    body,
  };
}

/** The same as bytes of an HTTP/1.1 answer that closes its connection, for a socket whose request never became one. */
export function rawAnswer(status: number, { headers, body }: Refusal): string {
  const fields = { ...headers, Date: new Date().toUTCString(), Connection: "close" };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}`);
  return [`HTTP/1.1 ${status} ${STATUS_CODES[status]}`, ...lines, "", body].join("\r\n");
}
