import { expect, it } from "vitest";
import { badgeName, badgeOf, type Checked, documentOf } from "./document.ts";

const reasons: Readonly<Record<string, string>> = { "not applicable": "not applicable: no list" };

const checked = (proxy: string, verdict: string, outcomes: readonly string[]): Checked => ({
  server: "Atpoint",
  database: "SQLite",
  proxy,
  report: JSON.parse(
    JSON.stringify({
      verdict,
      target: { url: "http://127.0.0.1", version: "3.0.3" },
      run: { startedAt: "2026-01-31T12:00:00.000Z" },
      requirements: outcomes.map((outcome, at) => ({
        id: `http/${at}`,
        outcome,
        reason: reasons[outcome],
      })),
    }),
  ),
});

const ALL = [
  checked("none", "conformant", ["passed", "passed"]),
  checked("nginx", "not conformant", ["known", "not applicable", "incomplete"]),
];

it("has a row for each implementation, and one for each group of requirements", () => {
  const document = documentOf(ALL);
  expect(document).toContain("| 1 | Atpoint | SQLite | none | 3.0.3 | 2026-01-31 | conformant |");
  expect(document).toContain("| http | 2/2 | 0/2, 1 known |");
});

it("has a badge for each, as shields.io reads it", () => {
  expect(ALL.map(badgeName)).toEqual(["atpoint-sqlite-none", "atpoint-sqlite-nginx"]);
  expect(ALL.map(badgeOf)).toMatchObject([
    { schemaVersion: 1, message: "conformant", color: "brightgreen" },
    { schemaVersion: 1, message: "not conformant", color: "red" },
  ]);
});
