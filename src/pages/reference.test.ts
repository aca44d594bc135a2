import { execFile, spawnSync } from "node:child_process";
import { cp, mkdtemp, rm, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { promisify } from "node:util";
import type { Browser, Locator, Page } from "playwright-core";
import { describe, expect, it, onTestFinished } from "vitest";
import { type Operation, operations } from "../../generated/operations.ts";
import { inChromium } from "../test/chromium.ts";
import { start } from "../test/running-service.ts";

/** The page of a service, and all that it asks for and says. */
async function open(browser: Browser) {
  const { service, key } = await start({ SHUTDOWN_GRACE_MS: "1" });
  const page = await browser.newPage();
  const [hosts, faults] = [new Set<string>(), [] as string[]];
  page.on("request", (request) => {
    if (!request.url().startsWith("data:")) hosts.add(new URL(request.url()).origin);
  });
  page.on("pageerror", ({ message }) => faults.push(message));
  // Chromium itself says so of each refusal; what is refused is asserted.
  page.on("console", (message) => {
    if (message.type() === "error" && !/status of (401|422)/.test(message.text())) faults.push(message.text());
  });
  await page.goto(`${service.url}/reference`);
  await page.locator(".opblock").first().waitFor();
  return { page, hosts, faults, key, url: service.url };
}

const authorize = (page: Page, key: string): Promise<void> => page.getByLabel("Key X-API-KEY").fill(key);

async function opened(page: Page, operationId: string): Promise<Locator> {
  const block = page.locator(`.opblock[id$="-${operationId}"]`);
  if (!(await block.getAttribute("class"))?.includes("is-open"))
    await block.locator(".opblock-summary-control").click();
  return block;
}

/** Sends what the form of an operation holds. */
async function tried(page: Page, operationId: string, body?: string) {
  const block = await opened(page, operationId);
  if (body !== undefined) await block.locator("textarea.body-param__text").fill(body);
  const [response] = await Promise.all([
    page.waitForResponse((one) => one.url().includes("/api/")),
    block.locator(".btn.execute").click(),
  ]);
  const status = block.locator(".live-responses-table .response-col_status").last();
  await expect.poll(() => status.innerText()).toBe(String(response.status()));
  return { url: response.url(), status: response.status(), answer: await response.json() };
}

/** How each that can be called by its example, which names no record of a new database, is called, and its success. */
const CALLS = Object.values<Operation>(operations).flatMap(({ id, name, method, example, answers, exampleFrom }) => {
  const operationId = id.replace(/\.(\w)/g, (_, letter: string) => letter.toUpperCase());
  const called = name.replace(/\{(\w+)\}/g, (_, part: string) => String(example[part]));
  const query = method === "POST" ? "" : `?${encodeURIComponent("@")}=${called}`;
  return Object.keys(exampleFrom).length > 0 ? [] : [{ operationId, query, status: answers[0]?.status }];
});

/** A name with what has a meaning to a shell or in a string. */
const nameOf = (language: string) => `O'Hara "${language}" $HOME \\n`;

/** By language, what runs a text of the page. */
async function programs(env: Readonly<Record<string, string>>) {
  const client = resolve(import.meta.dirname, "../client");
  const folder = await mkdtemp(join(tmpdir(), "atpoint-snippets-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const run = async (command: string, ...words: string[]) => {
    const own = { NO_PROXY: "127.0.0.1", PYTHONPATH: client, PYTHONDONTWRITEBYTECODE: "1", GOFLAGS: "-mod=mod" };
    const { stdout } = await promisify(execFile)(command, words, {
      cwd: folder,
      env: { ...process.env, ...own, ...env },
    });
    return stdout;
  };
  const written = async (name: string, text: string) => {
    await writeFile(join(folder, name), text);
    return join(folder, name);
  };
  const has = (command: string) => spawnSync("sh", ["-c", `command -v ${command}`]).status === 0;
  await written("go.mod", "module try\n\ngo 1.19\n");
  await cp(join(client, "atpoint.go"), join(folder, "atpoint/atpoint.go"));
  return {
    curl: (text: string) => run("sh", "-c", text.replace("curl", "curl -s")),
    TypeScript: async (text: string) => {
      const own = text.replace('"atpoint/client"', JSON.stringify(join(client, "client.ts")));
      return run(process.execPath, "--import", import.meta.resolve("tsx"), await written("call.mts", own));
    },
    ...(has("python3") && { Python: async (text: string) => run("python3", await written("call.py", text)) }),
    ...(has("go") && {
      Go: async (text: string) => {
        const imports = ["context", "fmt", ...(text.includes("os.") ? ["os"] : []), "try/atpoint"];
        const top = imports.map((name) => `import ${JSON.stringify(name)}\n`).join("");
        return run("go", "run", await written("main.go", `package main\n${top}func main() {\n${text}\n}\n`));
      },
    }),
  };
}

describe("the reference page", () => {
  inChromium("shows and calls each operation of its deployment, and nothing else", async (browser) => {
    const { page, hosts, faults, key, url } = await open(browser);
    const names = await page.locator(".opblock-summary-path").allInnerTexts();
    expect(names.sort()).toEqual(
      Object.values(operations)
        .map(({ name }) => name)
        .sort(),
    );
    expect(await tried(page, "userList")).toMatchObject({ status: 401, answer: { code: "credentials-missing" } });
    await authorize(page, key);
    for (const { operationId, query, status } of CALLS) {
      const sent = await tried(page, operationId);
      expect([operationId, sent.status]).toEqual([operationId, status]);
      expect(sent.url.startsWith(`${url}/api/${query}`)).toBe(true);
    }
    expect((await tried(page, "userList")).answer.items).toMatchObject([{ name: "Grace Hopper" }]);
    const refused = await tried(page, "userCreate", '{ "@": "user.create", "data": {} }');
    expect(refused).toMatchObject({ status: 422, answer: { code: "invalid-input" } });
    expect([[...hosts], faults]).toEqual([[url], []]);
  });

  inChromium("takes the colours of the system, and keeps the key in its memory", async (browser) => {
    const { page, key, faults } = await open(browser);
    await authorize(page, key);
    const kept = () => page.evaluate("JSON.stringify([localStorage, sessionStorage, document.cookie])");
    expect(await kept()).not.toContain(key);
    await page.reload();
    await page.locator(".opblock").first().waitFor();
    expect(await tried(page, "userList")).toMatchObject({ status: 401 });
    const colours = () => page.evaluate("getComputedStyle(document.querySelector('.opblock')).backgroundColor");
    for (const [colorScheme, paper] of [
      ["light", "rgb(255, 255, 255)"],
      ["dark", "rgb(18, 21, 27)"],
    ] as const) {
      await page.emulateMedia({ colorScheme });
      await expect.poll(colours).toBe(paper);
    }
    expect(faults).toEqual([]);
  });

  inChromium("has one form for key and platform, and a line for each problem", async (browser) => {
    const { page } = await open(browser);
    expect(await page.locator("form").count()).toBe(1);
    expect(await page.getByLabel("Platform X-PLATFORM").inputValue()).toBe("web");
    // By keyboard: the first stop below the navigation is the key, and the focus is nowhere else at first.
    expect(await page.evaluate("document.activeElement === document.body")).toBe(true);
    await page.locator("a:not(#reference *)").last().focus();
    await page.keyboard.press("Tab");
    expect(await page.evaluate("document.activeElement.name")).toBe("KeyInHeader");
    const block = page.locator('.opblock[id$="-userCreate"]');
    await block.locator(".opblock-summary-control").focus();
    await page.keyboard.press("Enter");
    const lines = block.locator(".problems summary");
    await lines.first().waitFor();
    const { problems } = operations["user.create"];
    expect(await lines.count()).toBe(problems.length + 1);
    const highest = "Math.max(...[...document.querySelectorAll('.problems summary')].map((line) => line.offsetHeight))";
    expect(await page.evaluate(highest)).toBeLessThan(40);
    await lines.filter({ hasText: "email-taken" }).focus();
    await page.keyboard.press("Enter");
    const link = block.getByRole("link", { name: "What to do about email-taken" });
    expect(await link.getAttribute("href")).toMatch(/#email-taken$/);
  });

  inChromium("shows each call as code, which does the same", async (browser) => {
    const { page, key, url } = await open(browser);
    const runs = await programs({ API_KEY: key });
    const copied = async (block: Locator, language: string) => {
      await block.locator(".snippets").getByRole("button", { name: language }).click();
      const text = await block.locator(".snippets pre").innerText();
      await block.locator(".snippets").getByRole("button", { name: "Copy" }).click();
      await block.locator(".snippets").getByRole("button", { name: "Copied" }).waitFor();
      expect(text).not.toContain(key);
      return text;
    };
    await authorize(page, key);
    const create = await opened(page, "userCreate");
    const texts = new Map<string, string>();
    for (const language of Object.keys(runs)) {
      const input = { name: nameOf(language), email: `${language}@example.com`.toLowerCase() };
      await create.locator("textarea").fill(JSON.stringify({ "@": "user.create", data: input }));
      await create.getByPlaceholder("Idempotency-Key").fill(`key-${language}`);
      texts.set(input.email, await copied(create, language));
    }
    // The second call has the idempotency key of the first.
    for (const [language, run] of Object.entries(runs))
      for (const _ of ["once", "again"]) {
        const email = `${language}@example.com`.toLowerCase();
        expect([language, await run(texts.get(email) ?? "")]).toEqual([language, expect.stringContaining(email)]);
      }
    const headers = { "X-API-KEY": key, "X-PLATFORM": "web" };
    const { items } = JSON.parse(await (await fetch(`${url}/api/?@=user.list`, { headers })).text());
    expect(items.map(({ name }: { name: string }) => name)).toEqual(Object.keys(runs).map(nameOf));
    const list = await opened(page, "userList");
    await list.getByPlaceholder("limit").fill("1");
    for (const [language, run] of Object.entries(runs))
      expect([language, await run(await copied(list, language))]).toEqual([language, expect.stringContaining("curl@")]);
    const docs = await opened(page, "docsGet");
    await docs.getByLabel("Media Type").selectOption("text/markdown");
    for (const [language, run] of Object.entries(runs)) {
      const text = await copied(docs, language);
      expect([language, text]).toEqual([language, expect.not.stringContaining("API_KEY")]);
      expect([language, await run(text)]).toEqual([language, expect.stringContaining("# Atpoint\n")]);
    }
    await create.locator("textarea").fill("{");
    expect(await create.locator(".snippets pre").innerText()).toContain("not JSON");
  });

  it("lists the operations without scripts too", async () => {
    const { service } = await start({ SHUTDOWN_GRACE_MS: "1" });
    const html = await (await fetch(`${service.url}/reference`)).text();
    for (const { name, summary } of Object.values(operations)) expect(html).toContain(`>${name}</a>: ${summary}</li>`);
  });
});
