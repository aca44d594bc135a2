import axe, { type AxeResults } from "axe-core";
import type { Browser, Page } from "playwright-core";

/** Rules that colours and widths decide. */
const DRAWN = ["color-contrast", "scrollable-region-focusable", "link-in-text-block"];

type ColorScheme = "light" | "dark";

/** A page in which axe can run, which the policy of our pages forbids. */
export const pageForAxe = async (browser: Browser, colorScheme: ColorScheme): Promise<Page> =>
  (await browser.newContext({ bypassCSP: true, colorScheme })).newPage();

/**
 * What axe finds on the open page at 1280 and 390 pixels, and whether it is wider than the window.
 */
export async function accessibilityFaults(
  page: Page,
  colorScheme: ColorScheme,
): Promise<unknown[]> {
  const faults: unknown[] = [];
  const address = page.url();
  await page.evaluate(axe.source);
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 900 });
    // The same page in the dark, or narrow: by all rules once, then by those of what is drawn.
    const rules = colorScheme === "light" && width === 1280 ? {} : { runOnly: DRAWN };
    // Proof: this is what axe.run resolves with.
    const { violations } = (await page.evaluate(`axe.run(${JSON.stringify(rules)})`)) as AxeResults;
    faults.push(...violations.map(({ id, nodes }) => [address, width, id, nodes[0]?.html]));
    const wide = await page.evaluate("document.documentElement.scrollWidth");
    if (wide !== width) faults.push([address, `is ${wide} wide, not ${width}`]);
  }
  return faults;
}
