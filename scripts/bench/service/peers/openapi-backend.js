import { readFileSync } from "node:fs";
import Koa from "koa";
import { OpenAPIBackend } from "openapi-backend";
import { headers, idOf, logLine, port, sysinfo } from "./house.js";

const contract = new URL("../../../../generated/openapi.operations.json", import.meta.url);
const document = JSON.parse(readFileSync(contract, "utf8"));
// It routes by path and knows no dot segments.
const paths = Object.entries(document.paths).map(([path, item]) => [path.replace("/../", ""), item]);
const api = new OpenAPIBackend({
  definition: { ...document, paths: Object.fromEntries(paths) },
  ajvOpts: { strict: false },
  // Its check of the document itself does not know 3.1; what is asked of a request is compiled all the same.
  quick: true,
  handlers: {
    sysinfo: (_, ctx) => {
      ctx.body = sysinfo(ctx.ip, ctx.method);
    },
    notFound: (_, ctx) => {
      ctx.status = 404;
    },
    validationFail: ({ validation }, ctx) => {
      ctx.status = 422;
      ctx.body = { errors: validation.errors };
    },
    postResponseHandler: (c, ctx) => {
      if (c.operation && c.api.validateResponse(ctx.body, c.operation).errors) ctx.status = 500;
    },
  },
});
await api.init();
const app = new Koa();
app.use(async (ctx, next) => {
  const startedAt = performance.now();
  const id = idOf(ctx.get("X-Request-Id"));
  ctx.set({ "X-Request-Id": id, ...headers });
  await next();
  logLine(id, ctx.method, ctx.status, startedAt);
});
app.use((ctx) => {
  const { method, path, query, headers } = ctx.request;
  return api.handleRequest({ method, path, query, headers }, ctx);
});
app.listen(port, "127.0.0.1");
