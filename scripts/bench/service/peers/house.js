// What every peer does beside its framework: the same ids, headers and log line as the service. Plain JavaScript, since a peer
// runs as its users would run it, without a loader that maps stacks.
import { randomUUID } from "node:crypto";
import pino from "pino";

export const port = Number(process.env.PORT);
export const log = pino({ base: null });

const ACCEPTED_ID = /^[A-Za-z0-9._-]{1,64}$/;
export const idOf = (header) => (ACCEPTED_ID.test(header ?? "") ? header : randomUUID());

/** Of every answer, but for the id of its request. */
export const headers = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-store",
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers": "X-Request-Id, X-Operation, ETag, Link, Retry-After, Deprecation, Sunset",
  "X-Operation": "sysinfo",
};

export const logLine = (requestId, method, status, startedAt) => {
  const durationMs = Math.round((performance.now() - startedAt) * 1000) / 1000;
  log.info({ requestId, method, operation: "sysinfo", status, durationMs, keyId: null, code: null }, "request");
};

export const sysinfo = (clientAddress, requestMethod) => ({
  status: "Operational",
  version: "3.0.3",
  server: "Peer",
  runtime: `Node.js ${process.versions.node}`,
  clientAddress,
  requestMethod,
  time: new Date().toISOString(),
});
