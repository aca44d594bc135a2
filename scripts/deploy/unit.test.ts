import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

const unit = join(import.meta.dirname, "atpoint.service");
const analyze = (...words: string[]) => spawnSync("systemd-analyze", [...words, unit], { encoding: "utf8" });
const isThere = analyze("--version").error === undefined;
const title = "the systemd unit is valid and hardened";

it.skipIf(!isThere)(isThere ? title : `${title}: LEFT OUT, systemd-analyze is not installed`, () => {
  // If Node.js is not at a package's usual path, the unit is still right.
  const lines = analyze("verify").stderr.split("\n");
  expect(lines.filter((line) => line.includes("atpoint.service") && !line.includes("is not executable"))).toEqual([]);
  // Of 10; 2 is the lowest value that its scale calls OK.
  const { status, stdout } = analyze("security", "--offline=true", "--threshold=20");
  expect(status, stdout.split("\n").at(-2)).toBe(0);
});
