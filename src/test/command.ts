import { runCli } from "./atpoint.ts";
import { patience } from "./patience.ts";

/** One command in this process, and its output. */
export async function run(env: NodeJS.ProcessEnv, ...argv: string[]) {
  let [out, err] = ["", ""];
  const stdout = { write: (text: string) => (out += text) };
  const stderr = { write: (text: string) => (err += text) };
  const code = await runCli(argv, { env: { ...patience, ...env }, stdout, stderr });
  return { code, out, err };
}
