import { existsSync } from "node:fs";
import { type Browser, chromium } from "playwright-core";
import { it, onTestFinished } from "vitest";
import { leaveOut } from "./left-out.ts";
import { BOUND_MS } from "./patience.ts";

const executablePath = process.env.CHROMIUM ?? "/usr/bin/chromium";

/** A test that needs a browser. */
export function inChromium(name: string, test: (browser: Browser) => Promise<void>): void {
  if (!existsSync(executablePath)) {
    leaveOut(name, `no Chromium at ${executablePath}; set CHROMIUM=PATH`);
    return;
  }
  it(name, async () => {
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
