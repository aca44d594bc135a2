// Fastify with what the service has: the same ids, headers, limits, log line and metrics.
import { randomUUID } from "node:crypto";
import { readFileSync } from "node:fs";
import accepts from "@fastify/accepts";
import underPressure from "@fastify/under-pressure";
import Fastify from "fastify";
import pino from "pino";
import { Counter, collectDefaultMetrics, Histogram } from "prom-client";
import { port, sysinfo } from "./sysinfo.js";

const log = pino({ base: null });
const requests = new Counter({
  name: "requests",
  help: "Responses.",
  labelNames: ["operation", "status", "code"],
});
const durations = new Histogram({
  name: "durations",
  help: "Of responses.",
  labelNames: ["operation"],
});
collectDefaultMetrics();

/** Of every response, but for the id of its request. */
const headers = {
  "X-Content-Type-Options": "nosniff",
  "Referrer-Policy": "no-referrer",
  "Cache-Control": "no-store",
  "Access-Control-Allow-Origin": "*",
  "Access-Control-Expose-Headers":
    "X-Request-Id, X-Operation, ETag, Link, Retry-After, Deprecation, Sunset",
  "X-Operation": "sysinfo",
};
const ACCEPTED_ID = /^[A-Za-z0-9._-]{1,64}$/;

const contract = new URL("../../../generated/openapi.operations.json", import.meta.url);
const { components, paths } = JSON.parse(readFileSync(contract, "utf8"));
const [{ get: operation }] = Object.values(paths);
/** Its compilers get schemas one by one, without the document that these refer to. */
const whole = (schema) =>
  JSON.parse(JSON.stringify(schema), (_, node) =>
    node?.$ref ? whole(components.schemas[node.$ref.split("/").pop()]) : node,
  );
const app = Fastify({
  loggerInstance: log,
  // Its own two lines a request would be one more than ours.
  disableRequestLogging: true,
  genReqId: ({ headers: { "x-request-id": id = "" } }) =>
    ACCEPTED_ID.test(id) ? id : randomUUID(),
  bodyLimit: 65_536,
  requestTimeout: 30_000,
  // Unknown parameters are rejected, not removed.
  ajv: { customOptions: { removeAdditional: false, coerceTypes: false, useDefaults: false } },
});
await app.register(underPressure, { maxEventLoopDelay: 500 });
await app.register(accepts);
app.addHook(
  "onRequest",
  async ({ id }, reply) => void reply.headers({ "X-Request-Id": id, ...headers }),
);
app.addHook(
  "onResponse",
  async ({ id: requestId, method }, { statusCode: status, elapsedTime }) => {
    const durationMs = Math.round(elapsedTime * 1000) / 1000;
    log.info(
      { requestId, method, operation: "sysinfo", status, durationMs, keyId: null, code: null },
      "request",
    );
    requests.inc({ operation: "sysinfo", status, code: "" });
    durations.observe({ operation: "sysinfo" }, elapsedTime / 1000);
  },
);
app.get(
  "/api/",
  {
    schema: {
      querystring: {
        type: "object",
        properties: Object.fromEntries(
          operation.parameters.map(({ name, schema }) => [name, schema]),
        ),
        required: ["@"],
        additionalProperties: false,
      },
      response: { 200: whole(components.schemas.SystemInformation) },
    },
  },
  async (request, reply) => {
    if (request.accepts().type(["application/json"])) return sysinfo(request.ip, request.method);
    return reply.code(406).send();
  },
);
await app.listen({ port, host: "127.0.0.1" });
