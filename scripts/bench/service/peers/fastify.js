import { readFileSync } from "node:fs";
import accepts from "@fastify/accepts";
import underPressure from "@fastify/under-pressure";
import Fastify from "fastify";
import { headers, idOf, log, logLine, port, sysinfo } from "./house.js";
import { count } from "./metrics.js";

const contract = new URL("../../../../generated/openapi.operations.json", import.meta.url);
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
  genReqId: ({ headers }) => idOf(headers["x-request-id"]),
  bodyLimit: 65_536,
  requestTimeout: 30_000,
  // Unknown parameters are refused, not removed.
  ajv: { customOptions: { removeAdditional: false, coerceTypes: false, useDefaults: false } },
});
await app.register(underPressure, { maxEventLoopDelay: 500 });
await app.register(accepts);
app.addHook("onRequest", async ({ id }, reply) => void reply.headers({ "X-Request-Id": id, ...headers }));
app.addHook("onResponse", async ({ id, method }, reply) => {
  logLine(id, method, reply.statusCode, performance.now() - reply.elapsedTime);
  count(reply.statusCode, reply.elapsedTime);
});
app.get(
  "/api/",
  {
    schema: {
      querystring: {
        type: "object",
        properties: Object.fromEntries(operation.parameters.map(({ name, schema }) => [name, schema])),
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
