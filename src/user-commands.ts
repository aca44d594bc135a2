import type { Command } from "commander";
import { contract, type Types, type UserList } from "../generated/contract.ts";
import { type Cli, json, pluralize, table, withStorage } from "./server/cli/terminal.ts";
import { UsageError } from "./server/expected-error.ts";
import { Problem } from "./server/problem.ts";
import { queryInput } from "./server/request/input.ts";
import { readJsonPage } from "./server/resources/pages.ts";
import { openUsers, type Users } from "./stores/users.ts";

/**
 * What every e-mail address that the conformance suite registers has in its local part: the id of
 * the run and a number.
 */
const conformanceEmail = /^[^@]*conformance\+[0-9a-f]{16}-[0-9]/;

type Confirmed = { readonly yes?: true };

/**
 * `users list`, `delete` and `purge-conformance`. Commands that delete only print how many, unless
 * they are confirmed.
 */
export function addUserCommands(program: Command, cli: Cli): void {
  const { stdout } = cli;
  const users = program.command("users").description("users");

  users
    .command("list")
    .description("show the users, a page at a time, as user.list does")
    .option("--limit <number>", "how many at most")
    .option("--cursor <cursor>", "the cursor of the next page, as printed below the last one")
    .option("--json", "print one JSON object, the response of user.list")
    .action(
      async ({ json: isJson, ...given }: { limit?: string; cursor?: string; json?: true }) => {
        const input = listInput(given);
        const read = ({ page }: Users) => readJsonPage("user.list", input, page);
        const response = await withStorage(cli, ({ database }) => read(openUsers(database))).catch(
          rejected,
        );
        const page: UserList = JSON.parse(response.json);
        if (isJson) return void stdout.write(json(page));
        const rows = page.items.map(({ id, createdAt, email, name }) => [
          id,
          createdAt,
          email,
          name,
        ]);
        const users = table([["ID", "CREATED", "E-MAIL", "NAME"], ...rows]);
        const next = page.nextCursor === undefined ? "" : `More: --cursor ${page.nextCursor}\n`;
        stdout.write(`${rows.length > 0 ? users : "There are no more users.\n"}${next}`);
      },
    );

  users
    .command("delete")
    .description("delete users permanently")
    .argument("<user...>", "their ids or e-mail addresses")
    .option("--yes", "do it")
    .action((wanted: string[], { yes }: Confirmed) =>
      remove(yes, async (users) => {
        const matches = await Promise.all(wanted.map((user) => users.find(user)));
        const unknown = wanted.filter((_, index) => !matches[index]);
        if (unknown.length > 0)
          throw new UsageError(`There is no user ${unknown.join(", ")}; none is deleted.`);
        return [...new Set(matches.flatMap((user) => (user ? [user.id] : [])))];
      }),
    );

  users
    .command("purge-conformance")
    .description(
      "delete the users that the conformance suite has created: those with " +
        "conformance+ID-NUMBER before the @ of their address, " +
        "ID being the 16 hexadecimal digits of a run",
    )
    .option("--yes", "do it")
    .action(({ yes }: Confirmed) =>
      remove(yes, (users) => users.idsMatching("%conformance+%-%@%", conformanceEmail)),
    );

  /** Throws `UsageError` when something would be deleted without confirmation. */
  async function remove(
    yes: true | undefined,
    find: (users: Users) => Promise<string[]>,
  ): Promise<void> {
    const deleted = await withStorage(cli, async ({ database }) => {
      const users = openUsers(database);
      const ids = await find(users);
      if (ids.length > 0 && !yes)
        throw new UsageError(
          `This deletes ${pluralize(ids.length, "user")} permanently. To confirm: --yes`,
        );
      return users.remove(ids);
    });
    stdout.write(`Deleted ${pluralize(deleted, "user")}.\n`);
  }
}

/** Validated as the service validates it, defaults filled in. Throws `UsageError`. */
function listInput(given: { limit?: string; cursor?: string }): Types["user.list"]["input"] {
  const { operations, validators } = contract;
  const query = new Map(Object.entries(given));
  try {
    const input = queryInput(
      operations["user.list"],
      validators["user.list"],
      query,
      [...query.keys()],
      {},
    );
    return input as Types["user.list"]["input"]; // proven by the validator
  } catch (error) {
    return rejected(error);
  }
}

/** Rejections as the service rejects them, with the names of the options. */
function rejected(error: unknown): never {
  if (!(error instanceof Problem)) throw error;
  const { code, errors = [] } = error;
  if (code === "invalid-cursor") throw new UsageError(contract.problems["invalid-cursor"].detail);
  const texts = errors.map(
    (fault) => `${"parameter" in fault ? `--${fault.parameter} ` : ""}${fault.detail}`,
  );
  throw texts.length > 0 ? new UsageError(texts.join("\n")) : error;
}
