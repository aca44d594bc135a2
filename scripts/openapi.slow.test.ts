// The published contract and documentation as a separate site: it is served from memory, below a
// prefix, and opened in a browser.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join, posix } from "node:path";
import { pathToFileURL } from "node:url";
import type { Browser } from "playwright-core";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { file } from "../conformance/cli/command.test-kit.ts";
import { serve } from "../conformance/proof/kits/server.test-kit.ts";
import { contract } from "../generated/contract.ts";
import type { Operation } from "../spec/protocol/emitter/openapi.ts";
import { publication } from "../src/publication.ts";
import { accessibilityFaults, pageForAxe } from "../src/test/axe.ts";
import { inChromium } from "../src/test/chromium.ts";
import { start } from "../src/test/running-service.ts";
import { main, siteOf } from "./openapi.ts";

const PREFIX = "/published/at/";
const TYPES = {
  html: "text/html",
  js: "text/javascript",
  json: "application/json",
  svg: "image/svg+xml",
};

/**
 * Any web server: files by their names, a media type by their endings, and a page for what is not
 * there.
 */
const publish = (site: ReadonlyMap<string, string | Buffer>): Promise<string> =>
  serve(({ url }, response) => {
    const asked = url.startsWith(PREFIX) ? url.slice(PREFIX.length) || "index.html" : "";
    const name = site.has(asked) ? asked : "404.html";
    const [, type = "text/css"] =
      Object.entries(TYPES).find(([ending]) => name.endsWith(`.${ending}`)) ?? [];
    response.writeHead(name === asked ? 200 : 404, { "Content-Type": type }).end(site.get(name));
  });

async function open(browser: Browser, origin: string, path = PREFIX) {
  const page = await browser.newPage();
  const [hosts, faults] = [new Set<string>(), [] as string[]];
  page.on("request", (request) => hosts.add(new URL(request.url()).origin));
  page.on(
    "response",
    (response) => response.status() < 400 || faults.push(`${response.status()} ${response.url()}`),
  );
  page.on("pageerror", ({ message }) => faults.push(message));
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  await page.goto(origin + path);
  return { page, hosts, faults };
}

