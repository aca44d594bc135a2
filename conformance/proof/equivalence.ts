// Which broken servers of the referee the suite finds, one line each, by
// `npm run -s equivalence -- [SEED] [PART OF A NAME, wild OR stateful] [exhaustive OR scripts]`; with `right` instead of a name, what
// it finds about conforming deployments: nothing.
import { readFileSync } from "node:fs";
import { noGateway } from "../http/gateway.ts";
import { parseTarget } from "../http/target.ts";
import { packaged } from "../packaged.ts";
import { createReport } from "../report/report.ts";
import { EXIT } from "../run/verdict.ts";
import { scenarioScripts } from "../scenarios/play.ts";
import { mutants, stateful } from "./broken/index.ts";
import { startService } from "./kits/service.test-kit.ts";
import { startProxy } from "./proxy/server.ts";
import { conforming, together } from "./right/index.ts";
import { runAt } from "./service.ts";

const [seed = "1", part = "", mode = ""] = process.argv.slice(2);
const referee: { broken: Record<string, string | null> } = JSON.parse(
  readFileSync(new URL("referee.json", import.meta.url), "utf8"),
);
const scenarios = { ...packaged, covering: [], scripts: scenarioScripts(packaged.oracle) };
const right = conforming.map(({ id, rights }) => ({ id, hooks: together(rights), kind: "right" }));
const broken = mutants.map((one) => ({ id: one.id, hooks: one, kind: stateful.includes(one) ? "stateful" : "wild" }));
const some = (part === "right" ? right : broken).filter(({ id, kind }) => id.includes(part) || kind === part);
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
  const proxy = await startProxy(hooks, service);
  const began = Date.now();
  const options = {
    seed: Number(seed),
    maxFailures: 1,
    timeoutMs: 10_000,
    deadlineMs: kind === "right" ? 600_000 : 120_000,
  };
  const report = await (mode === "scripts"
    ? runAt(proxy.url, credentials, { ...options, draws: 0 }, scenarios)
    : runAt(proxy.url, credentials, { ...options, isExhaustive: mode === "exhaustive" }));
  // What a report puts first.
  const about = {
    ...{ suite: packaged, program: { name: "", version: "" }, contractFile: "", command: "", removal: null },
    ...{ startedAt: new Date(began), durationMs: 0, remarks: [], alone: () => "" },
    options: {
      ...options,
      credentials,
      target: parseTarget(proxy.url),
      gateway: noGateway,
      mayWrite: true,
      mayHarm: true,
    },
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
