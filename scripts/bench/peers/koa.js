import Koa from "koa";
import { port, sysinfo } from "./sysinfo.js";

const app = new Koa();
app.use((ctx) => {
  ctx.body = sysinfo(ctx.ip, ctx.method);
});
app.listen(port, "127.0.0.1");
