import { spawnSync } from "node:child_process";
import { it } from "vitest";

/**
 * A test that needs these programs; where one is missing, the console and the report say that it
 * was left out.
 */
export function itWith(
  programs: readonly string[],
  title: string,
  test: () => Promise<void> | void,
): void {
  const missing = programs.filter((program) => spawnSync(program, ["--version"]).error);
  const leftOut = `${title}: LEFT OUT, ${missing.join(" and ")} is not installed`;
  if (missing.length > 0) console.warn(leftOut);
  it.skipIf(missing.length > 0)(missing.length > 0 ? leftOut : title, test);
}
