import type { Extension } from "./extensions/extension.ts";
import { goldenScripts } from "./golden/scripts.ts";
import { lawsOf } from "./laws/index.ts";
import { exchangeParserFor } from "./laws/parsed-exchange.ts";
import type { Contract } from "./oracle/contract.ts";
import { isTaken, type OperationExtension } from "./oracle/operation-extension.ts";
import { createOracle } from "./oracle/predict.ts";
import { type Rule, replayedBy } from "./oracle/rules.ts";
import { type Covering, hashOf, tablesOf } from "./requests/generate.ts";
import type { Suite } from "./run/state.ts";
import { exploration } from "./scenarios/explore.ts";
import { scenarioScripts } from "./scenarios/scripts.ts";
import { limitScripts, socketScripts } from "./sockets/index.ts";

/**
 * A value that must be unique is rejected if it is taken, by `OPERATION/CODE`: where no rule with
 * that code says more.
 */
function withUnique(operationExtension: OperationExtension): OperationExtension {
  const { operation, rules = [], unique = {} } = operationExtension;
  const withoutRule = Object.entries(unique).filter(
    ([code]) => !rules.some((rule) => rule.code === code),
  );
  const added = withoutRule.map(
    ([code, read]): Rule => ({
      step: "handle",
      by: `${operation}/${code}`,
      code,
      fails: (r) =>
        r.operation?.id === operation &&
        !replayedBy(r) &&
        !r.points.holds(
          `the value of ${code} is free`,
          !isTaken(r.model, code, read(r.json?.data)),
        ),
    }),
  );
  return { ...operationExtension, rules: [...rules, ...added] };
}

/**
 * What a run compares with: a contract and what its extensions add. `covering`: the cases of a
 * default run (`coveringOf`); if it is of another contract or of other tables, or there is none, a
 * run sends every case.
 */
export function createSuite(
  contract: Contract,
  extensions: readonly Extension[] = [],
  covering?: Covering,
): Suite {
  const ownOperationExtensions = extensions.flatMap(({ rules = [] }) => rules);
  const oracle = createOracle(contract, ownOperationExtensions.map(withUnique));
  const parse = exchangeParserFor(contract);
  const tables = tablesOf(contract, extensions);
  return {
    oracle,
    parse,
    tables,
    paths: extensions.flatMap(({ paths = [] }) => paths),
    laws: [
      ...lawsOf(contract, parse),
      ...extensions.flatMap(({ laws }) => laws?.(contract, parse) ?? []),
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
      ...extensions.flatMap(({ scripts }) => scripts?.(oracle) ?? []),
      ...limitScripts(contract),
    ],
  };
}
