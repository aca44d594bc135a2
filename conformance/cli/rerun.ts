import { suite } from "../report/report.ts";
import type { CliOptions } from "./options.ts";

/** Quotes a word for a POSIX shell; the masked value of a header field is a variable. */
export function shellWord(word: string): string {
  if (/^[\w=-]+: *\$HEADER_\w+$/.test(word)) return `"${word}"`;
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", "'\\''")}'`;
}

/**
 * How this command was started, as far as npm reports it: the script of the repository, the installed package, or by its name.
 */
function program({ npm_lifecycle_event: event = "", npm_lifecycle_script: script = "" }: NodeJS.ProcessEnv): string {
  if (/\bconformance\/cli\/bin\.ts$/.test(script)) return `npm run -s ${event} --`;
  return event === "npx" ? `npx --no-install ${suite.name}` : suite.name;
}

/** A command line for pasting into a shell. */
export function commandLine(words: readonly string[], env: NodeJS.ProcessEnv): string {
  return [program(env), ...words.map(shellWord)].join(" ");
}

/** The command that runs only these checks, under the same conditions. */
export function rerunCommand(
  options: CliOptions,
  urls: readonly string[],
  checks: readonly string[],
  env: NodeJS.ProcessEnv,
): string {
  const repeat = (flag: string, values: readonly string[]) => values.flatMap((value) => [flag, value]);
  const words = [
    ...repeat("--url", urls),
    ...(options.explore === undefined ? repeat("--only", checks) : ["--explore", String(options.explore)]),
    ...repeat("--contract", [options.contract ?? []].flat()),
    ...(options.origin === "all" ? [] : ["--origin", options.origin]),
    ...(["landing", "email", "refused"] as const).flatMap((name) => repeat(`--${name}`, [options[name] ?? []].flat())),
    ...(options.level === "MAY" ? [] : ["--level", options.level]),
    ...repeat("--credentials", options.credentials.slice(0, urls.length)),
    ...options.header.flatMap((field) => ["--header", field]),
    ...repeat("--client-cert", [options.clientCert ?? []].flat()),
    ...repeat("--client-key", [options.clientKey ?? []].flat()),
    ...(options.readOnly ? ["--read-only"] : []),
    ...(options.allowWrite ? ["--allow-write"] : []),
    ...(options.allowHostile ? ["--allow-hostile"] : []),
    ...(options.smoke ? ["--smoke"] : []),
    ...(options.slow ? ["--slow"] : []),
    ...(options.strict ? ["--strict"] : []),
    ...(options.exceptions && urls.length > 1 ? ["--exceptions", options.exceptions] : []),
    ...["--timeout", String(options.timeout)],
    ...["--seed", String(options.seed)],
  ];
  return commandLine(words, env);
}
