import { readFile } from "node:fs/promises";
import { gzipSync } from "node:zlib";
import { build } from "esbuild";
import { expect, it } from "vitest";
import { inChromium } from "../test/chromium.ts";
import { start } from "../test/running-service.ts";
import type * as Module from "./client.ts";

/** The client as a browser gets it, as `atpoint`. */
async function bundled(): Promise<string> {
  const entryPoints = [new URL("client.ts", import.meta.url).pathname];
  const format = { format: "iife", globalName: "atpoint", target: "es2022" } as const;
  const { outputFiles } = await build({
    entryPoints,
    bundle: true,
    minify: true,
    write: false,
    ...format,
  });
  return outputFiles[0]?.text ?? "";
}

it("is as small as its guide says, minified and compressed", async () => {
  const guide = await readFile(new URL("../docs/clients.md", import.meta.url), "utf8");
  const stated = Number(/under ([\d.]+) kB minified/.exec(guide)?.[1]) * 1_000;
  const size = gzipSync(await bundled(), { level: 9 }).length;
  expect(size).toBeLessThan(stated);
  expect(size).toBeGreaterThan(stated - 200);
});

declare const atpoint: typeof Module;

inChromium("calls the service from a page of another origin", async (browser) => {
  const { service, key } = await start({ SHUTDOWN_GRACE_MS: "1" });
  const page = await browser.newPage();
  await page.addScriptTag({ content: await bundled() });
  const seen = await page.evaluate(
    async ([baseUrl, apiKey]) => {
      const client = atpoint.createClient({ baseUrl, apiKey, platform: "web" });
      const ada = { name: "Ada Lovelace", email: "ada@example.com" };
      const { name } = await client.call("user.create", ada);
      const listed: string[] = [];
      for await (const { email } of client.walk("user.list", { limit: 1 })) listed.push(email);
      const { code, requestId } = await client.call("user.create", ada).catch((error) => error);
      const { version } = await atpoint.createClient({ baseUrl }).call("sysinfo");
      const elsewhere = atpoint.createClient({ baseUrl: "http://127.0.0.1:1", retries: 0 });
      const { kind } = await elsewhere.call("sysinfo").catch((error) => error);
      return { name, listed, code, requestId, version, kind };
    },
    [service.url, key] as const,
  );
  expect(seen).toEqual({
    name: "Ada Lovelace",
    listed: ["ada@example.com"],
    code: "email-taken",
    requestId: expect.stringMatching(/^[0-9a-f-]{36}$/),
    version: "3.0.3",
    kind: "network",
  });
});
