import { describe, expect, it } from "vitest";
import { main } from "./command.ts";

async function run(args: string, env: Record<string, string> = {}) {
  let out = "";
  let error = "";
  const started = await main(args.split(" "), {
    env,
    out: (text) => {
      out += text;
    },
    error: (text) => {
      error += text;
    },
  });
  return { started, out, error };
}

describe("broken", () => {
  it("lists the defects", async () => {
    const { started, out } = await run("--list");
    expect(started).toBe(0);
    expect(out).toContain("wholesale/hangs\n    Accepts connections");
  });

  it.each([
    ["--defect none", /--target and --defect/],
    ["--target http://t.invalid", /--target and --defect/],
    ["--target http://t.invalid --defect nothing", /no defect is called nothing/],
    ["--target ftp://t.invalid --defect none", /http or https URL/],
    ["--target t --defect none", /http or https URL/],
    ["--target http://t.invalid --defect none --port x", /whole number/],
  ])("refuses %s", async (args, message) => {
    const { started, error } = await run(args);
    expect(started).toBe(2);
    expect(error).toMatch(message);
  });

  it("helps", async () => expect(await run("--help")).toMatchObject({ started: 0 }));

  it("serves a defect, and says so when its port is taken", async () => {
    const { started, out } = await run("--target http://t.invalid/base/ --defect wholesale/accepts-everything", {
      API_KEY: "k",
    });
    if (typeof started === "number") throw new Error("did not start");
    expect(out).toMatch(/^http:\/\/127\.0\.0\.1:\d+\/base has the defect wholesale\/accepts-everything/);
    expect((await fetch(started.url)).status).toBe(200);
    const { port } = new URL(started.url);
    const second = await run(`--target http://t.invalid --defect none --port ${port}`);
    expect(second.started).toBe(3);
    expect(second.error).toContain("EADDRINUSE");
    await started.close();
  });
});
