import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import path from "node:path";
import { onTestFinished } from "vitest";
import { packaged } from "../packaged.ts";
import { KEY } from "../proof/kits/deployment.test-kit.ts";
import type { ReportData } from "../report/json.ts";
import type { Suite } from "../run/state.ts";
import { main } from "./main.ts";

interface Ran {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

interface World {
  readonly suite?: Suite;
  readonly env?: NodeJS.ProcessEnv;
  readonly signal?: AbortSignal;
  readonly isTTY?: boolean;
}

/** What follows from some of the cases, without any script: a run of seconds. */
export const brief: Suite = {
  ...packaged,
  coveringCases: packaged.coveringCases?.filter((_, at) => at % 10 === 0) ?? [],
  scripts: [],
};

/**
 * Runs the command in this process, as a shell would: the arguments after its name, and the
 * environment.
 */
export async function command(
  words: readonly string[],
  { suite = packaged, env = { API_KEY: KEY }, signal, isTTY = false }: World = {},
): Promise<Ran> {
  const out: string[] = [];
  const err: string[] = [];
  const io = {
    stdout: { write: (text: string) => out.push(text), isTTY },
    stderr: { write: (text: string) => err.push(text), isTTY },
    env,
    ...(signal ? { signal } : {}),
  };
  const code = await main(words, io, suite);
  return { code, stdout: out.join(""), stderr: err.join("") };
}

/**
 * A folder that lives as long as the test; returns the path of a file in it, written if there is
 * content.
 */
export function file(name: string, content?: unknown): string {
  const folder = mkdtempSync(path.join(tmpdir(), "conformance-"));
  onTestFinished(() => rmSync(folder, { recursive: true }));
  const full = path.join(folder, name);
  if (content !== undefined)
    writeFileSync(full, typeof content === "string" ? content : JSON.stringify(content));
  return full;
}

/** A file for every report, and the options that name them. */
export function reportFiles() {
  const files = ["json", "junit", "markdown", "html"].map((kind) => file(`report.${kind}`));
  return { files, words: files.flatMap((name) => [`--${path.extname(name).slice(1)}`, name]) };
}

/** Runs the command with every report. `texts`: all that it printed, and the reports. */
export async function reported(words: readonly string[], model?: World) {
  const { files, words: options } = reportFiles();
  const { code, stdout, stderr } = await command([...words, ...options], model);
  const [json = "", ...otherReports] = files.map((name) => readFileSync(name, "utf8"));
  const report: ReportData = JSON.parse(json);
  return { code, stdout, stderr, report, texts: [stdout, stderr, json, ...otherReports] };
}
