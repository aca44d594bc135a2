import { type ChildProcess, spawn } from "node:child_process";
import path from "node:path";
import { text } from "node:stream/consumers";
import { onTestFinished } from "vitest";
import { KEY } from "./deployment.test-kit.ts";

const root = path.resolve(import.meta.dirname, "../..");

interface Ended {
  /** Null when a signal ended it. */
  readonly code: number | null;
  readonly stdout: string;
  readonly stderr: string;
}

interface Launched {
  readonly child: ChildProcess;
  readonly ended: Promise<Ended>;
}

interface World {
  readonly env?: NodeJS.ProcessEnv;
  /** A module that is loaded before the command. */
  readonly preload?: string;
}

/** Runs a program in a process of its own, with nothing of this one's environment but PATH and HOME. */
export function launchProgram(
  program: string,
  words: readonly string[],
  { cwd = root, env }: { readonly cwd?: string; readonly env?: NodeJS.ProcessEnv } = {},
): Launched {
  const { PATH, HOME } = process.env;
  const child = spawn(program, words, { cwd, env: { PATH, HOME, ...env }, stdio: ["ignore", "pipe", "pipe"] });
  onTestFinished(() => void child.kill("SIGKILL"));
  const code = new Promise<number | null>((resolve, reject) => {
    child.once("error", reject).once("close", resolve);
  });
  const ended = Promise.all([code, text(child.stdout), text(child.stderr)]);
  return { child, ended: ended.then(([code, stdout, stderr]) => ({ code, stdout, stderr })) };
}

/** Runs the command as a shell does: the words behind its name, and the environment. */
export function launch(words: readonly string[], { env = { API_KEY: KEY }, preload }: World = {}): Launched {
  const modules = ["tsx", ...(preload === undefined ? [] : [preload])].flatMap((module) => ["--import", module]);
  return launchProgram(process.execPath, [...modules, path.join(root, "conformance/cli/bin.ts"), ...words], { env });
}
