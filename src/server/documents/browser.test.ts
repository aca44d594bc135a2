// The landing page, the documents and the reference in a browser.
import type { Browser, Page } from "playwright-core";
import { describe, expect } from "vitest";
import { contract } from "../../../generated/contract.ts";
import { accessibilityFaults, pageForAxe } from "../../test/axe.ts";
import { inChromium } from "../../test/chromium.ts";
import { start } from "../../test/running-service.ts";
import type { Operation } from "../contract.ts";

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
  for (const [scheme, value] of Object.entries({ KeyInHeader: key, PlatformInHeader: "web" })) {
    const form = page.locator(".modal-ux form", { hasText: scheme });
    await form.locator("input").fill(value);
    await form.getByRole("button", { name: "Authorize" }).click();
    await form.getByRole("button", { name: "Logout" }).waitFor();
  }
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

/** How each operation that can be called by its example, which names no record of a new database, is called, and its success. */
const CALLS = Object.values<Operation>(operations).flatMap(
  ({ id, name, method, example, answers, exampleFrom }) => {
    const operationId = id.replace(/\.(\w)/g, (_, letter: string) => letter.toUpperCase());
    const called = name.replace(/\{(\w+)\}/g, (_, part: string) => String(example[part]));
    const query = method === "POST" ? "" : `?${encodeURIComponent("@")}=${called}`;
    return Object.keys(exampleFrom).length > 0
      ? []
      : [{ operationId, query, status: answers[0]?.status }];
  },
);

describe("the reference page", () => {
  for (const width of [1280, 390])
    inChromium(
      `shows and calls each operation of its deployment, and nothing else, ${width} pixels wide`,
      async (browser) => {
        const { page, hosts, faults, key, url } = await openReference(browser);
        await page.setViewportSize({ width, height: 900 });
        const summaries = await page.locator(".opblock-summary-description").allTextContents();
        const expected = Object.values(operations).map(
          ({ name, summary }) => `${name}: ${summary}`,
        );
        expect(summaries.sort()).toEqual(expected.sort());
        const code = (code: string) => ({ content: { code } });
        expect(await execute(page, "userList")).toMatchObject({
          status: 401,
          ...code("credentials-missing"),
        });
        await authorize(page, key);
        for (const { operationId, query, status } of CALLS) {
          const sent = await execute(page, operationId);
          expect([operationId, sent.status]).toEqual([operationId, status]);
          expect(sent.url.startsWith(`${url}/api/${query}`)).toBe(true);
        }
        expect((await execute(page, "userList")).content.items).toMatchObject([
          { name: "Grace Hopper" },
        ]);
        const rejected = await execute(page, "userCreate", '{ "@": "user.create", "data": {} }');
        expect(rejected).toMatchObject({ status: 422, ...code("invalid-input") });
        expect([[...hosts], faults]).toEqual([[url], []]);
      },
    );

  inChromium(
    "takes the colours of the system, and keeps the key in its memory",
    async (browser) => {
      const { page, key, faults, url } = await openReference(browser);
      await authorize(page, key);
      const kept = () =>
        page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])");
      expect(await kept()).not.toContain(key);
      await page.goto(`${url}/reference`);
      await openAllOperations(page);
      expect(await execute(page, "userList")).toMatchObject({ status: 401 });
      const colours = () =>
        page.evaluate("getComputedStyle(document.querySelector('.swagger-ui')).color");
      for (const [colorScheme, ink] of [
        ["light", "rgb(59, 65, 81)"],
        ["dark", "rgb(228, 230, 230)"],
      ] as const) {
        await page.emulateMedia({ colorScheme });
        await expect.poll(colours).toBe(ink);
      }
      expect(faults).toEqual([]);
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
          if (address === "/reference") await openAllOperations(page);
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
        const icon = Object.assign(new Image(), { src: document.querySelector("link[rel=icon]").href });
        await icon.decode();
        return [icon.naturalWidth, getComputedStyle(document.body).marginTop];
      })()`;
      expect([address, await page.evaluate(load)]).toEqual([address, [32, "0px"]]);
    }
  });
});
