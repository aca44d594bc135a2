// The published contract as a separate site: it is served from memory, below a prefix, and opened in a browser.
import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import type { Browser } from "playwright-core";
import { describe, expect, it } from "vitest";
import { parse } from "yaml";
import { file } from "../conformance/test/command.test-kit.ts";
import { serve } from "../conformance/test/server.test-kit.ts";
import { operations } from "../generated/operations.ts";
import { inChromium } from "../src/test/chromium.ts";
import { start } from "../src/test/running-service.ts";
import { main, siteOf } from "./openapi.ts";

const PREFIX = "/published/at/";
const TYPES = { html: "text/html", css: "text/css", js: "text/javascript", json: "application/json" };

/** Any web server: files by their names, and a media type by their endings. */
const publish = (site: ReadonlyMap<string, string | Buffer>): Promise<string> =>
  serve(({ url }, response) => {
    const name = url.slice(PREFIX.length) || "index.html";
    const content = url.startsWith(PREFIX) ? site.get(name) : undefined;
    const type = Object.entries(TYPES).find(([ending]) => name.endsWith(`.${ending}`))?.[1] ?? "text/plain";
    response.writeHead(content === undefined ? 404 : 200, { "Content-Type": type }).end(content);
  });

async function open(browser: Browser, origin: string) {
  const page = await browser.newPage();
  const [hosts, faults] = [new Set<string>(), [] as string[]];
  page.on("request", (request) => hosts.add(new URL(request.url()).origin));
  page.on("response", (response) => response.status() < 400 || faults.push(`${response.status()} ${response.url()}`));
  page.on("pageerror", ({ message }) => faults.push(message));
  page.on("console", (message) => message.type() === "error" && faults.push(message.text()));
  await page.goto(origin + PREFIX);
  return { page, hosts, faults };
}

describe("npm run openapi", () => {
  const servers = ["https://one.example", "https://two.example/at"] as const;

  it("writes the contract for these deployments, each file with its sum", () => {
    const folder = dirname(file("SHA256SUMS"));
    const said: string[] = [];
    const words = [...servers.flatMap((url) => ["--server", `${url}/`]), "--out", folder];
    expect(main(words, (text) => said.push(text))).toBe(0);
    expect(said.join()).toContain("index.html");
    expect(spawnSync("sha256sum", ["--check", "--quiet", "SHA256SUMS"], { cwd: folder }).status).toBe(0);
    for (const name of ["openapi.yaml", "openapi.operations.json"])
      expect(parse(readFileSync(join(folder, name), "utf8")).servers.map(({ url }: { url: string }) => url)).toEqual(
        servers,
      );
  });

  it("says what is wrong with its words", () => {
    const said: string[] = [];
    const print = (text: string) => said.push(text);
    expect([main(["--out", "x"], print), main(["--server", "ftp://x", "--out", "x"], print)]).toEqual([1, 1]);
    const beneath = join(import.meta.filename, "site");
    expect(main(["--server", servers[0] ?? "", "--out", beneath], print)).toBe(1);
    expect(said.join("")).toMatch(/'--server <url>' not specified[\s\S]*not an http[\s\S]*\n(ENOTDIR|EEXIST): .*\n$/);
  });

  it("leads by every link of a document to what is there, and holds no placeholder", () => {
    const site = siteOf(servers);
    for (const [name, content] of site) {
      if (!/\.(md|html)$/.test(name)) continue;
      const links = [...String(content).matchAll(/\]\(([^)#?:]+)[)#]|(?:href|src)="([^":#]+)[#"]/g)];
      const missing = links
        .map(([, markdown, html]) => (markdown ?? html ?? "").replace(/^\.\//, ""))
        .filter((file) => !site.has(file));
      expect(missing, name).toEqual([]);
      expect(String(content)).not.toContain("one.invalid");
    }
  });

  inChromium("is read and tried in a browser, and loads nothing from elsewhere", async (browser) => {
    const { service } = await start({ SHUTDOWN_GRACE_MS: "1" });
    const origin = await publish(siteOf([service.url]));
    const { page, hosts, faults } = await open(browser, origin);
    expect(await page.locator("tbody tr").count()).toBe(14);
    await page.locator("tbody a", { hasText: "reference.html" }).click();
    await page.locator(".opblock").first().waitFor();
    expect(await page.locator(".opblock").count()).toBe(Object.keys(operations).length);
    expect([[...hosts], faults]).toEqual([[origin], []]);
    const block = page.locator('.opblock[id$="-sysinfo"]');
    await block.locator(".opblock-summary-control").click();
    const [answer] = await Promise.all([
      page.waitForResponse((response) => response.url().startsWith(`${service.url}/api/?`)),
      block.locator(".btn.execute").click(),
    ]);
    expect(await answer.json()).toMatchObject({ status: "Operational" });
    expect([[...hosts], faults]).toEqual([[origin, service.url], []]);
  });
});
