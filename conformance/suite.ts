import { assertExtension, leftOutOf } from "./check-extension.ts";
import type { Extension, ExtensionScript, ScriptContext } from "./extension.ts";
import { documents } from "./extensions/documents/index.ts";
import { goldenScripts } from "./golden/scripts.ts";
import { lawsOf } from "./laws/index.ts";
import { lawsFrom } from "./laws/law.ts";
import { exchangeParserFor } from "./laws/parsed-exchange.ts";
import type { Contract } from "./oracle/contract.ts";
import { isTaken, type OperationExtension, uniqueValue } from "./oracle/operation-extension.ts";
import type { ParsedRequest } from "./oracle/parsed-request.ts";
import { createOracle } from "./oracle/predict.ts";
import { undecidedIn } from "./oracle/read-contract.ts";
import { type Rule, replayedBy } from "./oracle/rules.ts";
import { plain, written } from "./requests/draft.ts";
import { type Covering, hashOf, tablesOf } from "./requests/generate.ts";
import { sendAndCompare } from "./run/exchange.ts";
import { skipReason } from "./run/policy.ts";
import { MissingPrecondition, type Run, type Script, type Suite } from "./run/state.ts";
import { exploration } from "./scenarios/explore.ts";
import { scenarioScripts } from "./scenarios/scripts.ts";
import { limitScripts, socketScripts } from "./sockets/index.ts";

/**
 * The rules of an operation, each of them a decision. A value that must be unique is rejected if it
 * is taken, by `OPERATION/CODE`: where no rule with that code says more.
 */
function withRules(operationExtension: OperationExtension): OperationExtension {
  const { operation, rules = [], unique = {} } = operationExtension;
  const withoutRule = Object.entries(unique).filter(
    ([code]) => !rules.some((rule) => rule.code === code),
  );
  const added = withoutRule.map(
    ([code, read]): Rule => ({
      step: "handle",
      by: `${operation}/${code}`,
      code,
      fails: (r) => isTaken(r.model, code, uniqueValue(read, r.data)),
    }),
  );
  const all = [...rules, ...added].map((rule, index) => ({
    ...rule,
    fails: (r: ParsedRequest) =>
      r.operation?.id === operation &&
      !(rule.step === "handle" && replayedBy(r)) &&
      !r.points.holds(`no ${rule.code} by rule ${index} of ${operation}`, !rule.fails(r)),
  }));
  return { ...operationExtension, rules: all };
}

const contextOf = (run: Run): ScriptContext => ({
  contract: run.suite.oracle.contract,
  runId: run.runId,
  async call(id, input) {
    const { suite, inputs, source, model } = run;
    const operation = suite.oracle.contract.operations[id];
    if (!operation) throw new MissingPrecondition(`the contract has no operation ${id}`);
    const draft = plain(operation, input ?? inputs.fresh(operation), source.caller);
    const request = written(draft);
    const prediction = suite.oracle.predict(request, model);
    const reason = skipReason(run, request, prediction);
    if (reason !== null) throw new MissingPrecondition(reason);
    return sendAndCompare(run, request, prediction);
  },
});

const scriptOf = ({ run: play, ...script }: ExtensionScript): Script => ({
  ...script,
  run: (run, exercised) => play(contextOf(run), exercised),
});

/**
 * What a run compares with: a contract and what its extensions add. `covering`: the cases of a
 * default run (`coveringOf`); if it is of another contract or of other tables, or there is none, a
 * run sends every case. Throws an `Error` for what is no extension, or names a step or a code that
 * the contract does not have.
 */
export function createSuite(
  contract: Contract,
  given: readonly Extension[] = [],
  covering?: Covering,
): Suite {
  for (const extension of given) assertExtension(extension, contract);
  const extensions = [documents, ...given];
  const ownOperationExtensions = extensions.flatMap(({ rules = [] }) => rules);
  const oracle = createOracle(contract, ownOperationExtensions.map(withRules));
  const parse = exchangeParserFor(contract);
  const tables = tablesOf(contract, extensions);
  const known = new Set(contract.requirements.map(({ id }) => id));
  return {
    oracle,
    parse,
    tables,
    remarks: [
      ...undecidedIn(contract),
      ...given.flatMap((extension) => leftOutOf(extension, contract) ?? []),
    ],
    paths: extensions.flatMap(({ paths = [] }) => paths),
    laws: [
      ...lawsOf(contract, parse),
      ...lawsFrom(
        contract,
        extensions.flatMap(({ laws = [] }) => laws),
        parse,
      ),
    ],
    coveringCases: covering?.hash === hashOf(tables) ? covering.cases : null,
    scripts: [
      ...goldenScripts(
        contract,
        extensions.flatMap(({ golden = [] }) => golden),
      ),
      ...socketScripts(contract),
      exploration,
      ...scenarioScripts(oracle),
      ...extensions
        .flatMap(({ scripts = [] }) => scripts)
        .filter(({ requirements }) => requirements.some((id) => known.has(id)))
        .map(scriptOf),
      ...limitScripts(contract),
    ],
  };
}
