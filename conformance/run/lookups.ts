import { SkippedByPolicy } from "../http/gateway.ts";
import type { Request } from "../oracle/model-state.ts";
import { caseOf } from "../requests/generate.ts";
import { sendAside } from "./exchange.ts";
import type { Run } from "./state.ts";

/**
 * What predictions depend on: which names and files a deployment has, and the entity tags of its
 * files. It is looked up when a request needs it first, and others that need it wait. So a
 * prediction does not depend on the order in which several clients send.
 */

type Subject = "names" | "files";

/** Looks up what the prediction of a request depends on. Throws `RunAborted` if the run ends. */
export async function lookUpFor(run: Run, request: Request): Promise<void> {
  const { isApi, operation } = run.suite.oracle.read(request, run.model);
  if (operation !== null && operation.pattern !== null) await lookUp(run, "names");
  if (!isApi) await lookUp(run, "files");
}

export async function lookUpAll(run: Run): Promise<void> {
  await lookUp(run, "names");
  await lookUp(run, "files");
}

function lookUp(run: Run, subject: Subject): Promise<void> {
  const begun = run.lookups.get(subject) ?? sendEach(run, casesFor(run, subject));
  run.lookups.set(subject, begun);
  return begun;
}

/** The ids of the cases whose responses show it. */
function casesFor({ suite: { oracle, paths } }: Run, subject: Subject): readonly string[] {
  if (subject === "names")
    return oracle.operationExtensions.flatMap(({ operation, names }) =>
      names ? [`${operation} plain`] : [],
    );
  const query = Object.values(oracle.contract.operations).find(({ method }) => method === "GET");
  return query ? ["/", ...paths].map((path) => `${query.id} path ${path}`) : [];
}

async function sendEach(run: Run, ids: readonly string[]): Promise<void> {
  for (const id of ids) {
    const lookup = caseOf(run.suite.tables, run.source, id);
    try {
      if (lookup) await sendAside(run, lookup.request, lookup);
    } catch (error) {
      // A gateway in front does not let it through: then nothing is known.
      if (!(error instanceof SkippedByPolicy)) throw error;
    }
  }
}
