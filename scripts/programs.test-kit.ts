import { spawnSync } from "node:child_process";
import { it } from "vitest";
import { leaveOut } from "../src/test/left-out.ts";

/** A test that needs these programs. */
export function itWith(
  programs: readonly string[],
  title: string,
  test: () => Promise<void> | void,
): void {
  const missing = programs.filter((program) => spawnSync(program, ["--version"]).error);
  if (missing.length > 0) leaveOut(title, `${missing.join(" and ")} not installed`);
  else it(title, test);
}
