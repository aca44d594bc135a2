// The HTML report in a real browser, as a person uses it, on a desktop and on a phone.
import axe from "axe-core";
import type { Browser, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { inChromium } from "../../src/test/chromium.ts";
import { toHtml } from "./html.ts";
import { sample } from "./sample.test-kit.ts";

const page = toHtml(sample);
const { requirements } = sample;

describe("the HTML report", () => {
  /** The page, and the errors that the browser reports. */
  async function open(browser: Browser, width: number, colorScheme: "light" | "dark") {
    // The tool of the test is injected into the page, which forbids every script but its own.
    const context = await browser.newContext({
      viewport: { width, height: 900 },
      colorScheme,
      bypassCSP: true,
    });
    const parsed: Page = await context.newPage();
    const faults: string[] = [];
    parsed
      .on("console", (message) => faults.push(message.text()))
      .on("pageerror", (error) => faults.push(error.message));
    parsed.on(
      "request",
      (request) => request.url().startsWith("data:") || faults.push(request.url()),
    );
    await parsed.setContent(page);
    return { parsed, faults };
  }

  inChromium("is quiet, accessible and no wider than the screen", async (browser) => {
    for (const width of [1280, 390])
      for (const scheme of ["light", "dark"] as const) {
        const { parsed, faults } = await open(browser, width, scheme);
        await parsed.evaluate(
          "for (const details of document.querySelectorAll('details')) details.open = true",
        );
        expect(await parsed.evaluate("document.documentElement.scrollWidth")).toBe(width);
        await parsed.evaluate(axe.source);
        const violations = await parsed.evaluate(
          "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + " +
            "nodes[0].html))",
        );
        expect([width, scheme, violations, faults]).toEqual([width, scheme, [], []]);
        await parsed.context().close();
      }
  });

  inChromium("is searched and filtered, and a link opens what it names", async (browser) => {
    const { parsed, faults } = await open(browser, 1280, "light");
    const shown = () => parsed.locator(".requirement:visible").count();
    const all = requirements.length;
    expect(await shown()).toBe(all);
    await parsed.getByLabel("Outcome").selectOption({ label: "skipped" });
    const left = requirements.filter(({ outcome }) => outcome === "not selected");
    expect(await shown()).toBe(left.length);
    await parsed.getByLabel("Origin").selectOption("given");
    const given = left.filter(({ origin }) => origin === "given").length;
    expect(await shown()).toBe(given);
    const said = await parsed.locator("output").textContent();
    expect(said).toBe(`${given} of ${all} requirements`);
    await parsed.getByLabel("Search").fill("no such words anywhere");
    expect([await shown(), await parsed.locator(".clause:visible").count()]).toEqual([0, 0]);
    const link = parsed.locator("article a").first();
    await link.click();
    // The page follows its address, which changes behind the click.
    await parsed.locator(".requirement[open]").waitFor();
    expect(await shown()).toBe(all);
    const opened = await parsed.locator(".requirement[open]").getAttribute("id");
    expect(opened).toBe(await link.textContent());
    expect(faults).toEqual([]);
  });

  inChromium(
    "runs its own script under its own policy, and no other; without any it is complete",
    async (browser) => {
      const parsed = await browser.newPage();
      await parsed.setContent(
        page.replace("</main>", "<script>document.title = 'foreign'</script></main>"),
      );
      expect(await parsed.locator("form").isVisible()).toBe(true);
      expect(await parsed.title()).toContain("Conformance of");
      const context = await browser.newContext({ javaScriptEnabled: false });
      const plain = await context.newPage();
      await plain.setContent(page);
      expect(await plain.locator(".requirement:visible").count()).toBe(requirements.length);
      expect(await plain.locator("form").isVisible()).toBe(false);
      await context.close();
    },
  );
});
