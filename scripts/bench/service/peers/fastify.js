import { readFileSync } from "node:fs";
import Fastify from "fastify";
import { headers, idOf, log, logLine, port, sysinfo } from "./house.js";

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
  // Unknown parameters are refused, not removed.
  ajv: { customOptions: { removeAdditional: false, coerceTypes: false, useDefaults: false } },
});
app.addHook("onRequest", async ({ id }, reply) => void reply.headers({ "X-Request-Id": id, ...headers }));
app.addHook("onResponse", async ({ id, method }, reply) =>
  logLine(id, method, reply.statusCode, performance.now() - reply.elapsedTime),
);
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
  async ({ ip, method }) => sysinfo(ip, method),
);
await app.listen({ port, host: "127.0.0.1" });
