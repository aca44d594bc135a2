// One fault is attributed to the few requirements that cover it: others that fail because of it are left open.
import { expect, it } from "vitest";
import { pool } from "../engine/judge-all.ts";
import { ours } from "../lists/ours.ts";
import { judgeAt } from "../test/service.test-kit.ts";
import { seededService } from "./laboratory.ts";
import { perturbing } from "./perturbations.ts";
import { startProxy } from "./proxy/server.ts";
import { Recording, recordable } from "./recording.ts";
import { overAll } from "./trial.ts";

/** Maximum requirements that a fault may be attributed to, by the kind of response and the fault. */
const MOST = [
  ["user.create 201 application/json", "answers 200", 5],
  ["user.create 201 application/json", "adds a member to the body", 2],
  ["user.create 201 application/json", "drops /createdAt", 3],
  ["user.create 201 application/json", "retypes /id", 4],
  ["user.create 201 application/json", "names a vendor in Content-Type", 4],
  ["user.list 200 application/json", "drops /items", 6],
  ["user.list 200 application/json", "retypes /items/*/createdAt", 6],
  ["user.create 422 invalid-input", "drops /code", 4],
] as const;

/** Checks that concern these, and do not need the target exclusively. */
const near = recordable.filter(
  ({ requirement, alone }) => !alone && /^(user\.|docs\.list|answers|errors)/.test(requirement),
);

it("a fault is blamed on what speaks of it", async () => {
  const service = await seededService();
  try {
    const recording = new Recording(service);
    await recording.add(near);
    const tooMany: unknown[] = [];
    await pool([...MOST], 2, async ([kind, how, most]) => {
      const { hooks, id } = perturbing(ours.contract, `${kind} ${how}`);
      const proxy = await startProxy(hooks, service.url, 0, { credentials: service.credentials.full });
      const { results } = await judgeAt(proxy.url, service.credentials, [...recording.seenBy(kind), ...overAll]);
      await proxy.close();
      const failed = results.filter(({ outcome }) => outcome === "failed");
      const blamed = [...new Set(failed.map(({ requirement }) => requirement.id))].sort();
      if (blamed.length === 0 || blamed.length > most) tooMany.push([id, blamed]);
    });
    expect(tooMany).toEqual([]);
  } finally {
    await service.stop();
  }
});
