import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { operations } from "../../generated/operations.ts";
import { publication } from "../publication.ts";
import { accessibilityFaults, pageForAxe } from "../test/axe.ts";
import { inChromium } from "../test/chromium.ts";
import { start } from "../test/running-service.ts";

async function openAll(page: Page): Promise<void> {
  await page.locator(".opblock").first().waitFor();
  for (const operation of await page.locator(".opblock-summary-control").all()) await operation.click();
  await page
    .locator(".opblock.is-open")
    .nth(Object.keys(operations).length - 1)
    .waitFor();
}

describe("the landing page, every document, and the reference with each operation open", () => {
  for (const colorScheme of ["light", "dark"] as const)
    inChromium(`have no fault that axe finds and fit 1280 and 390 pixels, ${colorScheme}`, async (browser) => {
      const { service } = await start({ SHUTDOWN_GRACE_MS: "1" });
      const page = await pageForAxe(browser, colorScheme);
      await page.setExtraHTTPHeaders({ Accept: "text/html" });
      const faults: unknown[] = [];
      for (const address of [
        "/",
        "/reference",
        ...Object.keys(publication.documents).map((name) => `/api/?@=docs.get.${name}`),
      ]) {
        await page.goto(service.url + address);
        if (address === "/reference") await openAll(page);
        faults.push(...(await accessibilityFaults(page, colorScheme)));
      }
      expect(faults).toEqual([]);
    });
});
