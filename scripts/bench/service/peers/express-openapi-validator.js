import { readFileSync } from "node:fs";
import express from "express";
import { middleware } from "express-openapi-validator";
import { headers, idOf, logLine, port, sysinfo } from "./house.js";

const contract = new URL("../../../../generated/openapi.operations.json", import.meta.url);
const document = JSON.parse(readFileSync(contract, "utf8"));
// It routes by path and knows no dot segments.
const paths = Object.entries(document.paths).map(([path, item]) => [path.replace("/../", ""), item]);
const app = express();
app.disable("x-powered-by");
app.disable("etag");
app.use((request, response, next) => {
  const startedAt = performance.now();
  const id = idOf(request.get("X-Request-Id"));
  response.set({ "X-Request-Id": id, ...headers });
  response.on("finish", () => logLine(id, request.method, response.statusCode, startedAt));
  next();
});
app.use(
  middleware({
    apiSpec: { ...document, servers: [{ url: "/" }], paths: Object.fromEntries(paths) },
    validateRequests: true,
    validateResponses: true,
    validateSecurity: false,
    // An answer is held against the document, as ours is; its dates are text already.
    serDes: [],
  }),
);
app.get("/api/sysinfo", (request, response) => response.json(sysinfo(request.ip, request.method)));
app.use((error, _request, response, _next) => response.status(error.status ?? 500).json({ message: error.message }));
app.listen(port, "127.0.0.1");
