import { readFileSync } from "node:fs";
import { expect, it } from "vitest";
import { parse } from "yaml";
import { contract } from "../../generated/contract.ts";
import { start } from "../../src/test/running-service.ts";

const read = (name: string) => readFileSync(new URL(name, import.meta.url), "utf8");

const { groups }: { groups: { rules: { alert: string; expr: string }[] }[] } = parse(
  read("alerts.yml"),
);
const { panels }: { panels: { title: string; targets: { expr: string }[] }[] } = JSON.parse(
  read("dashboard.json"),
);
const asked = [
  ...groups.flatMap(({ rules }) => rules.map(({ alert, expr }) => [alert, expr] as const)),
  ...panels.flatMap(({ title, targets }) => targets.map(({ expr }) => [title, expr] as const)),
];

it("alerts and the dashboard ask for metrics, labels and codes that there are", async () => {
  const { service } = await start({ RATE_LIMITS: "on" });
  await fetch(`${service.url}/api/?@=sysinfo`);
  const text = await (await fetch(`${service.managementUrl}/metrics`)).text();
  const series = text.split("\n").filter((line) => line !== "" && !line.startsWith("#"));
  const known = new Set(series.map((line) => line.replace(/[{ ].*/, "")));
  expect(asked.length).toBeGreaterThan(15);
  for (const [name, expr] of asked) {
    const metrics = [...expr.matchAll(/\b(?:atpoint|nodejs|process)_\w+/g)].map(
      ([metric]) => metric,
    );
    if (expr !== 'up{job="atpoint"} == 0') expect(metrics, name).not.toEqual([]);
    for (const metric of metrics) expect(known, name).toContain(metric);
    const [labels = []] = [...expr.matchAll(/by \(([^)]*)\)/g)].map(([, list = ""]) =>
      list.split(", "),
    );
    for (const label of labels.filter((one) => one !== "instance"))
      expect(text, name).toContain(`${label}="`);
    for (const [selector] of expr.matchAll(/\b(?:outcome|state)="[^"]+"/g))
      expect(text, name).toContain(selector);
    for (const [, codes = ""] of expr.matchAll(/code=~?"([^"]+)"/g))
      for (const code of codes.split("|"))
        expect(Object.keys(contract.problems), name).toContain(code);
  }
});
