import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { describe, it, onTestFinished } from "vitest";
import { BOUND_MS } from "./patience.ts";

const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";
const leftOut = `Chromium is LEFT OUT: there is none at ${executablePath}; set CHROMIUM=PATH`;

/**
 * A test that needs a browser; without one the report says that it was left out, and nothing reads
 * as passed.
 */
export function inChromium(name: string, test: (browser: Browser) => Promise<void>): void {
  const there = existsSync(executablePath);
  if (!there) {
    console.warn(leftOut);
    describe(leftOut, () => it.todo(name));
  }
  it.runIf(there)(name, async () => {
    const browser = await chromium.launch({
      executablePath,
      args: ["--no-sandbox"],
      timeout: BOUND_MS,
    });
    browser.on("context", (context) => context.setDefaultTimeout(BOUND_MS));
    onTestFinished(() => browser.close());
    await test(browser);
  });
}