describe("npm run openapi", () => {
  const servers = ["https://one.example", "https://two.example/at"] as const;

  it("writes the contract for these deployments, each file with its checksum", () => {
    const folder = dirname(file("SHA256SUMS"));
    const printed: string[] = [];
    const run = (...words: string[]) => main(words, (text) => printed.push(text));
    expect(run(...servers.flatMap((url) => ["--server", `${url}/`]), "--out", folder)).toBe(0);
    expect(
      spawnSync("sha256sum", ["--check", "--quiet", "SHA256SUMS"], { cwd: folder }).status,
    ).toBe(0);
    for (const name of ["openapi.yaml", "openapi.operations.json"])
      expect(parse(readFileSync(join(folder, name), "utf8")).servers).toMatchObject(
        servers.map((url) => ({ url })),
      );
    expect(run("--server", "ftp://x", "--out", "x")).toBe(1);
    expect(run("--server", servers[0], "--out", join(import.meta.filename, "site"))).toBe(1);
    expect(printed.join("")).toMatch(
      /index\.html[\s\S]* not an http[\s\S]*\n(ENOTDIR|EEXIST): .*\n$/,
    );
  });

  const site = siteOf(servers);
  const textOf = (name: string) => String(site.get(name));
  const pages = [...site.keys()]
    .filter((name) => name.endsWith(".html"))
    .map((name) => ({ name, html: textOf(name) }));
  const idsOf = (name: string) =>
    [...textOf(name).matchAll(/ id="([^"]*)"/g)].map(([, id = ""]) => id);

  it("has a page and the Markdown of every document, and lists every file with its sum", () => {
    for (const name of Object.keys(publication.documents))
      for (const file of [`${name}.md`, `${name === "README" ? "index" : name}.html`])
        expect(site.keys()).toContain(file);
    const item = /<li><a href="[^"]+">[^<]+<\/a>(.*?)<br><code>[0-9a-f]{64}<\/code><\/li>/g;
    const items = [...textOf("files.html").matchAll(item)];
    expect(items).toHaveLength(textOf("SHA256SUMS").trim().split("\n").length);
    expect(new Set(items.flatMap(([, purpose]) => purpose || [])).size).toBe(5);
  });

  it.each(pages)(
    "has in $name a policy, no script in the page, and links only to what is there",
    ({ name, html }) => {
      const targets = [...html.matchAll(/ (?:href|src)="([^":]*)"/g)].map(
        ([, target = ""]) => target,
      );
      expect(targets.length).toBeGreaterThan(20);
      const broken = targets.filter((target) => {
        const { pathname, hash } = new URL(target, `https://site.example/${name}`);
        const file = pathname.slice(1);
        return (
          !site.has(file) ||
          (hash !== "" && !idsOf(file).includes(decodeURIComponent(hash.slice(1))))
        );
      });
      expect(broken).toEqual([]);
      const [, policy = ""] =
        /<meta http-equiv="Content-Security-Policy" content="([^"]*)"/.exec(html) ?? [];
      expect(policy).toMatch(/^default-src &#39;none&#39;; script-src &#39;self&#39;; /);
      expect(policy).not.toContain("unsafe");
      expect(html).not.toMatch(/<script(?![^>]* src=)|<[^>]*\son\w+=|@import/);
      expect(html).not.toMatch(/<(?:script|img|link|iframe)[^>]*(?:src|href)="(?:\w+:)?\/\//);
    },
  );

  it("has no two schemas that a generator of clients names alike", () => {
    const { paths, components } = JSON.parse(textOf("openapi.operations.json"));
    const queries = Object.values<{ get?: Operation }>(paths).flatMap(({ get }) => get ?? []);
    const ofParameters = queries.flatMap(({ operationId, parameters }) =>
      parameters.filter(({ schema }) => schema.enum).map(({ name }) => `${operationId}${name}`),
    );
    const spelled = [...Object.keys(components.schemas), ...ofParameters].map((name) =>
      name.replace(/[^A-Za-z0-9]/g, "").toLowerCase(),
    );
    expect(spelled.filter((name, index) => spelled.indexOf(name) < index)).toEqual([]);
  });

  it("links from a Markdown document only to what is there, and holds no placeholder", () => {
    for (const name of site.keys()) {
      if (/\.(md|html|js)$/.test(name))
        expect(textOf(name), name).not.toMatch(/one\.invalid|http:\/\/127\.0\.0\.1:3000\b/);
      const text = name.endsWith(".md") ? textOf(name).replace(/^```.*?^```$/gms, "") : "";
      const links = [...text.matchAll(/\]\(([^)#:]+)[)#]/g)].map(([, target = ""]) =>
        posix.normalize(target),
      );
      for (const target of links) expect(site.has(target), `${name}: ${target}`).toBe(true);
    }
  });

  inChromium(
    "is read and tried in a browser, and loads nothing from elsewhere",
    async (browser) => {
      const { service } = await start({ SHUTDOWN_GRACE_MS: "1" });
      const origin = await publish(siteOf([service.url]));
      const { page, hosts, faults } = await open(browser, origin);
      await page.getByRole("link", { name: "Try it" }).click();
      await page.locator(".opblock").first().waitFor();
      expect(await page.locator(".opblock").count()).toBe(Object.keys(contract.operations).length);
      expect([[...hosts], faults]).toEqual([[origin], []]);
      const block = page.locator('.opblock[id$="-sysinfo"]');
      await block.locator(".opblock-summary-control").click();
      const [answer] = await Promise.all([
        page.waitForResponse((response) => response.url().startsWith(`${service.url}/api/?`)),
        block.locator(".btn.execute").click(),
      ]);
      expect(await answer.json()).toMatchObject({ status: "Operational" });
      expect([[...hosts], faults]).toEqual([[origin, service.url], []]);
      await page.getByRole("searchbox").fill("idempotency");
      await page.locator(".results a").first().click();
      await page.waitForURL(/\.html#/);
      expect(faults).toEqual([]);
    },
  );

  inChromium("is searched without a server, and its code is copied", async (browser) => {
    const folder = dirname(file("SHA256SUMS"));
    main(["--server", servers[0], "--out", folder], () => {});
    const { page, faults } = await open(
      browser,
      pathToFileURL(join(folder, "index.html")).href,
      "",
    );
    await page.context().grantPermissions(["clipboard-read", "clipboard-write"]);
    await page.keyboard.press("/");
    await page.keyboard.type("idempotent-replayed");
    const results = page.locator(".results a");
    await results.first().waitFor();
    expect(await results.allInnerTexts()).toContainEqual(
      expect.stringMatching(/^Calling the API: Idempotency keys\n/),
    );
    await results.filter({ hasText: "Idempotency keys" }).first().click();
    await page.waitForURL(/calling\.html#idempotency-keys$/);
    const code = page.locator("main pre").first();
    await page.locator(".copy").first().click();
    await page.locator(".copy", { hasText: "Copied" }).waitFor();
    expect(await page.evaluate("navigator.clipboard.readText()")).toBe(await code.textContent());
    const [button, text] = await Promise.all(
      [page.locator(".copy").first(), code.locator("code")].map((one) => one.boundingBox()),
    );
    expect((button?.y ?? 0) + (button?.height ?? 0)).toBeLessThanOrEqual(text?.y ?? 0);
    await page.locator("[type=search]").fill("no such word anywhere");
    await page.getByRole("status").filter({ hasText: "No results" }).waitFor();
    expect(faults).toEqual([]);
  });

  inChromium("finds back from an unknown page", async (browser) => {
    const { page } = await open(browser, await publish(site), `${PREFIX}no-such.html`);
    expect(await page.locator("h1").innerText()).toBe("There is no such page");
    await page.locator("main a").click();
    expect(await page.locator("h1").innerText()).toBe("Atpoint");
  });

  inChromium("unfolds its navigation on a narrow window without a script", async (browser) => {
    const origin = await publish(site);
    const page = await (await browser.newContext({ javaScriptEnabled: false })).newPage();
    await page.goto(`${origin}${PREFIX}keys.html`);
    const link = page
      .getByRole("navigation", { name: "Documents" })
      .getByRole("link", { name: "Calling the API" });
    expect(await link.isVisible()).toBe(true);
    await page.setViewportSize({ width: 390, height: 900 });
    expect(await link.isVisible()).toBe(false);
    await page.locator("summary", { hasText: "Documents" }).click();
    await link.click();
    expect(page.url()).toBe(`${origin}${PREFIX}calling.html`);
  });

  inChromium("breaks no word of a table on a phone, and scrolls what is wide", async (browser) => {
    const origin = await publish(site);
    const { page } = await open(browser, origin, `${PREFIX}reference.html`);
    await page.setViewportSize({ width: 390, height: 900 });
    // The lines of a name in the first column of the tables of inputs.
    const lines = `[...document.querySelectorAll("td:first-child code")].map((code) =>
      code.getClientRects().length)`;
    expect(new Set(await page.evaluate<number[]>(lines))).toEqual(new Set([1]));
    const wide = `[...document.querySelectorAll("main [tabindex]")].filter((one) =>
      one.scrollWidth > one.clientWidth && getComputedStyle(one).overflowX === "auto" &&
      getComputedStyle(one, "::-webkit-scrollbar").height !== "auto").length`;
    expect(await page.evaluate<number>(wide)).toBeGreaterThan(0);
    await page.goto(`${origin}${PREFIX}index.html`);
    const picture = page.locator("main p[tabindex]", { has: page.locator("img") });
    expect(await picture.evaluate((one) => one.scrollWidth > one.clientWidth)).toBe(true);
  });

  for (const colorScheme of ["light", "dark"] as const)
    inChromium(
      `has no fault that axe finds and fits 1280 and 390 pixels, ${colorScheme}`,
      async (browser) => {
        const origin = await publish(site);
        const page = await pageForAxe(browser, colorScheme);
        const faults: unknown[] = [];
        // What is dark differs in its colours, which all pages share.
        const shown = pages.filter(({ html }) => html.includes("site.js"));
        for (const { name } of colorScheme === "light" ? shown : shown.slice(0, 3)) {
          await page.goto(`${origin}${PREFIX}${name}`);
          faults.push(...(await accessibilityFaults(page, colorScheme)));
        }
        await page.locator("[type=search]").fill("key");
        await page.locator(".results a").first().waitFor();
        expect([...faults, ...(await accessibilityFaults(page, colorScheme))]).toEqual([]);
      },
    );
});
