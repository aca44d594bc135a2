// Which broken servers of the referee the suite finds, one line each, by
// `npm run -s equivalence -- [SEED] [PART OF A NAME, wild OR stateful] [exhaustive OR scripts]`; with `right` instead of a name, what
// it finds about conforming deployments: nothing.
import { readFileSync } from "node:fs";
import { packaged } from "../next/packaged.ts";
import { EXIT } from "../next/run/verdict.ts";
import { scenarioScripts } from "../next/scenarios/index.ts";
import { startService } from "../test/service.test-kit.ts";
import { callers } from "./broken/histories/callers.ts";
import { keys } from "./broken/histories/keys.ts";
import { lists } from "./broken/histories/lists.ts";
import { mutants } from "./broken/index.ts";
import { startProxy } from "./proxy/server.ts";
import { conforming } from "./right/index.ts";
import { runAt } from "./service.ts";

const [seed = "1", part = "", mode = ""] = process.argv.slice(2);
const referee: { broken: Record<string, string | null> } = JSON.parse(
  readFileSync(new URL("referee.json", import.meta.url), "utf8"),
);
const scenarios = { ...packaged, covering: [], scripts: scenarioScripts(packaged.oracle) };
const stateful = [...keys, ...lists, ...callers].map(([id, hooks]) => ({ id, hooks, kind: "stateful" }));
const right = conforming.map(({ id, hooks }) => ({ id, hooks, kind: "right" }));
const broken = [...stateful, ...mutants.map(({ id, hooks }) => ({ id, hooks, kind: "wild" }))];
const some = (part === "right" ? right : broken).filter(({ id, kind }) => id.includes(part) || kind === part);
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
    seed: Number(seed),
    maxFailures: 1,
    timeoutMs: 10_000,
    deadlineMs: kind === "right" ? 600_000 : 120_000,
  };
  const report = await (mode === "scripts"
    ? runAt(proxy.url, credentials, { ...options, draws: 0 }, scenarios)
    : runAt(proxy.url, credentials, { ...options, isExhaustive: mode === "exhaustive" }));
  const [first] = report.results.findings;
  const wanted = referee.broken[id];
  const isFound = first !== undefined || [EXIT.notConformant, EXIT.preflight].some((code) => code === report.exitCode);
  if (isFound) found += 1;
  if (first?.requirement === wanted) same += 1;
  const took = ((Date.now() - began) / 1000).toFixed(1);
  const what = first
    ? `${first.requirement} ${first.case?.id ?? first.script} ${first.aspect}`
    : `${report.verdict} ${report.fault}`;
  console.log(
    `${isFound ? "found " : "MISSED"} ${kind} ${id} | ${wanted} | ${what} | ${took}s ${report.results.faults.slice(0, 2)}`.slice(
      0,
      400,
    ),
  );
  await proxy.close();
}
console.log(`${found} of ${some.length} found, ${same} with the same requirement`);
await service.stop();
process.exit(0);
