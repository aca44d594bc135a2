import { execFile } from "node:child_process";
import { existsSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { promisify } from "node:util";
import { describe, expect, it } from "vitest";
import { contract } from "../../../generated/contract.ts";
import { run } from "../../test/command.ts";
import { fresh } from "../../test/databases.ts";
import { replay } from "../../test/transcript.ts";
import { packageVersion } from "../settings/package.ts";
import { databaseFolder } from "../storage/address.ts";

const cli = new URL("../../cli.ts", import.meta.url).pathname;

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

  it("reports in one line why the database cannot be used, or each bad variable", async () => {
    await replay({})`
      $ DATABASE_URL=postgres://nobody@127.0.0.1:1/none atpoint keys list
      ! The database of DATABASE_URL cannot be used: no server listens there (connect ECONNREFUSED
      … 127.0.0.1:1). Start PostgreSQL, or correct host and port in DATABASE_URL.
      exit 1
      $ DATABASE_URL=sqlite:/proc/nothere/x.sqlite atpoint migrate
      ! DATABASE_URL names /proc/nothere/x.sqlite, and there is no folder /proc/nothere: correct
      … the path, mount the volume, or create the folder.
      exit 1
      $ DATABASE_URL=sqlite:/sys/x.sqlite atpoint migrate
      ! The database of DATABASE_URL cannot be used: the file cannot be created, since its folder
      … cannot be written (open EACCES /sys/x.sqlite). Let the user of this process write the file
      … and its folder.
      exit 1
      $ DATABASE_URL=sqlite:/tmp atpoint migrate
      ! DATABASE_URL names /tmp, which is not a file: correct the path.
      exit 1
      $ PORT=x LOG_LEVEL=y atpoint serve
      ! The configuration is not valid:
      !   PORT must be a whole number from 0 to 65535, not "x"
      !   LOG_LEVEL must be one of trace, debug, info, warn, error, fatal, silent, not "y"
      exit 1`;
  });

  it("creates the folder of the default database, for its owner", async () => {
    const cwd = databaseFolder((await fresh()).url);
    const argv = ["--import", import.meta.resolve("tsx"), cli, "migrate"];
    const { stdout } = await promisify(execFile)(process.execPath, argv, { cwd });
    expect(stdout).toContain(`A new database was created: sqlite:${cwd}/data/atpoint.sqlite\n`);
    expect(statSync(join(cwd, "data")).mode & 0o777).toBe(0o700);
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
