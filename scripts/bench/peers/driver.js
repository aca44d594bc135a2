// The driver's own prepared statement, and nothing else: what no service on it can be below.
import { createServer } from "node:http";
import sqlite3 from "sqlite3";
import { port } from "./sysinfo.js";

const database = new sqlite3.Database(process.env.DATABASE, sqlite3.OPEN_READONLY);
const page = database.prepare("select id, name, email, created_at as createdAt from users order by id limit 51");
createServer((_, response) => {
  page.all((error, rows) =>
    response
      .writeHead(200, { "Content-Type": "application/json; charset=utf-8" })
      .end(JSON.stringify(error ?? { items: rows.slice(0, 50), nextCursor: rows[49].id })),
  );
}).listen(port, "127.0.0.1");
