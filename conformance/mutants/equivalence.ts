// Which broken servers of the referee the new suite finds, one line each, by
// `npm run -s equivalence -- [SEED] [PART OF A NAME, wild OR stateful] [exhaustive OR scripts]`.
import { readFileSync } from "node:fs";
import { DEFAULT_DRAWS } from "../next/cli/next.ts";
import { noGateway } from "../next/http/gateway.ts";
import { parseTarget } from "../next/http/target.ts";
import { packaged } from "../next/packaged.ts";
import { createReport } from "../next/report/report.ts";
import { playAt, runAt } from "../next/run/run.test-kit.ts";
import { EXIT } from "../next/run/verdict.ts";
import { callers } from "../sequences/broken/callers.ts";
import { keys } from "../sequences/broken/keys.ts";
import { lists } from "../sequences/broken/lists.ts";
import { startService } from "../test/service.test-kit.ts";
import { mutants } from "./index.ts";
import { startProxy } from "./proxy/server.ts";

const [seed = "1", part = "", mode = ""] = process.argv.slice(2);
const referee: { broken: Record<string, string | null> } = JSON.parse(
  readFileSync(new URL("../next/referee.json", import.meta.url), "utf8"),
);
const stateful = [...keys, ...lists, ...callers].map(([id, hooks]) => ({ id, hooks, kind: "stateful" }));
const all = [...stateful, ...mutants.map(({ id, hooks }) => ({ id, hooks, kind: "wild" }))];
const some = all.filter(({ id, kind }) => id.includes(part) || kind === part);
const clauses = new Map(packaged.oracle.contract.requirements.map(({ id, clause }) => [id, clause]));
const isSame = (one: string | undefined, other: string | null | undefined) =>
  one !== undefined && (one === other || clauses.get(one) === clauses.get(other ?? ""));
let service = await startService();
let [found, same, count] = [0, 0, 0];
for (const { id, hooks, kind } of some) {
  // Records pile up: a run reads all of them.
  if (++count % 40 === 0) {
    await service.stop();
    service = await startService();
  }
  const { credentials } = service;
  const proxy = await startProxy(hooks, service.url, 0, { credentials: credentials.full });
  const began = Date.now();
  const options = {
    credentials,
    seed: Number(seed),
    draws: DEFAULT_DRAWS,
    maxFailures: 1,
    timeoutMs: 10_000,
    deadlineMs: 120_000,
  };
  const report = await (mode === "scripts"
    ? playAt(proxy.url, { ...options, draws: 0 })
    : runAt(proxy.url, { ...options, isExhaustive: mode === "exhaustive" }, true));
  // What a report puts first.
  const about = {
    ...{ suite: packaged, program: { name: "", version: "" }, contractFile: "", command: "", removal: null },
    ...{ startedAt: new Date(began), durationMs: 0, remarks: [], alone: () => "" },
    options: { ...options, target: parseTarget(proxy.url), gateway: noGateway, mayWrite: true, mayHarm: true },
  };
  const [cause] = createReport(report, about).causes;
  const first = report.results.findings[cause?.findings[0] ?? 0];
  const wanted = referee.broken[id];
  const isFound = first !== undefined || [EXIT.notConformant, EXIT.preflight].some((code) => code === report.exitCode);
  if (isFound) found += 1;
  const isRight = isSame(first?.requirement, wanted);
  if (isRight) same += 1;
  const took = ((Date.now() - began) / 1000).toFixed(1);
  const what = first
    ? `${first.requirement} ${first.case?.id ?? first.script} ${first.aspect}`
    : `${report.verdict} ${report.fault}`;
  console.log(
    `${isFound ? "found " : "MISSED"} ${isRight ? "same " : "other"} ${kind} ${id} | ${wanted} | ${what} | ${took}s ${report.results.faults.slice(0, 2)}`.slice(
      0,
      400,
    ),
  );
  await proxy.close();
}
console.log(`${found} of ${some.length} found, ${same} first by the same requirement or clause`);
await service.stop();
process.exit(0);
