// The driver's own prepared statement, and nothing else: what no service on it can be below.
import { createServer } from "node:http";
import sqlite3 from "sqlite3";
import { port } from "./house.js";

const database = new sqlite3.Database(process.env.DATABASE, sqlite3.OPEN_READONLY);
const page = database.prepare("select id, name, email, created_at as createdAt from users order by id limit 51");
const ping = database.prepare("PRAGMA schema_version");
createServer(({ url }, response) => {
  const json = (body) =>
    response.writeHead(200, { "Content-Type": "application/json; charset=utf-8" }).end(JSON.stringify(body));
  if (url.includes("test.health")) return ping.all((error) => json({ status: error ? "fail" : "pass" }));
  page.all((error, rows) => json(error ?? { items: rows.slice(0, 50), nextCursor: rows[49].id }));
}).listen(port, "127.0.0.1");
