import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect } from "vitest";
import { itWith } from "../programs.test-kit.ts";

const unit = join(import.meta.dirname, "atpoint.service");
const analyze = (...words: string[]) =>
  spawnSync("systemd-analyze", [...words, unit], { encoding: "utf8" });

itWith(["systemd-analyze"], "the systemd unit is valid and hardened", () => {
  // If Node.js is not at a package's usual path, the unit is still right.
  const lines = analyze("verify").stderr.split("\n");
  expect(
    lines.filter((line) => line.includes("atpoint.service") && !line.includes("is not executable")),
  ).toEqual([]);
  // Of 10; 2 is the lowest value that its scale calls OK.
  const { status, stdout } = analyze("security", "--offline=true", "--threshold=20");
  expect(status, stdout.split("\n").at(-2)).toBe(0);
});
