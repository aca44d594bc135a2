import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { describe, it, onTestFinished } from "vitest";

const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const leftOut = `Chromium is LEFT OUT: there is none at ${executablePath}; CHROMIUM=… says where it is`;

/** A test that needs a browser; where there is none it is said, and nothing reads as passed. */
export function inChromium(name: string, test: (browser: Browser) => Promise<void>): void {
  const there = existsSync(executablePath);
  if (!there) {
    console.warn(leftOut);
    describe(leftOut, () => it.todo(name));
  }
  it.runIf(there)(name, { timeout: 120_000 }, async () => {
    const browser = await chromium.launch({ executablePath, args: ["--no-sandbox"] });
    onTestFinished(() => browser.close());
    await test(browser);
  });
}
