// Koa and Knex on SQLite as their documentation shows them; the same pragmas, so the same durability, as ours.
import { bodyParser } from "@koa/bodyparser";
import knex from "knex";
import Koa from "koa";
import { v7 as uuidv7 } from "uuid";
import { port } from "./house.js";

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
app.use(bodyParser());
app.use(async (ctx) => {
  if (ctx.method === "POST") {
    const { name, email } = ctx.request.body.data;
    const user = { id: uuidv7(), name, email, created_at: new Date().toISOString() };
    await database("users").insert({ ...user, email_key: email.toLowerCase() });
    ctx.status = 201;
    ctx.body = user;
    return;
  }
  const query = database("users").select("id", "name", "email", "created_at as createdAt").orderBy("id").limit(51);
  const rows = await (ctx.query.after ? query.where("id", ">", ctx.query.after) : query);
  ctx.body = { items: rows.slice(0, 50), nextCursor: rows[50] && rows[49].id };
});
app.listen(port, "127.0.0.1");
