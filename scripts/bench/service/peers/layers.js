// The service layer by layer, out of `dist/`: `LAYER` says up to which. What each adds is a row of the table.
import { createServer as createPlain } from "node:http";
import Router from "@koa/router";
import Koa from "koa";
import { operations } from "../../../../dist/generated/operations.js";
import { validators } from "../../../../dist/generated/validators.js";
import { createApp } from "../../../../dist/src/app.js";
import { systemClock } from "../../../../dist/src/clock.js";
import { readConfig } from "../../../../dist/src/config.js";
import { createDispatcher } from "../../../../dist/src/dispatcher.js";
import { Load } from "../../../../dist/src/http/load.js";
import { createReplies, jsonReply } from "../../../../dist/src/http/reply.js";
import { createServer } from "../../../../dist/src/http/server.js";
import { noRateLimits } from "../../../../dist/src/limits/rate-limits.js";
import { openLog } from "../../../../dist/src/log/log.js";
import { handlers } from "../../../../dist/src/operations/handlers.js";
import { systemInformation } from "../../../../dist/src/operations/sysinfo.js";
import { port } from "./house.js";

const layer = process.env.LAYER;
const config = { ...readConfig({}), checkAnswers: layer === "checks" ? "log" : "off" };
const log = openLog(config);
const isLogged = ["log", "dispatcher", "checks"].includes(layer);
const options = { problemsUrl: "", corsOrigins: "*", checkAnswers: "off", onFault() {}, onUndocumented() {} };
const replies = createReplies({ ...options, onAnswer: (line) => isLogged && log.info("request", line) });
const facts = () => systemInformation(systemClock, "127.0.0.1", "GET");
const plain = (_, response) =>
  response.writeHead(200, { "Content-Type": "application/json; charset=utf-8" }).end(JSON.stringify(facts()));
const koa = new Koa();
const answer = (ctx) => {
  ctx.respond = false;
  plain(ctx.req, ctx.res);
};

function listener() {
  switch (layer) {
    case "http":
    case "server":
      return plain;
    case "koa":
      return koa.use(answer).callback();
    case "router":
      return koa.use(new Router().all("/api/", answer).routes()).callback();
    default: {
      const services = { clock: systemClock };
      const house = { services, config, findKey: null, rateLimits: noRateLimits, onUndocumented() {} };
      const dispatch =
        layer === "dispatcher" || layer === "checks"
          ? createDispatcher({ operations, validators, handlers }, house)
          : async () => ({ reply: jsonReply(facts()), step: "handle" });
      const load = new Load(config.limits, () => 0);
      const rest = { config, dispatch, assets: new Map(), deploymentUrls: [], systemInformation: facts, replies, load };
      return createApp({ ...rest, onFault() {} }).callback();
    }
  }
}

const server = layer === "http" ? createPlain(plain) : createServer(listener(), { replies, ...config });
server.listen(port, "127.0.0.1");
