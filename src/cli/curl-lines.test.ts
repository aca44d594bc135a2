import { execFileSync } from "node:child_process";
import { describe, expect, it } from "vitest";
import { operations } from "../../generated/operations.ts";
import { curlLines } from "./curl-lines.ts";

describe("curlLines", () => {
  it("has a line for each operation, and no credentials where none are needed", () => {
    const lines = curlLines("http://127.0.0.1:3000", { key: "k", platform: "web" });
    expect(lines).toHaveLength(Object.keys(operations).length);
    expect(lines[0]).toBe("curl 'http://127.0.0.1:3000/api/?@=sysinfo'");
    expect(lines).toContain("curl -H 'X-API-KEY: k' -H 'X-PLATFORM: web' 'http://127.0.0.1:3000/api/?@=test.health'");
    expect(lines).toContain("curl 'http://127.0.0.1:3000/api/?@=user.list&limit=1&X-API-KEY=k&X-PLATFORM=web'");
    expect(lines).toContain(
      `curl -H 'X-API-KEY: k' -H 'Content-Type: application/json' -d '{"@":"user.create","data":{"name":"Grace Hopper","email":"grace@example.com"}}' 'http://127.0.0.1:3000/api/?X-PLATFORM=web'`,
    );
    expect(lines).toContain("curl 'http://127.0.0.1:3000/api/?@=docs.get.README'");
  });

  it("survives the shell, whatever the words hold", () => {
    const [, line = ""] = curlLines("http://127.0.0.1:3000", { key: "it's $HOME `x`", platform: "web" });
    const words = execFileSync("sh", ["-c", `set -- ${line}; printf '%s\\n' "$@"`], { encoding: "utf8" });
    expect(words.split("\n")).toContain("X-API-KEY: it's $HOME `x`");
  });
});
