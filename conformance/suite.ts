import type { Law } from "./exchange.ts";
import type { GoldenText } from "./golden/read.ts";
import { goldenScripts } from "./golden/scripts.ts";
import { lawsOf } from "./laws/index.ts";
import { type Views, viewsOf } from "./laws/view.ts";
import type { Contract } from "./oracle/contract.ts";
import { isTaken, type Own } from "./oracle/own.ts";
import { createOracle, type Oracle } from "./oracle/predict.ts";
import { type Rule, replayedBy } from "./oracle/rules.ts";
import { type Covering, type Further, hashOf, tablesOf } from "./requests/generate.ts";
import type { Script, Suite } from "./run/state.ts";
import { scenarioScripts } from "./scenarios/play.ts";
import { limitScripts, socketScripts } from "./sockets/index.ts";

/** A value that must be unique is rejected if it is taken, by `OPERATION/CODE`: where no rule with that code says more. */
function withUnique(own: Own): Own {
  const { operation, rules = [], unique = {} } = own;
  const others = Object.entries(unique).filter(
    ([code]) => !rules.some((rule) => rule.code === code),
  );
  const added = others.map(
    ([code, read]): Rule => ({
      ...{ step: "handle", by: `${operation}/${code}`, code },
      fails: (r) =>
        r.operation?.id === operation &&
        !replayedBy(r) &&
        !r.at.holds(`the value of ${code} is free`, !isTaken(r.world, code, read(r.json?.data))),
    }),
  );
  return { ...own, rules: [...rules, ...added] };
}

/**
 * What a run compares with: a contract and what its extensions add. `covering`: the cases of a default run (`coveringOf`); if it is of
 * another contract or of other tables, or there is none, a run sends every case.
 */
export function createSuite(
  contract: Contract,
  extensions: readonly Extension[] = [],
  covering?: Covering,
): Suite {
  const own = extensions.flatMap(({ rules = [] }) => rules);
  const oracle = createOracle(contract, own.map(withUnique));
  const views = viewsOf(contract);
  const tables = tablesOf(contract, extensions);
  return {
    ...{ oracle, views, tables, paths: extensions.flatMap(({ paths = [] }) => paths) },
    laws: [
      ...lawsOf(contract, views),
      ...extensions.flatMap(({ laws }) => laws?.(contract, views) ?? []),
    ],
    covering: covering?.hash === hashOf(tables) ? covering.cases : null,
    scripts: [
      ...goldenScripts(
        contract,
        extensions.flatMap(({ golden = [] }) => golden),
      ),
      ...socketScripts(contract),
      ...scenarioScripts(oracle),
      ...extensions.flatMap(({ scripts }) => scripts?.(oracle) ?? []),
      ...limitScripts(contract),
    ],
  };
}

/** What one service knows and its contract cannot say. What is about an operation or a requirement of other contracts is left out. */
export interface Extension extends Further {
  readonly id: string;
  /** Rules of single operations, values that must be unique, names that a list shows. */
  readonly rules?: readonly Own[];
  /** What holds of every response, each by the id of its requirement. */
  readonly laws?: (contract: Contract, views: Views) => readonly Law[];
  /** Hand-written exchanges. */
  readonly golden?: readonly GoldenText[];
  /** Checks that are more than a request and its response. */
  readonly scripts?: (oracle: Oracle) => readonly Script[];
}
