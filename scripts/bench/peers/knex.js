// Koa and Knex on SQLite as their documentation shows them; the same pragmas as ours.
import knex from "knex";
import Koa from "koa";
import { port } from "./sysinfo.js";

const database = knex({
  client: "sqlite3",
  connection: { filename: process.env.DATABASE },
  useNullAsDefault: true,
  pool: {
    afterCreate: (connection, done) =>
      connection.exec("PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA busy_timeout=5000", done),
  },
});
const app = new Koa();
app.use(async (ctx) => {
  const rows = await database("users").select("id", "name", "email", "created_at as createdAt").orderBy("id").limit(51);
  ctx.body = { items: rows.slice(0, 50), nextCursor: rows[50] && rows[49].id };
});
app.listen(port, "127.0.0.1");
