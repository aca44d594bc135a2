import { once } from "node:events";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { describe, expect, it } from "vitest";
import { databasesUnderTest, fresh, keyIn, migrated } from "./databases.ts";
import { ended, exitCode, spawnService } from "./process.ts";
import { get, send } from "./wire.ts";

/** A name and what goes with it, in no form that an id, a code or an identifier of ours has. */
const NAME = "Canaria Nomen";
const EMAIL = "canaria@example.com";

/** Where KK is the key, and QQ a query with it. */
const TARGETS = `a://[QQ ftp://[::1/api/QQ ftp://xn--/QQ a://h/api/QQ http://KK@[/api/QQ
  http://h:99999999/api/QQ http://KK:port/api/QQ //KK:x/api/QQ /KK/../KK KK *KK /api/QQ&limit=KK
  /api/QQ&cursor=%zz /api/?@=KK /api/QQ&limit=${"1".repeat(9_000)} /${"1".repeat(40_000)}QQ`;
/** Header fields of a GET, those of each request in one line. */
const FIELDS = `X-PLATFORM: KK | X-API-KEY: KK
  X-Request-Id: KK
  X-Request-Id: ${NAME} | Referer: http://a/QQ | Cookie: KK | Authorization: KK
  Expect: KK | Accept: KK | X-Forwarded-For: KK | Origin: KK
  Transfer-Encoding: KK
  KK KK
  X-API-KEY: KK | X-Filler: ${"KK".repeat(500)}
  X-API-KEY: KK | X-Filler: ${"KK".repeat(1_000)}`;

/**
 * What Node would print of its own, such as the URLs that url.parse() is given, it prints to this.
 */
const talkative = "--pending-deprecation --trace-warnings";

/** Makes the service break on a signal, as by an error of a driver that nobody waits for. */
const breaks = `data:text/javascript,${encodeURIComponent(
  'process.on("SIGWINCH", () => Promise.reject(Object.assign(new ' +
    "Error(process.env.CANARY), { detail: process.env.CANARY })))",
)}`;

describe.each(databasesUnderTest())("standard output and standard error on $name", (kind) => {
  /**
   * A database with a key, which is the canary, and with tables that fail on some rows and tell of
   * them.
   */
  async function poisoned(): Promise<{ url: string; key: string }> {
    const { url, run } = await fresh(kind);
    const key = await keyIn((await migrated(url)).keys, "users:read", "users:write");
    const postgres = [
      "alter table users add check (email_key not like 'canaria%')",
      "create function tell() returns trigger language plpgsql as $$ begin raise exception " +
        "'refused: %', new.name using detail = new.email, hint = new.name; end $$",
      "create trigger tell before insert on users for each row when (new.name like " +
        "'Canaria%' and new.email_key like 'told%') execute function tell()",
    ];
    const sqlite = [
      "create trigger tell before insert on users when new.name like 'Canaria%' begin " +
        "select raise(abort, new.name || new.email); end",
    ];
    for (const statement of url.startsWith("sqlite:") ? sqlite : postgres) await run(statement);
    return { url, key };
  }

  it("hold neither a key nor a name, whatever fails", async () => {
    const { url, key } = await poisoned();
    const CANARY = `${key}\n    at ${NAME} (/${key}:1:1)`;
    const env = { DATABASE_URL: url, NODE_OPTIONS: talkative, LOG_LEVEL: "trace", CANARY };
    const { child, stdout, stderr } = spawnService(env, { imports: [breaks] });
    const err = text(stderr);
    const lines: string[] = [];
    const log = createInterface(stdout).on("line", (line) => lines.push(line));
    await once(log, "line");
    const { port } = new URL(JSON.parse(lines[0] ?? "").url);

    const call = async (target: string, fields: string[] = [], method = "GET", body = "") => {
      const length = `Content-Length: ${Buffer.byteLength(body)}`;
      const head = get(target, "Connection: close", length, ...fields).replace("GET", method);
      const answer = await send(Number(port), head + body).catch(() => "reset");
      return /^HTTP\/1\.1 (\d{3})/.exec(answer)?.[1];
    };
    const query = "?@=user.list&X-PLATFORM=web&X-API-KEY=KK";
    const filled = (text: string) => text.replaceAll("QQ", query).replaceAll("KK", key);
    for (const target of filled(TARGETS).split(/\s+/)) await call(target);
    for (const fields of filled(FIELDS).split(/\n +/))
      await call("/api/?@=user.list", fields.split(" | "));
    await call("/", [], key);
    const json = [`X-API-KEY: ${key}`, "X-PLATFORM: web", "Content-Type: application/json"];
    const create = (data: object) =>
      call("/api/", json, "POST", JSON.stringify({ "@": "user.create", data }));
    await call("/api/", json, "POST", `{"@": "user.create", "data": {"name": "${NAME}"`);
    await create({ name: NAME, email: key });
    // What the database rejects, and how the test knows that it did.
    expect(await create({ name: NAME, email: EMAIL })).toBe("500");
    expect(await create({ name: NAME, email: "told@example.com" })).toBe("500");

    child.kill("SIGWINCH");
    expect(await exitCode(child)).toBe(1);
    const output = lines.join("\n") + (await err);
    expect(output).not.toMatch(new RegExp(`${key}|${NAME}|Nomen|canaria|told@`, "i"));
    // What an operator needs is there.
    const messages = lines.map((line) => JSON.parse(line));
    const code = url.startsWith("sqlite:") ? "SQLITE_CONSTRAINT" : "23514";
    const line = (level: number, msg: string, error: object) =>
      expect.objectContaining({ level, msg, error: expect.objectContaining(error) });
    expect(messages).toContainEqual(line(50, "fault", { code }));
    expect(messages).toContainEqual(line(60, "closing", { name: "Error" }));
    expect(messages.at(-1)).toMatchObject({ msg: "closed" });
  });
});

describe("standard output and standard error", () => {
  const server = process.env.TEST_POSTGRES_URL ?? "postgres://root@127.0.0.1:1/none";
  it.each([
    "postgres://nobody:Canaria@127.0.0.1:1/none",
    "postgres://nobody:Cana#ria@127.0.0.1:1/none",
    "postgres://nobody:a@Canaria.invalid/none",
    "postgres://nobody:%Canaria@127.0.0.1:1/none?sslmode=Canaria",
    "postgres://nobody:a/Canaria@127.0.0.1:1/none",
    "postgres://nobody:1/Canaria@127.0.0.1:1/none",
    `${new URL("/none?Canaria@127.0.0.1/none", server)}`,
    "Canaria:Canaria",
  ])("hold no password when it cannot start with DATABASE_URL=%s", async (url) => {
    const { code, out, err } = await ended(
      spawnService({ DATABASE_URL: url, NODE_OPTIONS: talkative }),
    );
    expect(code).toBe(1);
    expect(out + err).not.toContain("ria");
    expect(err).toContain("DATABASE_URL");
  });
});
