import { existsSync, readFileSync } from "node:fs";
import { describe, expect, it } from "vitest";
import { checkPair } from "../checks/check.ts";
import { differences, observe } from "../client/observation.ts";
import { Reply } from "../client/reply.ts";
import { empty, unanswered } from "../report/sample.fixture.ts";
import { command, file } from "../test/command.test-kit.ts";
import { deploy } from "../test/deployment.test-kit.ts";
import { jsonReport } from "../test/markup.test-kit.ts";

const seen = (entries: Record<string, string>) => new Map(Object.entries(entries));

describe("differences", () => {
  it("passes over what differs between A and A, but wants it to be there", () => {
    const [a, again] = [seen({ "#/id": "1", "header/date": "x" }), seen({ "#/id": "2", "header/date": "y" })];
    expect(differences(a, again, seen({ "#/id": "3", "header/date": "z" }), []).size).toBe(0);
    expect([...differences(a, again, seen({ "#/id": "3" }), []).keys()]).toEqual(["header/date"]);
  });

  it("does not miss what only B has", () => {
    expect([...differences(seen({}), seen({}), seen({ "header/server": "x" }), [])]).toEqual([
      ["header/server", '"absent" | "x"'],
    ]);
    expect(differences(seen({}), seen({ a: "1" }), seen({}), []).size).toBe(0);
  });

  it("holds only the types of data against each other", () => {
    const a = seen({ "#/items/0/id": "1", "shape #/items/*/id": "string", "header/link": "next" });
    expect(differences(a, a, seen({}), ["/items"]).size).toBe(0);
    expect(differences(a, a, seen({ "#/items/0/id": "2", "shape #/items/*/id": "number" }), ["/items"]).size).toBe(1);
  });
});

describe("observe", () => {
  it("does not pass over an empty member", () => {
    const seen = (body: unknown) =>
      observe(new Reply(unanswered, { ...empty, body: Buffer.from(JSON.stringify(body)) }));
    expect([...seen({ items: [{ a: 1 }, {}] })]).toContainEqual(["#/items/1", "{}"]);
    expect([...seen({ items: [] })]).toContainEqual(["#/items", "[]"]);
  });
});

describe("two deployments", () => {
  const sysinfo = checkPair("deployments/same#sysinfo", (api) => api.call("sysinfo"), ["/time"]);
  const text = checkPair("deployments/same#wrong", (api) => api.call("user.list", { credentials: "none" }));
  const suite = { checks: [sysinfo, text], exclusions: [] };
  const both = async (options: Parameters<typeof deploy>[0], ...words: string[]) =>
    command(["--url", await deploy(), "--url", await deploy(options), ...words], { suite });

  it("are the same", async () => {
    const json = file("report.json");
    const { code, stdout, stderr } = await both({}, "--json", json);
    // The first is only compared with: nothing is reported of it that was not checked.
    expect([code, stdout]).toEqual([0, expect.stringMatching(/^conformant: 2 passed\n/)]);
    expect(stderr).toContain(": no check is left to run on it alone\n");
    expect(existsSync(json)).toBe(false);
    expect(jsonReport(json.replace(".json", ".2.json"))).toMatchObject({ verdict: "conformant" });
  });

  it("are not compared when the first is not there", async () => {
    const { code, stdout } = await command(["--url", "http://127.0.0.1:1", "--url", await deploy()], { suite });
    expect([code, stdout]).toEqual([3, expect.stringMatching(/^unreachable: /)]);
  });

  it("differ in a header, a value or a status", async () => {
    const { code, stdout } = await both({ headers: { "X-Extra": "1" }, status: "Down" });
    expect(stdout).toContain('#/status: "\\"Operational\\"" | "\\"Down\\""');
    expect(stdout).toContain("header/x-extra");
    expect(code).toBe(1);
  });

  it("differ where it is declared, with the reason", async () => {
    const exceptions = file("exceptions.json", [
      { pointer: "header/x-extra", reason: "a proxy" },
      { pointer: "deployments/same#sysinfo #/status", reason: "for the test" },
    ]);
    const json = file("report.json");
    const markdown = file("report.md");
    const words = ["--exceptions", exceptions, "--json", json, "--markdown", markdown];
    const { code } = await both({ headers: { "X-Extra": "1" }, status: "Down" }, ...words);
    expect(code).toBe(0);
    expect(jsonReport(json.replace(".json", ".2.json"))).toMatchObject({ counts: { passed: 2 } });
    expect(readFileSync(markdown.replace(".md", ".2.md"), "utf8")).toContain("conformant");
  });

  it("are compared by every probe of the suite", async () => {
    const urls = ["--url", await deploy(), "--url", await deploy()];
    const { code, stdout } = await command([...urls, "--only", "deployments/*"]);
    expect(stdout).not.toContain("FAIL");
    // Without a record there is no call of an operation that is named by one.
    expect(code).toBe(stdout.includes(" incomplete: no ") ? 5 : 0);
  });

  it.each([
    ["header/x-never", "is an exception that nothing needs"],
    ["deployments/same#sysinfo #/a b", "is an exception that nothing needs"],
    ["deployments/same#sysinfo shape #/a b", "is an exception that nothing needs"],
    ["shape #/a b", "is an exception that nothing needs"],
    ["deployments/same#nothing status", "names no check"],
    ["sysinfo/time status", "names no check"],
  ])("are red for the exception %s", async (pointer, problem) => {
    const json = file("report.json");
    const exceptions = file("e.json", [{ pointer, reason: "for the test" }]);
    const { code, stdout } = await both({}, "--exceptions", exceptions, "--json", json);
    expect([code, stdout]).toEqual([1, expect.stringContaining(`${pointer} ${problem}`)]);
    const second = jsonReport(json.replace(".json", ".2.json"));
    expect(second).toMatchObject({ verdict: "not conformant", counts: { failed: 0 }, baseline: [{ id: pointer }] });
  });

  it("leave an exception alone when not all that could need it was compared", async () => {
    const exceptions = file("e.json", [{ pointer: "header/x-never", reason: "for the test" }]);
    const { code } = await both({}, "--exceptions", exceptions, "--skip", "deployments/same#wrong");
    expect(code).toBe(0);
  });

  it("are not compared when there is only one", async () => {
    const { code, stderr } = await command(["--url", await deploy()], { suite });
    expect([code, stderr]).toEqual([2, expect.stringContaining("needs a second --url")]);
  });
});
