import { type SpawnOptions, spawn } from "node:child_process";
import path from "node:path";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { bundled } from "../../../src/test/bundle.ts";
import { KEY } from "./deployment.test-kit.ts";

const root = path.resolve(import.meta.dirname, "../../..");

/**
 * Runs a program in a separate process, with only PATH and HOME of this environment. The code is
 * null if a signal ended it.
 */
export function launchProgram(
  program: string,
  words: readonly string[],
  { cwd = root, env, detached = false }: Pick<SpawnOptions, "cwd" | "env" | "detached"> = {},
) {
  const { PATH, HOME } = process.env;
  const stdio = ["ignore", "pipe", "pipe"] as const;
  const child = spawn(program, words, {
    cwd,
    env: { PATH, HOME, ...env },
    detached,
    stdio: [...stdio],
  });
  onTestFinished(() => void child.kill("SIGKILL"));
  const code = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject).once("close", resolve);
  });
  const ended = Promise.all([code, text(child.stdout), text(child.stderr)]);
  return { child, ended: ended.then(([code, stdout, stderr]) => ({ code, stdout, stderr })) };
}

/** The command of a repository as packed. */
export const bundledCommand = (home = root): string =>
  bundled("conformance", "conformance/cli/bin.ts", home);

/**
 * Runs the command as a shell does: the arguments after its name, and the environment. `preload`: a
 * module that is loaded before the command, and may change its modules.
 */
export function launch(
  words: readonly string[],
  { env = { API_KEY: KEY }, preload }: { env?: NodeJS.ProcessEnv; preload?: string } = {},
) {
  const program =
    preload === undefined
      ? [bundledCommand()]
      : ["--import", "tsx", "--import", preload, path.join(root, "conformance/cli/bin.ts")];
  return launchProgram(process.execPath, ["--max-semi-space-size=32", ...program, ...words], {
    env,
  });
}
