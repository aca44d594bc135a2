#!/usr/bin/env node
// In the syntax of any Node.js: an old one cannot parse the rest.
import { existsSync, readFileSync } from "node:fs";

const { engines } = JSON.parse(readFileSync(new URL("package.json", import.meta.url), "utf8"));
const needed = engines.node.replace(">=", "");
const [major, minor] = process.versions.node.split(".").map(Number);
const [leastMajor, leastMinor] = needed.split(".").map(Number);
const source = new URL("cli/bin.ts", import.meta.url);
if (major < leastMajor || (major === leastMajor && minor < leastMinor)) {
  console.error(`Node.js ${needed} or newer is needed; this is ${process.versions.node}.`);
  process.exitCode = 2;
} else if (existsSync(source)) {
  await import("tsx");
  await import(source.href);
} else await import("./dist/bin.js");
