// The landing page, the documents and the reference in a browser.
import type { Browser, Locator, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { contract } from "../../../generated/contract.ts";
import { accessibilityFaults, pageForAxe } from "../../test/axe.ts";
import { inChromium } from "../../test/chromium.ts";
import { start } from "../../test/running-service.ts";

const { operations } = contract;

async function openAllOperations(page: Page): Promise<void> {
  await page.locator(".opblock").first().waitFor();
  for (const operation of await page.locator(".opblock-summary-control").all())
    await operation.click();
  const open = page.locator(".opblock.is-open");
  await open.nth(Object.keys(operations).length - 1).waitFor();
}

/** The reference page of a service, each operation open, and all that it loads and reports. */
async function openReference(browser: Browser) {
  const { service, key } = await start();
  const page = await browser.newPage();
  const [hosts, faults] = [new Set<string>(), [] as string[]];
  page.on("request", (request) => {
    if (!request.url().startsWith("data:")) hosts.add(new URL(request.url()).origin);
  });
  page.on("pageerror", ({ message }) => faults.push(message));
  // Chromium reports each rejection itself; what is rejected is asserted.
  page.on("console", (message) => {
    if (message.type() === "error" && !/status of (401|422)/.test(message.text()))
      faults.push(message.text());
  });
  await page.goto(`${service.url}/reference`);
  await openAllOperations(page);
  return { page, hosts, faults, key, url: service.url };
}

/** Fills the one dialog for key and platform. */
async function authorize(page: Page, key: string): Promise<void> {
  await page.getByRole("button", { name: "Authorize" }).click();
  const form = page.locator(".modal-ux form");
  const fields = await form.locator("input").evaluateAll((inputs) =>
    // Proof: only inputs match.
    (inputs as unknown as { type: string; value: string }[]).map(({ type, value }) => [
      type,
      value,
    ]),
  );
  expect(fields).toEqual([
    ["password", ""],
    ["text", "web"],
  ]);
  // The key has the focus.
  await page.keyboard.type(key);
  await form.getByRole("button", { name: "Authorize" }).click();
  await form.getByRole("button", { name: "Logout" }).waitFor();
  await page.getByRole("button", { name: "Close" }).first().click();
  await page.locator(".modal-ux").waitFor({ state: "detached" });
}

/** Sends what the form of an operation holds. */
async function execute(page: Page, operationId: string, body?: string) {
  const block = page.locator(`.opblock[id$="-${operationId}"]`);
  if (body !== undefined) await block.locator("textarea.body-param__text").fill(body);
  const [response] = await Promise.all([
    page.waitForResponse((one) => one.url().includes("/api/")),
    block.locator(".btn.execute").click(),
  ]);
  const status = block.locator(".live-responses-table .response-col_status").last();
  await expect.poll(() => status.innerText()).toBe(String(response.status()));
  return { url: response.url(), status: response.status(), content: await response.json() };
}

describe("the reference page", () => {
  for (const width of [1280, 390])
    inChromium(
      `shows each operation of its deployment, calls it, and nothing else, ${width} pixels wide`,
      async (browser) => {
        const { page, hosts, faults, key, url } = await openReference(browser);
        await page.setViewportSize({ width, height: 900 });
        const headings = await page
          .locator(".opblock-summary-path-description-wrapper")
          .allInnerTexts();
        const shown = headings.map((text) => text.replace(/\s+\/api\/\S*\s+/, ": "));
        const expected = Object.values(operations).map(
          ({ name, summary }) => `${name}: ${summary}`,
        );
        expect(shown.sort()).toEqual(expected.sort());
        const code = (code: string) => ({ content: { code } });
        expect(await execute(page, "userList")).toMatchObject({
          status: 401,
          ...code("credentials-missing"),
        });
        await authorize(page, key);
        const created = await execute(page, "userCreate");
        expect([created.url, created.status]).toEqual([`${url}/api/`, 201]);
        const listed = await execute(page, "userList");
        expect(listed.content.items).toMatchObject([{ name: "Grace Hopper" }]);
        expect(listed.url).toContain(`${url}/api/?%40=user.list`);
        const rejected = await execute(page, "userCreate", '{ "@": "user.create", "data": {} }');
        expect(rejected).toMatchObject({ status: 422, ...code("invalid-input") });
        expect([[...hosts], faults]).toEqual([[url], []]);
      },
    );
});

/** What an operation has, by its rows. */
const rowsOf = (block: Locator) => block.locator(".responses-table .response-col_status");

describe("an operation on the reference page", () => {
  for (const [width, highest] of [
    [1280, 2500],
    [390, 4500],
  ] as const)
    inChromium(`is at most ${highest} pixels high, ${width} pixels wide`, async (browser) => {
      const { service } = await start();
      const page = await browser.newPage({ viewport: { width, height: 900 } });
      await page.goto(`${service.url}/reference`);
      const block = page.locator('.opblock[id$="-userCreate"]');
      await block.locator(".opblock-summary-control").click();
      await block.locator(".others").waitFor();
      const { height = 0 } = (await block.boundingBox()) ?? {};
      expect(height).toBeGreaterThan(500);
      expect(height).toBeLessThanOrEqual(highest);
    });

  inChromium(
    "has its success, its own problems, limits, and all others folded",
    async (browser) => {
      const { service } = await start();
      const page = await browser.newPage();
      await page.goto(`${service.url}/reference`);
      await openAllOperations(page);
      const block = page.locator('.opblock[id$="-userCreate"]');
      expect(await rowsOf(block).allInnerTexts()).toEqual(["Code", "201", "400", "409", "422"]);
      const linked = block.locator('.responses-table a[href*="docs.get.problems#"]');
      expect(await linked.allInnerTexts()).toEqual(operations["user.create"].ownProblems);
      await block.getByText("data.name: required, 1 to 200 characters").waitFor();
      const limit = page.locator('.opblock[id$="-userList"] [data-param-name="limit"]');
      await limit.getByText("integer 1–200, default 50").waitFor();
      const common = block.getByRole("link", { name: "rate-limited" });
      expect(await common.isVisible()).toBe(false);
      await block.getByText("Other problems (16)").click();
      expect(await common.getAttribute("href")).toBe("./api/?@=docs.get.problems#rate-limited");
      const { problems, ownProblems } = operations["user.create"];
      expect(await block.locator(".others a").count()).toBe(problems.length - ownProblems.length);
    },
  );
});

describe("the landing page, documents, and the reference with each operation open", () => {
  // All others have the same style, and axe checks them on the site.
  const documents = ["README", "calling", "reference"].map((name) => `/api/?@=docs.get.${name}`);

  for (const colorScheme of ["light", "dark"] as const)
    inChromium(
      `have no fault that axe finds and fit 1280 and 390 pixels, ${colorScheme}`,
      async (browser) => {
        const { service } = await start();
        const page = await pageForAxe(browser, colorScheme);
        await page.setExtraHTTPHeaders({ Accept: "text/html" });
        const faults: unknown[] = [];
        for (const address of ["/", "/reference", ...documents]) {
          await page.goto(service.url + address);
          if (address === "/reference") {
            await openAllOperations(page);
            for (const folded of await page.locator(".others summary").all()) await folded.click();
          }
          faults.push(...(await accessibilityFaults(page, colorScheme)));
          if (address !== "/reference") continue;
          await page.getByRole("button", { name: "Authorize" }).click();
          await page.locator(".modal-ux form").waitFor();
          faults.push(...(await accessibilityFaults(page, colorScheme)));
        }
        expect(faults).toEqual([]);
      },
    );

  inChromium("have a style and an icon that their policies let be shown", async (browser) => {
    const { service } = await start();
    const page = await browser.newPage({ extraHTTPHeaders: { Accept: "text/html" } });
    for (const address of ["/", "/reference", "/api/?@=docs.get.README"]) {
      await page.goto(service.url + address);
      const load = `(async () => {
        const { href: src } = document.querySelector("link[rel=icon]");
        const icon = Object.assign(new Image(), { src });
        await icon.decode();
        return [icon.naturalWidth, getComputedStyle(document.body).marginTop];
      })()`;
      expect([address, await page.evaluate(load)]).toEqual([address, [32, "0px"]]);
    }
  });
});
