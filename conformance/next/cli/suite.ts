import { special } from "../../client/credentials.ts";
import { ours } from "../../lists/ours.ts";
import { FILES } from "../../models/model.ts";
import covering from "../covering.json" with { type: "json" };
import { goldenOfAtpoint } from "../extensions/atpoint/golden/index.ts";
import { lawsOfAtpoint } from "../extensions/atpoint/laws.ts";
import { goldenScripts } from "../golden/scripts.ts";
import { lawsOf } from "../laws/index.ts";
import { viewsOf } from "../laws/view.ts";
import type { Suite } from "../run/state.ts";
import { scenarioScripts } from "../scenarios/index.ts";
import { limitScripts, socketScripts } from "../sockets/index.ts";

/** The packaged contract, and what this service has of its own: as the old suite has it, until extensions are read. */
export function createSuite(): Suite {
  const { contract } = ours;
  const views = viewsOf(contract);
  const laws = [...lawsOf(contract, views), ...lawsOfAtpoint(contract, views)];
  const scripts = [
    ...[...goldenScripts(contract, goldenOfAtpoint), ...socketScripts(contract)],
    ...[...scenarioScripts(ours), ...limitScripts(contract)],
  ];
  return { oracle: ours, laws, further: { paths: FILES, kinds: special }, covering, scripts };
}
