import path from "node:path";
import type { Tool } from "../tool.ts";

const command = path.resolve(import.meta.dirname, "../../../../conformance/cli/bin.ts");

/** This repository's suite: its command, every check except those that wait for a time-out. One URL, so no comparison of two. */
export const ours: Tool = {
  name: "atpoint-conformance",
  // 4 is its own fault and 5 an unfinished run: neither has found anything.
  red: (exitCode) => exitCode === 1 || exitCode === 3,
  command: async ({ url, service }) => [
    ...["--import", import.meta.resolve("tsx"), command],
    ...["--url", url, "--credentials", service.credentialsFile, "--seed", "1"],
  ],
};
