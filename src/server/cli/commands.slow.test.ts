import { execFile } from "node:child_process";
import { existsSync } from "node:fs";
import { promisify } from "node:util";
import { beforeEach, describe, expect, it } from "vitest";
import { migrations } from "../../migrations.ts";
import { storesOf } from "../../test/atpoint.ts";
import { run } from "../../test/command.ts";
import { databasesUnderTest, fresh, opened } from "../../test/databases.ts";
import { replay } from "../../test/transcript.ts";
import { hashKey } from "../key-form.ts";
import { databaseName, sqlitePath } from "../storage/address.ts";
import type { Storage } from "../storage/storage.ts";

const cli = new URL("../../cli.ts", import.meta.url).pathname;
const names = migrations.map(({ name }) => name).join(", ");
const applied = `Applied ${names}. The database is up to date.`;
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
      $ atpoint keys create --name mine --scopes users:read,system:health --platforms web
      … --expires 90d
      atp_1

      It will not be shown again. Its id is aaaaaaaa-0000-0000-0000-000000000001; it expires
      … 2026-04-01T00:00:00.000Z.
      $ atpoint keys create --name 'for lunch' --scopes users:read --platforms ios --json
      {"key":"atp_2","id":"aaaaaaaa-0000-0000-0000-000000000002","name":"for lunch",
      …"scopes":["users:read"],"platforms":["ios"],"createdAt":"2026-01-01T00:00:00.000Z",
      …"expiresAt":"2027-01-01T00:00:00.000Z","state":"valid"}
      # 2026-02-01T00:00:00.000Z
      $ atpoint keys rotate aaaaaaaa-0000-0000-0000-000000000001
      atp_3

      It will not be shown again. Its id is aaaaaaaa-0000-0000-0000-000000000003; it expires
      … 2026-05-02T00:00:00.000Z.
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
      ! There is no key aaaaaaaa-0000-0000-0000-000000000002, or it is expired or revoked: create
      … a new one.
      exit 1
      $ atpoint keys rotate 01890000-0000-7000-8000-000000000000
      ! There is no key 01890000-0000-7000-8000-000000000000, or it is expired or revoked: create
      … a new one.
      exit 1
      # 2026-04-25T00:00:00.000Z
      $ atpoint keys rotate aaaaaaaa-0000-0000-0000-000000000001
      ! There is no key aaaaaaaa-0000-0000-0000-000000000001, or it is expired or revoked: create
      … a new one.
      exit 1
      $ atpoint keys list
      ID                                    STATE     EXPIRES                   LAST USED  SCOPES
      …                    PLATFORMS  NAME
      aaaaaaaa-0000-0000-0000-000000000001  expired   2026-02-08T00:00:00.000Z  never
      …      users:read,system:health  web        mine
      aaaaaaaa-0000-0000-0000-000000000002  revoked   2027-01-01T00:00:00.000Z  never
      …      users:read                ios        for lunch
      aaaaaaaa-0000-0000-0000-000000000003  expiring  2026-05-02T00:00:00.000Z  never
      …      users:read,system:health  web        mine
      ! 1 key to be replaced within 14 days, by \`keys rotate ID\`:
      … aaaaaaaa-0000-0000-0000-000000000003
      $ atpoint keys rotate aaaaaaaa-0000-0000-0000-000000000003 --overlap 90d
      atp_4

      It will not be shown again. Its id is aaaaaaaa-0000-0000-0000-000000000004; it expires
      … 2026-07-24T00:00:00.000Z.
      The old key aaaaaaaa-0000-0000-0000-000000000003 is valid until 2026-05-02T00:00:00.000Z.
      $ atpoint keys rotate aaaaaaaa-0000-0000-0000-000000000004 --overlap 12h --expires 30d --json
      {"key":"atp_5","id":"aaaaaaaa-0000-0000-0000-000000000005","name":"mine",
      …"scopes":["users:read","system:health"],"platforms":["web"],
      …"createdAt":"2026-04-25T00:00:00.000Z","expiresAt":"2026-05-25T00:00:00.000Z",
      …"state":"valid","replaces":{"id":"aaaaaaaa-0000-0000-0000-000000000004",
      …"expiresAt":"2026-04-25T12:00:00.000Z"}}
      $ atpoint keys list --json
      [{"id":"aaaaaaaa-0000-0000-0000-000000000001","name":"mine","scopes":["users:read",
      …"system:health"],"platforms":["web"],"createdAt":"2026-01-01T00:00:00.000Z",
      …"expiresAt":"2026-02-08T00:00:00.000Z","state":"expired"},
      …{"id":"aaaaaaaa-0000-0000-0000-000000000002","name":"for lunch","scopes":["users:read"],
      …"platforms":["ios"],"createdAt":"2026-01-01T00:00:00.000Z",
      …"expiresAt":"2027-01-01T00:00:00.000Z","state":"revoked",
      …"revokedAt":"2026-02-01T00:00:00.000Z"},{"id":"aaaaaaaa-0000-0000-0000-000000000003",
      …"name":"mine","scopes":["users:read","system:health"],"platforms":["web"],
      …"createdAt":"2026-02-01T00:00:00.000Z","expiresAt":"2026-05-02T00:00:00.000Z",
      …"state":"expiring"},{"id":"aaaaaaaa-0000-0000-0000-000000000004","name":"mine",
      …"scopes":["users:read","system:health"],"platforms":["web"],
      …"createdAt":"2026-04-25T00:00:00.000Z","expiresAt":"2026-04-25T12:00:00.000Z",
      …"state":"expiring"},{"id":"aaaaaaaa-0000-0000-0000-000000000005","name":"mine",
      …"scopes":["users:read","system:health"],"platforms":["web"],
      …"createdAt":"2026-04-25T00:00:00.000Z","expiresAt":"2026-05-25T00:00:00.000Z",
      …"state":"valid"}]`;
    const texts = [1, 2, 3, 4, 5].map((number) => real(`atp_${number}`));
    expect((await storage.keys.list()).map(({ hash }) => hash)).toEqual(texts.map(hashKey));
  });

  const revoke = "keys revoke 01890000-0000-7000-8000-000000000000";
  const create = "keys create --name n --scopes users:read --platforms web";
  const commands = ["keys list", create, revoke, "keys conformance", "users purge-conformance"];
  it.each(commands)("creates no database for %s", async (command) => {
    const path = sqlitePath(url);
    const elsewhere = `${path}.elsewhere`;
    const reason = {
      PostgreSQL:
        `The database of DATABASE_URL is not one of Atpoint: ${databaseName(url)} has none of ` +
        "its tables. Correct DATABASE_URL, or create the tables: atpoint migrate",
      SQLite:
        `DATABASE_URL names ${elsewhere}, and no database is there. Is that the right path, ` +
        "and is its volume mounted? To create a new, empty one: atpoint migrate",
    }[kind.name];
    await replay(path === null ? env : { DATABASE_URL: `sqlite:${elsewhere}` })`
        $ atpoint ${command}
        ! ${reason ?? ""}
        exit 1`;
    expect(existsSync(elsewhere)).toBe(false);
    expect(await storage.hasSchema()).toBe(false);
  });

  it("creates the database of a key with --create, and says so", async () => {
    const { code, err, out } = await run(env, ...`${create} --create`.split(" "));
    expect({ code, err }).toEqual({ code: 0, err: `${isNew}\n` });
    expect(out).toMatch(/^atp_/);
    expect(await storage.keys.count()).toBe(1);
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
    const prefix = "conformance+0123456789abcdef";
    const insert = async (...emails: string[]) => {
      await storage.migrate();
      for (const email of emails)
        await storesOf(storage).users.insert({
          name: "N",
          email,
          createdAt: new Date("2026-01-01"),
        });
    };

    it("are listed by page, and deleted or purged, all or none, when confirmed", async () => {
      await insert(
        `${prefix.toUpperCase()}-1@a`,
        "ada@example.com",
        `.${prefix}-2@a`,
        "b@example.com",
      );
      await replay(env)`
        $ atpoint users list --limit 3
        ID                                    CREATED                   E-MAIL
        …                             NAME
        aaaaaaaa-0000-0000-0000-000000000001  2026-01-01T00:00:00.000Z  ${prefix.toUpperCase()}-1@a
        …   N
        aaaaaaaa-0000-0000-0000-000000000002  2026-01-01T00:00:00.000Z  ada@example.com
        …                    N
        aaaaaaaa-0000-0000-0000-000000000003  2026-01-01T00:00:00.000Z  .${prefix}-2@a  N
        More: --cursor CURSOR_1
        $ atpoint users list --cursor CURSOR_1
        ID                                    CREATED                   E-MAIL         NAME
        aaaaaaaa-0000-0000-0000-000000000004  2026-01-01T00:00:00.000Z  b@example.com  N
        $ atpoint users list --limit 1 --json
        {"items":[{"id":"aaaaaaaa-0000-0000-0000-000000000001","name":"N",
        …"email":"${prefix.toUpperCase()}-1@a","createdAt":"2026-01-01T00:00:00.000Z"}],
        …"nextCursor":"CURSOR_2"}
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
        $ atpoint users delete AAAAAAAA-0000-0000-0000-000000000002 ADA@example.com B@example.com
        … --yes
        Deleted 2 users.
        $ atpoint users list
        There are no more users.`;
    });

    it("are purged by their local part", async () => {
      const theirs = ["-17@ddd.ddd", "-3+x.y.zzz@a.b.example.com", "-4!#$%&'*+/=?^_`{|}~-.zz@b"];
      const left = [
        ...["@example.com", "-x@example.com", "0-1@example.com"].map((end) => prefix + end),
        `x@${prefix}-1.example`,
        `${prefix.slice(1)}-1@a`,
        `${prefix.slice(0, -1)}g-1@a`,
      ];
      await insert(...theirs.map((end) => prefix + end), `a.${prefix}-3@a`, ...left);
      const { out } = await run(env, "users", "purge-conformance", "--yes");
      expect(out).toBe("Deleted 4 users.\n");
      const { items } = JSON.parse((await run(env, "users", "list", "--json")).out);
      expect(items.map(({ email }: { email: string }) => email)).toEqual(left);
    });
  });
});
