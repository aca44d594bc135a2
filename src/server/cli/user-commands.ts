import type { Command } from "commander";
import { operations, type Types, type UserList } from "../../../generated/operations.ts";
import { validators } from "../../../generated/validators.ts";
import { userPage } from "../../operations/user-list.ts";
import { UsageError } from "../log/safe-error.ts";
import { Problem } from "../problem.ts";
import { queryInput } from "../request/input.ts";
import { readConfig } from "../settings/config.ts";
import type { Users } from "../storage/users.ts";
import { counted, json, type Terminal, table, withStorage } from "./terminal.ts";

/** What every e-mail address that the conformance suite registers has in its local part: the id of the run and a number. */
const conformanceEmail = /^[^@]*conformance\+[0-9a-f]{16}-[0-9]/;

interface Confirmed {
  readonly yes?: true;
}

/** `users list`, `delete` and `purge-conformance`. Commands that delete only print how many, unless they are confirmed. */
export function addUserCommands(program: Command, { env, stdout }: Terminal): void {
  const users = program.command("users").description("users");

  users
    .command("list")
    .description("show the users, a page at a time, as user.list does")
    .option("--limit <number>", "how many at most")
    .option("--cursor <cursor>", "the cursor of the next page, as printed below the last one")
    .option("--json", "print one JSON object, the response of user.list")
    .action(async ({ json: isJson, ...given }: { limit?: string; cursor?: string; json?: true }) => {
      const input = listInput(given);
      const response = await withStorage(readConfig(env), ({ stores }) => userPage(input, stores.users));
      const page: UserList = JSON.parse(response.json);
      const rows = page.items.map(({ id, createdAt, email, name }) => [id, createdAt, email, name]);
      const users = table([["ID", "CREATED", "E-MAIL", "NAME"], ...rows]);
      const more = page.nextCursor === undefined ? "" : `More: --cursor ${page.nextCursor}\n`;
      stdout.write(isJson ? json(page) : `${rows.length > 0 ? users : "There are no more users.\n"}${more}`);
    });

  users
    .command("delete")
    .description("delete users permanently")
    .argument("<user...>", "their ids or e-mail addresses")
    .option("--yes", "do it")
    .action(async (wanted: string[], { yes }: Confirmed) => {
      await remove(yes, async (users) => {
        const found = await Promise.all(wanted.map((user) => users.find(user)));
        const unknown = wanted.filter((_, index) => !found[index]);
        if (unknown.length > 0) throw new UsageError(`There is no user ${unknown.join(", ")}; none is deleted.`);
        return [...new Set(found.flatMap((user) => (user ? [user.id] : [])))];
      });
    });

  users
    .command("purge-conformance")
    .description(
      "delete the users that the conformance suite has created: those with conformance+ID-NUMBER before the @ of their address, " +
        "ID being the 16 hexadecimal digits of a run",
    )
    .option("--yes", "do it")
    .action(({ yes }: Confirmed) => remove(yes, (users) => users.idsMatching("%conformance+%-%@%", conformanceEmail)));

  /** Throws `UsageError` when something would be deleted without confirmation. */
  async function remove(yes: true | undefined, find: (users: Users) => Promise<string[]>): Promise<void> {
    const deleted = await withStorage(readConfig(env), async ({ stores }) => {
      const ids = await find(stores.users);
      if (ids.length > 0 && !yes)
        throw new UsageError(`This deletes ${counted(ids.length, "user")} permanently. To confirm: --yes`);
      return stores.users.remove(ids);
    });
    stdout.write(`Deleted ${counted(deleted, "user")}.\n`);
  }
}

/** Validated as the service validates it, defaults filled in. Throws `UsageError`. */
function listInput(given: { limit?: string; cursor?: string }): Types["user.list"]["input"] {
  try {
    const query = new Map(Object.entries(given));
    const input = queryInput(operations["user.list"], validators["user.list"], query, [...query.keys()], {});
    return input as Types["user.list"]["input"]; // proven by the validator
  } catch (error) {
    if (!(error instanceof Problem) || !error.errors) throw error;
    throw new UsageError(
      error.errors.map((fault) => `${"parameter" in fault ? `--${fault.parameter} ` : ""}${fault.detail}`).join("\n"),
    );
  }
}
