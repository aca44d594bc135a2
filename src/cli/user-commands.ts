import type { Command } from "commander";
import { operations, type Types, type UserList } from "../../generated/operations.ts";
import { validators } from "../../generated/validators.ts";
import { readConfig } from "../config.ts";
import { InputFault } from "../log/safe-error.ts";
import { userPage } from "../operations/user-list.ts";
import { queryInput } from "../protocol/input.ts";
import { Problem } from "../protocol/problem.ts";
import { counted, table } from "./table.ts";
import { printJson, type Terminal } from "./terminal.ts";
import { withStorage } from "./with-storage.ts";

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
    .action(async ({ json, ...given }: { limit?: string; cursor?: string; json?: true }) => {
      const input = listInput(given);
      const answer = await withStorage(readConfig(env), "never", ({ stores }) => userPage(input, stores.users));
      const page: UserList = JSON.parse(answer.json);
      if (json) {
        printJson(stdout, page);
        return;
      }
      const rows = page.items.map(({ id, createdAt, email, name }) => [id, createdAt, email, name]);
      stdout.write(
        rows.length > 0 ? table([["ID", "CREATED", "E-MAIL", "NAME"], ...rows]) : "There are no more users.\n",
      );
      if (page.nextCursor !== undefined) stdout.write(`More: --cursor ${page.nextCursor}\n`);
    });

  users
    .command("delete")
    .description("delete users permanently")
    .argument("<user...>", "their ids or e-mail addresses")
    .option("--yes", "do it")
    .action(async (wanted: string[], { yes }: Confirmed) => {
      const deleted = await withStorage(readConfig(env), "never", async ({ stores }) => {
        const found = await Promise.all(wanted.map((user) => stores.users.find(user)));
        const unknown = wanted.filter((_, index) => !found[index]);
        if (unknown.length > 0) throw new InputFault(`There is no user ${unknown.join(", ")}; none is deleted.`);
        const ids = [...new Set(found.flatMap((user) => (user ? [user.id] : [])))];
        confirm(yes, ids.length);
        return stores.users.remove(ids);
      });
      stdout.write(`Deleted ${counted(deleted, "user")}.\n`);
    });

  users
    .command("purge-conformance")
    .description(
      "delete the users that the conformance suite has created: those with conformance+ID-NUMBER before the @ of their address, " +
        "ID being the 16 hexadecimal digits of a run",
    )
    .option("--yes", "do it")
    .action(async ({ yes }: Confirmed) => {
      const purged = await withStorage(readConfig(env), "never", async ({ stores }) => {
        const ids = await stores.users.idsMatching("%conformance+%-%@%", conformanceEmail);
        confirm(yes, ids.length);
        return stores.users.remove(ids);
      });
      stdout.write(`Deleted ${counted(purged, "user")}.\n`);
    });
}

/** Validated as the service validates it, defaults filled in. Throws `InputFault`. */
function listInput(given: { limit?: string; cursor?: string }): Types["user.list"]["input"] {
  try {
    const query = new Map(Object.entries(given));
    const input = queryInput(operations["user.list"], validators["user.list"], query, [...query.keys()], {});
    return input as Types["user.list"]["input"]; // proven by the validator
  } catch (error) {
    if (!(error instanceof Problem) || !error.errors) throw error;
    throw new InputFault(
      error.errors.map((fault) => `${"parameter" in fault ? `--${fault.parameter} ` : ""}${fault.detail}`).join("\n"),
    );
  }
}

/** Throws `InputFault` when something would be deleted without confirmation. */
function confirm(yes: true | undefined, count: number): void {
  if (count > 0 && !yes) throw new InputFault(`This deletes ${counted(count, "user")} permanently. To confirm: --yes`);
}
