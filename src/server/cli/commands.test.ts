import { execFile } from "node:child_process";
import { existsSync, readdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { beforeEach, describe, expect, it } from "vitest";
import { contract } from "../../../generated/contract.ts";
import { migrations } from "../../migrations.ts";
import { storesOf } from "../../test/atpoint.ts";
import { run } from "../../test/command.ts";
import { databasesUnderTest, fresh, opened } from "../../test/databases.ts";
import { replay } from "../../test/transcript.ts";
import { hashKey } from "../key-form.ts";
import { packageVersion } from "../settings/package.ts";
import { databaseFolder, databaseName, sqlitePath } from "../storage/address.ts";
import type { Storage } from "../storage/storage.ts";

const cli = new URL("../../cli.ts", import.meta.url).pathname;
const applied = `Applied ${migrations.map(({ name }) => name).join(", ")}. The database is up to date.`;
const nothingApplied = "There was nothing to apply. The database is up to date.";

describe.each(databasesUnderTest())("the command line on $name", (kind) => {
  let url: string;
  let env: NodeJS.ProcessEnv;
  let storage: Storage;
  let isNew: string;
  beforeEach(async () => {
    ({ url } = await fresh(kind));
    env = { DATABASE_URL: url, PLATFORMS: "web,ios" };
    storage = opened(url);
    isNew = `A new database was created: ${databaseName(url)}`;
  });

  it("creates, lists, rotates and revokes keys, of which it keeps the hash", async () => {
    const real = await replay(env)`
      $ atpoint migrate
      ${isNew}
      ${applied}
      $ atpoint migrate
      ${nothingApplied}
      $ atpoint keys list
      There are no keys.
      $ atpoint keys list --json
      []
      $ atpoint keys create --name mine --scopes users:read,system:health --platforms web --expires 90d
      atp_1

      This is shown only now. Its id is aaaaaaaa-0000-0000-0000-000000000001; it expires 2026-04-01T00:00:00.000Z.
      $ atpoint keys create --name 'for lunch' --scopes users:read --platforms ios --json
      {"key":"atp_2","id":"aaaaaaaa-0000-0000-0000-000000000002","name":"for lunch","scopes":["users:read"],"platforms":["ios"],"createdAt":"2026-01-01T00:00:00.000Z","expiresAt":"2027-01-01T00:00:00.000Z","state":"valid"}
      # 2026-02-01T00:00:00.000Z
      $ atpoint keys rotate aaaaaaaa-0000-0000-0000-000000000001
      atp_3

      This is shown only now. Its id is aaaaaaaa-0000-0000-0000-000000000003; it expires 2026-05-02T00:00:00.000Z.
      The old key aaaaaaaa-0000-0000-0000-000000000001 is valid until 2026-02-08T00:00:00.000Z.
      $ atpoint keys revoke AAAAAAAA-0000-0000-0000-000000000002
      Revoked aaaaaaaa-0000-0000-0000-000000000002.
      $ atpoint keys revoke aaaaaaaa-0000-0000-0000-000000000002
      ! There is no key aaaaaaaa-0000-0000-0000-000000000002, or it is revoked already.
      exit 1
      $ atpoint keys revoke 01890000-0000-7000-8000-000000000000
      ! There is no key 01890000-0000-7000-8000-000000000000, or it is revoked already.
      exit 1
      $ atpoint keys rotate aaaaaaaa-0000-0000-0000-000000000002
      ! There is no key aaaaaaaa-0000-0000-0000-000000000002, or it is expired or revoked: create a new one.
      exit 1
      $ atpoint keys rotate 01890000-0000-7000-8000-000000000000
      ! There is no key 01890000-0000-7000-8000-000000000000, or it is expired or revoked: create a new one.
      exit 1
      # 2026-04-25T00:00:00.000Z
      $ atpoint keys rotate aaaaaaaa-0000-0000-0000-000000000001
      ! There is no key aaaaaaaa-0000-0000-0000-000000000001, or it is expired or revoked: create a new one.
      exit 1
      $ atpoint keys list
      ID                                    STATE     EXPIRES                   LAST USED  SCOPES                    PLATFORMS  NAME
      aaaaaaaa-0000-0000-0000-000000000001  expired   2026-02-08T00:00:00.000Z  never      users:read,system:health  web        mine
      aaaaaaaa-0000-0000-0000-000000000002  revoked   2027-01-01T00:00:00.000Z  never      users:read                ios        for lunch
      aaaaaaaa-0000-0000-0000-000000000003  expiring  2026-05-02T00:00:00.000Z  never      users:read,system:health  web        mine
      ! 1 key to be replaced within 14 days, by \`keys rotate ID\`: aaaaaaaa-0000-0000-0000-000000000003
      $ atpoint keys rotate aaaaaaaa-0000-0000-0000-000000000003 --overlap 90d
      atp_4

      This is shown only now. Its id is aaaaaaaa-0000-0000-0000-000000000004; it expires 2026-07-24T00:00:00.000Z.
      The old key aaaaaaaa-0000-0000-0000-000000000003 is valid until 2026-05-02T00:00:00.000Z.
      $ atpoint keys rotate aaaaaaaa-0000-0000-0000-000000000004 --overlap 12h --expires 30d --json
      {"key":"atp_5","id":"aaaaaaaa-0000-0000-0000-000000000005","name":"mine","scopes":["users:read","system:health"],"platforms":["web"],"createdAt":"2026-04-25T00:00:00.000Z","expiresAt":"2026-05-25T00:00:00.000Z","state":"valid","replaces":{"id":"aaaaaaaa-0000-0000-0000-000000000004","expiresAt":"2026-04-25T12:00:00.000Z"}}
      $ atpoint keys list --json
      [{"id":"aaaaaaaa-0000-0000-0000-000000000001","name":"mine","scopes":["users:read","system:health"],"platforms":["web"],"createdAt":"2026-01-01T00:00:00.000Z","expiresAt":"2026-02-08T00:00:00.000Z","state":"expired"},{"id":"aaaaaaaa-0000-0000-0000-000000000002","name":"for lunch","scopes":["users:read"],"platforms":["ios"],"createdAt":"2026-01-01T00:00:00.000Z","expiresAt":"2027-01-01T00:00:00.000Z","state":"revoked","revokedAt":"2026-02-01T00:00:00.000Z"},{"id":"aaaaaaaa-0000-0000-0000-000000000003","name":"mine","scopes":["users:read","system:health"],"platforms":["web"],"createdAt":"2026-02-01T00:00:00.000Z","expiresAt":"2026-05-02T00:00:00.000Z","state":"expiring"},{"id":"aaaaaaaa-0000-0000-0000-000000000004","name":"mine","scopes":["users:read","system:health"],"platforms":["web"],"createdAt":"2026-04-25T00:00:00.000Z","expiresAt":"2026-04-25T12:00:00.000Z","state":"expiring"},{"id":"aaaaaaaa-0000-0000-0000-000000000005","name":"mine","scopes":["users:read","system:health"],"platforms":["web"],"createdAt":"2026-04-25T00:00:00.000Z","expiresAt":"2026-05-25T00:00:00.000Z","state":"valid"}]`;
    const texts = [1, 2, 3, 4, 5].map((number) => real(`atp_${number}`));
    expect((await storage.keys.list()).map(({ hash }) => hash)).toEqual(texts.map(hashKey));
  });

  const revoke = "keys revoke 01890000-0000-7000-8000-000000000000";
  const commands = ["keys list", revoke, "keys conformance", "users purge-conformance"];
  it.each(commands)("creates no database for %s", async (command) => {
    const path = sqlitePath(url);
    const elsewhere = `${path}.elsewhere/a.sqlite`;
    const reason = {
      PostgreSQL: "The database of DATABASE_URL is not one of Atpoint: it has none of its tables.",
      SQLite: `DATABASE_URL names ${elsewhere}, and no database is there. Is that the right path, and is its volume mounted? To create a new, empty one: atpoint migrate`,
    }[kind.name];
    await replay(path === null ? env : { DATABASE_URL: `sqlite:${elsewhere}` })`
        $ atpoint ${command}
        ! ${reason ?? ""}
        exit 1`;
    expect(existsSync(`${path}.elsewhere`)).toBe(false);
    expect(await storage.isOurs()).toBe(false);
  });

  it("migrates one new database from several processes at once", async () => {
    const migrate = () =>
      promisify(execFile)(process.execPath, ["--import", "tsx", cli, "migrate"], {
        env: { ...process.env, ...env },
      });
    const all = await Promise.all([migrate(), migrate(), migrate()]);
    const printed = all.map(({ stdout, stderr }) => stdout + stderr).sort();
    expect(printed).toEqual([
      `${isNew}\n${applied}\n`,
      `${nothingApplied}\n`,
      `${nothingApplied}\n`,
    ]);
    expect(await storage.keys.count()).toBe(0);
  });

  describe("users", () => {
    const own = "conformance+0123456789abcdef";
    const insert = async (...emails: string[]) => {
      await storage.migrate();
      for (const email of emails)
        await storesOf(storage).users.insert({
          name: "N",
          email,
          createdAt: new Date("2026-01-01"),
        });
    };

    it("are listed a page at a time, and deleted or purged, all or none, when that is confirmed", async () => {
      await insert(`${own.toUpperCase()}-1@a`, "ada@example.com", `.${own}-2@a`, "b@example.com");
      await replay(env)`
        $ atpoint users list --limit 3
        ID                                    CREATED                   E-MAIL                             NAME
        aaaaaaaa-0000-0000-0000-000000000001  2026-01-01T00:00:00.000Z  ${own.toUpperCase()}-1@a   N
        aaaaaaaa-0000-0000-0000-000000000002  2026-01-01T00:00:00.000Z  ada@example.com                    N
        aaaaaaaa-0000-0000-0000-000000000003  2026-01-01T00:00:00.000Z  .${own}-2@a  N
        More: --cursor CURSOR_1
        $ atpoint users list --cursor CURSOR_1
        ID                                    CREATED                   E-MAIL         NAME
        aaaaaaaa-0000-0000-0000-000000000004  2026-01-01T00:00:00.000Z  b@example.com  N
        $ atpoint users list --limit 1 --json
        {"items":[{"id":"aaaaaaaa-0000-0000-0000-000000000001","name":"N","email":"${own.toUpperCase()}-1@a","createdAt":"2026-01-01T00:00:00.000Z"}],"nextCursor":"CURSOR_2"}
        $ atpoint users list --limit 201
        ! --limit must be at most 200
        exit 1
        $ atpoint users list --cursor x
        ! The cursor is not one that this operation issued.
        exit 1
        $ atpoint users purge-conformance
        ! This deletes 2 users permanently. To confirm: --yes
        exit 1
        $ atpoint users delete AAAAAAAA-0000-0000-0000-000000000002 ADA@example.com B@example.com
        ! This deletes 2 users permanently. To confirm: --yes
        exit 1
        $ atpoint users delete ada@example.com 01890000-0000-7000-8000-000000000000 nobody --yes
        ! There is no user 01890000-0000-7000-8000-000000000000, nobody; none is deleted.
        exit 1
        $ atpoint users purge-conformance --yes
        Deleted 2 users.
        $ atpoint users purge-conformance
        Deleted 0 users.
        $ atpoint users list
        ID                                    CREATED                   E-MAIL           NAME
        aaaaaaaa-0000-0000-0000-000000000002  2026-01-01T00:00:00.000Z  ada@example.com  N
        aaaaaaaa-0000-0000-0000-000000000004  2026-01-01T00:00:00.000Z  b@example.com    N
        $ atpoint users delete AAAAAAAA-0000-0000-0000-000000000002 ADA@example.com B@example.com --yes
        Deleted 2 users.
        $ atpoint users list
        There are no more users.`;
    });

    it("are purged by their local part alone; a long address does not widen the column of others", async () => {
      const theirs = [
        `x@${own}-1.example`,
        `${own}@example.com`,
        `${own}-x@example.com`,
        `${own}0-1@example.com`,
      ];
      const others = [
        `${own.slice(1)}-1@example.com`,
        `${own.slice(0, -1)}-1@example.com`,
        `${own.slice(0, -1)}g-1@a`,
      ];
      const its = [
        `${own}-17@ddd.ddd`,
        `a.${own}-3+x.y.zzz@a.b.example.com`,
        `${own}-4!#$%&'*+/=?^_\`{|}~-.zz@b`,
      ];
      await insert(...its, ...theirs, ...others, `${"e".repeat(60)}@example.com`);
      expect((await run(env, "users", "purge-conformance", "--yes")).out).toBe(
        "Deleted 3 users.\n",
      );
      const listed = (await run(env, "users", "list")).out.replace(/^.*Z {2}/gm, "").split("\n");
      const left = [...theirs, ...others, `${"e".repeat(60)}@example.com`].map(
        (email) => `${email.padEnd(40)}  N`,
      );
      expect(listed.slice(1, -1)).toEqual(left);
      expect((await run(env, "users", "purge-conformance", "--help")).out).toContain(
        "conformance+ID-NUMBER",
      );
    });
  });
});

describe("the command line", () => {
  it("rejects bad input and wrong usage before it looks for a database", async () => {
    await replay({ DATABASE_URL: "sqlite:/nowhere/never/made.sqlite" })`
      $ atpoint keys create --name n --scopes users:fly --platforms web
      ! Unknown scope "users:fly"; there are: ${contract.scopes.join(", ")}.
      exit 1
      $ atpoint keys create --name n --scopes users:read --platforms web,tv
      ! Unknown platform "tv"; there are: web.
      exit 1
      $ atpoint keys create --name n --scopes users:read --platforms web --expires 0d
      ! "0d" is not a duration: write 365d, 12h or 30m.
      exit 1
      $ atpoint keys create --name n --scopes users:read --platforms web --expires 1y
      ! "1y" is not a duration: write 365d, 12h or 30m.
      exit 1
      $ atpoint keys create --name ${"a\u0007"} --scopes users:read --platforms web
      ! A key needs a name of 1 to 200 characters, none of them a control character.
      exit 1
      $ atpoint keys create --name '  ' --scopes users:read --platforms web
      ! A key needs a name of 1 to 200 characters, none of them a control character.
      exit 1
      $ atpoint keys revoke abc
      ! "abc" is not the id of a key; \`keys list\` shows the ids.
      exit 1
      $ atpoint keys create
      ! error: required option '--name <name>' not specified
      exit 2
      $ atpoint fly
      ! error: unknown command 'fly'
      exit 2
      $ atpoint --version
      atpoint ${packageVersion()}, contract 3.0.3`;
    expect(existsSync("/nowhere")).toBe(false);
    expect(await run({}, "--help")).toMatchObject({
      code: 0,
      err: "",
      out: expect.stringContaining("migrate  "),
    });
    expect(await run({}, "keys")).toMatchObject({
      code: 2,
      out: "",
      err: expect.stringContaining("revoke <id>"),
    });
  });

  it("reports in one line why the database cannot be used, and names every bad variable", async () => {
    await replay({})`
      $ DATABASE_URL=postgres://nobody@127.0.0.1:1/none atpoint keys list
      ! The database of DATABASE_URL cannot be used: connect ECONNREFUSED 127.0.0.1:1
      exit 1
      $ DATABASE_URL=sqlite:/proc/nothere/x.sqlite atpoint migrate
      ! The database of DATABASE_URL cannot be used: mkdir ENOENT /proc/nothere
      exit 1
      $ DATABASE_URL=sqlite:/tmp atpoint migrate
      ! DATABASE_URL names /tmp, which is not a file.
      exit 1
      $ PORT=x LOG_LEVEL=y atpoint serve
      ! The configuration is not valid:
      !   PORT must be a whole number from 0 to 65535
      !   LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent
      exit 1`;
  });

  it("names what is wrong with the file .env, and does nothing", async () => {
    const { url } = await fresh();
    const cwd = databaseFolder(url);
    writeFileSync(join(cwd, ".env"), `DATABSE_URL=${url}\n`);
    const argv = ["--import", import.meta.resolve("tsx"), cli, "migrate"];
    const stderr = expect.stringMatching(
      /^The configuration is not valid:\n {2}DATABSE_URL in \.env .*\n$/,
    );
    const result = { code: 1, stdout: "", stderr };
    await expect(promisify(execFile)(process.execPath, argv, { cwd })).rejects.toMatchObject(
      result,
    );
    expect(readdirSync(cwd)).toEqual([".env"]);
  });
});
