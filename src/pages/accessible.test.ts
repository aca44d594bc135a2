import axe, { type AxeResults } from "axe-core";
import type { Page } from "playwright-core";
import { describe, expect } from "vitest";
import { operations } from "../../generated/operations.ts";
import { DOCUMENT_NAMES } from "../docs/files.ts";
import { inChromium } from "../test/chromium.ts";
import { start } from "../test/running-service.ts";

/** Rules that colours and widths decide. */
const DRAWN = ["color-contrast", "scrollable-region-focusable", "link-in-text-block"];

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
      // What axe itself runs in the page, the policy of the page would forbid.
      const page = await (await browser.newContext({ bypassCSP: true, colorScheme })).newPage();
      await page.setExtraHTTPHeaders({ Accept: "text/html" });
      const addresses = ["/", "/reference", ...DOCUMENT_NAMES.map((name) => `/api/?@=docs.get.${name}`)];
      const faults: unknown[] = [];
      for (const address of addresses) {
        await page.goto(service.url + address);
        if (address === "/reference") await openAll(page);
        await page.evaluate(axe.source);
        for (const width of [1280, 390]) {
          await page.setViewportSize({ width, height: 900 });
          // The same page in the dark, or narrow: by all rules once, then by those of what is drawn.
          const rules = colorScheme === "light" && width === 1280 ? {} : { runOnly: DRAWN };
          const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(rules)})`)) as AxeResults; // what axe.run resolves with
          faults.push(...violations.map(({ id, nodes }) => [address, width, id, nodes[0]?.html]));
          const wide = await page.evaluate("document.documentElement.scrollWidth");
          if (wide !== width) faults.push([address, `is ${wide} wide, not ${width}`]);
        }
      }
      expect(faults).toEqual([]);
    });
});
