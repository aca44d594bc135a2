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
    const view: Page = await context.newPage();
    const faults: string[] = [];
    view
      .on("console", (message) => faults.push(message.text()))
      .on("pageerror", (error) => faults.push(error.message));
    view.on(
      "request",
      (request) => request.url().startsWith("data:") || faults.push(request.url()),
    );
    await view.setContent(page);
    return { view, faults };
  }

  inChromium("is quiet, accessible and no wider than the screen", async (browser) => {
    for (const width of [1280, 390])
      for (const scheme of ["light", "dark"] as const) {
        const { view, faults } = await open(browser, width, scheme);
        await view.evaluate(
          "for (const one of document.querySelectorAll('details')) one.open = true",
        );
        expect(await view.evaluate("document.documentElement.scrollWidth")).toBe(width);
        await view.evaluate(axe.source);
        const found = await view.evaluate(
          "axe.run().then(({ violations }) => violations.map(({ id, nodes }) => id + ' ' + nodes[0].html))",
        );
        expect([width, scheme, found, faults]).toEqual([width, scheme, [], []]);
        await view.context().close();
      }
  });

  inChromium("is searched and filtered, and a link opens what it names", async (browser) => {
    const { view, faults } = await open(browser, 1280, "light");
    const shown = () => view.locator(".requirement:visible").count();
    const counted = (test: (one: (typeof requirements)[number]) => boolean) =>
      requirements.filter(test).length;
    expect(await shown()).toBe(requirements.length);
    await view.getByLabel("Outcome").selectOption("not selected");
    expect(await shown()).toBe(counted(({ outcome }) => outcome === "not selected"));
    await view.getByLabel("Origin").selectOption("given");
    const given = counted(
      ({ outcome, origin }) => outcome === "not selected" && origin === "given",
    );
    expect(await shown()).toBe(given);
    expect(await view.locator("output").textContent()).toBe(
      `${given} of ${requirements.length} requirements`,
    );
    await view.getByLabel("Search").fill("no such words anywhere");
    expect([await shown(), await view.locator(".clause:visible").count()]).toEqual([0, 0]);
    const link = view.locator("article a").first();
    await link.click();
    expect(await shown()).toBe(requirements.length);
    expect(await view.locator(".requirement[open]").getAttribute("id")).toBe(
      await link.textContent(),
    );
    expect(faults).toEqual([]);
  });

  inChromium(
    "runs its own script under its own policy, and no other; without any it is complete",
    async (browser) => {
      const view = await browser.newPage();
      await view.setContent(
        page.replace("</main>", "<script>document.title = 'foreign'</script></main>"),
      );
      expect(await view.locator("form").isVisible()).toBe(true);
      expect(await view.title()).toContain("Conformance of");
      const context = await browser.newContext({ javaScriptEnabled: false });
      const plain = await context.newPage();
      await plain.setContent(page);
      expect(await plain.locator(".requirement:visible").count()).toBe(requirements.length);
      expect(await plain.locator("form").isVisible()).toBe(false);
      await context.close();
    },
  );
});
