import type { CliOptions } from "./options.ts";
import { suite } from "./suite.ts";

/** A word of a POSIX shell. */
export function shellWord(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/** A command line, ready to paste. */
export function commandLine(words: readonly string[]): string {
  return [suite.name, ...words].map(shellWord).join(" ");
}

/** The command that runs these checks alone, under the same conditions. */
export function rerunCommand(options: CliOptions, urls: readonly string[], checks: readonly string[]): string {
  const repeat = (flag: string, values: readonly string[]) => values.flatMap((value) => [flag, value]);
  return commandLine([
    ...repeat("--url", urls),
    ...repeat("--only", checks),
    ...repeat("--credentials", options.credentials),
    ...(options.allowWrite ? ["--allow-write"] : []),
    ...(options.allowHostile ? ["--allow-hostile"] : []),
    ...(options.slow ? ["--slow"] : []),
    ...(options.exceptions && urls.length > 1 ? ["--exceptions", options.exceptions] : []),
    ...["--timeout", String(options.timeout)],
    ...["--seed", String(options.seed)],
  ]);
}
