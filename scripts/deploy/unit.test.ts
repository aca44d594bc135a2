import { spawnSync } from "node:child_process";
import { join } from "node:path";
import { expect, it } from "vitest";

const unit = join(import.meta.dirname, "atpoint.service");
const analyze = (...words: string[]) => spawnSync("systemd-analyze", [...words, unit], { encoding: "utf8" });
const isThere = analyze("--version").error === undefined;
const title = "the systemd unit is valid and hardened";

it.skipIf(!isThere)(isThere ? title : `${title}: LEFT OUT, systemd-analyze is not installed`, () => {
  // Where Node.js is not where a package puts it, the unit is right all the same.
  const said = analyze("verify").stderr.split("\n");
  expect(said.filter((line) => line.includes("atpoint.service") && !line.includes("is not executable"))).toEqual([]);
  // Of 10; 2 is the least that its scale calls OK.
  const { status, stdout } = analyze("security", "--offline=true", "--threshold=20");
  expect(status, stdout.split("\n").at(-2)).toBe(0);
});
