import Router from "@koa/router";
import Koa from "koa";
import { port, sysinfo } from "./house.js";

const router = new Router();
router.get("/api/", (ctx) => {
  ctx.body = sysinfo(ctx.ip, ctx.method);
});
new Koa().use(router.routes()).use(router.allowedMethods()).listen(port, "127.0.0.1");
