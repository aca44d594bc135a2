// Peers that are a few lines each: `node plain.js NAME`. Each loads only what it uses.
import { createServer } from "node:http";
import { port, sysinfo } from "./sysinfo.js";

const JSON_TYPE = { "Content-Type": "application/json; charset=utf-8" };
const page = (rows) => ({ items: rows.slice(0, 50), nextCursor: rows[50] && rows[49].id });

const peers = {
  http: () =>
    createServer(({ socket, method }, response) => {
      response.writeHead(200, JSON_TYPE).end(JSON.stringify(sysinfo(socket.remoteAddress, method)));
    }),

  /** The driver's own prepared statement, and nothing else: what no service on it can be below. */
  async driver() {
    const { default: sqlite3 } = await import("sqlite3");
    const database = new sqlite3.Database(process.env.DATABASE, sqlite3.OPEN_READONLY);
    const users = database.prepare(
      "select id, name, email, created_at as createdAt from users order by id limit 51",
    );
    return createServer((_, response) => {
      users.all((error, rows) =>
        response.writeHead(200, JSON_TYPE).end(JSON.stringify(error ?? page(rows))),
      );
    });
  },

  async koa() {
    const { default: Koa } = await import("koa");
    return new Koa().use((ctx) => {
      ctx.body = sysinfo(ctx.ip, ctx.method);
    });
  },

  /** Koa and Knex on SQLite as their documentation shows them; the same pragmas as ours. */
  async knex() {
    const [{ default: Koa }, { default: knex }] = await Promise.all([
      import("koa"),
      import("knex"),
    ]);
    const pragmas = "PRAGMA journal_mode=WAL; PRAGMA synchronous=FULL; PRAGMA busy_timeout=5000";
    const pool = { afterCreate: (connection, done) => connection.exec(pragmas, done) };
    const connection = { filename: process.env.DATABASE };
    const database = knex({ client: "sqlite3", connection, useNullAsDefault: true, pool });
    const users = () => database("users").select("id", "name", "email", "created_at as createdAt");
    const filtered = () =>
      users()
        .where("email_key", ">=", "user")
        .orderBy([{ column: "email_key" }, { column: "id" }]);
    return new Koa().use(async (ctx) => {
      const query = ctx.path === "/filtered/" ? filtered() : users().orderBy("id");
      ctx.body = page(await query.limit(51));
    });
  },
};
(await peers[process.argv[2]]()).listen(port, "127.0.0.1");
