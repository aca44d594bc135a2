import { createServer } from "node:http";
import { port, sysinfo } from "./sysinfo.js";

createServer(({ socket, method }, response) => {
  response
    .writeHead(200, { "Content-Type": "application/json; charset=utf-8" })
    .end(JSON.stringify(sysinfo(socket.remoteAddress, method)));
}).listen(port, "127.0.0.1");
