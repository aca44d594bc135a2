import { runCli } from "../cli/run-cli.ts";

/** One command in this process, and what it printed. */
export async function run(env: NodeJS.ProcessEnv, ...argv: string[]) {
  let [out, err] = ["", ""];
  const stdout = { write: (text: string) => (out += text) };
  const stderr = { write: (text: string) => (err += text) };
  const code = await runCli(argv, { env, stdout, stderr });
  return { code, out, err };
}
