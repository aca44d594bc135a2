// One fault is blamed on the few requirements that speak of it: the others that stumble over it are left open.
import { describe, expect, it } from "vitest";
import type { Check } from "../checks/check.ts";
import { pool } from "../engine/judge-all.ts";
import type { Report } from "../report/report.ts";
import { judgeAt, type RunningService } from "../test/service.test-kit.ts";
import { goodRun, touchedBy } from "./good-run.ts";
import { mutants } from "./index.ts";
import { onService, seededService } from "./laboratory.ts";
import type { Mutant } from "./mutant.ts";
import { startProxy } from "./proxy/server.ts";
import { overAll, senders } from "./trial.ts";

/** How many requirements a fault may be blamed on. */
const MOST = {
  "user.create 201 answers 200": 5,
  "user.create 201 adds a member to the body": 2,
  "user.create 201 drops /createdAt": 3,
  "user.create 201 retypes /id": 4,
  "user.create 201 sets Content-Type: text/plain; charset=utf-8": 4,
  "user.list 200 drops /items": 6,
  "user.list 200 retypes /items/*/createdAt": 6,
  "docs.list 200 answers 404": 7,
  "invalid-input drops /code": 4,
} as const;

/** What is about these, and needs no target for itself. */
const near = senders.filter(
  ({ requirement, alone, slow, kind }) =>
    kind !== "pair" && !alone && !slow && /^(user\.|docs\.list|answers|errors)/.test(requirement),
);

async function judge({ hooks }: Mutant, some: readonly Check[], { url, credentials }: RunningService): Promise<Report> {
  const proxy = await startProxy(hooks, url, 0, { credentials: credentials.full });
  try {
    return await judgeAt(proxy.url, credentials, some);
  } finally {
    await proxy.close();
  }
}

describe("a fault", () => {
  it("is blamed on what speaks of it", { timeout: 600_000 }, async () => {
    const service = await seededService();
    try {
      const good = await goodRun(near, onService(service));
      const blamed = new Map<string, string[]>();
      await pool(Object.keys(MOST), 2, async (id) => {
        const mutant = mutants.find((one) => one.id === id);
        if (!mutant) throw new Error(`no mutant is called ${id}`);
        const { exitCode, results } = await judge(mutant, [...touchedBy(mutant, good), ...overAll], service);
        expect([id, exitCode]).toEqual([id, 1]);
        const failed = results.filter(({ outcome }) => outcome === "failed");
        blamed.set(id, [...new Set(failed.map(({ requirement }) => requirement.id))].sort());
      });
      const tooMany = Object.entries(MOST).filter(([id, most]) => (blamed.get(id)?.length ?? 0) > most);
      expect(tooMany.map(([id]) => [id, blamed.get(id)])).toEqual([]);
    } finally {
      await service.stop();
    }
  });
});
