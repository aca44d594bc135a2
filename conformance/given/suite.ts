import type { Contract } from "../oracle/contract.ts";
import { stringOf } from "../oracle/values.ts";
import type { Preflight, Run, Script, Suite } from "../run/state.ts";
import { Deployment } from "./deployment.ts";
import { dispatchChecks } from "./dispatch.ts";
import {
  credentialPlacements,
  operationChecks,
  versionPattern,
  withCredentials,
} from "./operations.ts";
import { RequirementFailed } from "./reply.ts";

/**
 * Checks an implementation that decides otherwise (`--origin given`), by the given document alone.
 */

const checks = Object.entries({ ...dispatchChecks, ...operationChecks });
/** Checks that create users, or might. */
const WRITING = /^(?:dispatch\/body-style|user\.list\/users|user\.create\/.*)$/;

/**
 * Members that may wrap a whole response; versions of a runtime or a server are in other members.
 */
const ENVELOPE =
  /^(?:sysinfo|data|result|response|payload|body|content|service|app|application|api)$/i;
const VERSION = /^(?:api|service|app)?[_-]?version$/i;
/** The form of a version of the contract: a number alone counts something else. */
const FORM = /^v?\d+\.\d+\.\d+\b/;
/** A version next to such a name is that product's. */
const OTHER = new RegExp(
  String.raw`^(?:php|node(?:\.?js)?|deno|bun|python|ruby|perl|java|go|rust|\.net|nginx|apache|` +
    String.raw`linux|windows|darwin)\b`,
  "i",
);

/**
 * The service's version in a document, bare or in an envelope; null if there is none under that
 * name.
 */
function versionIn(document: unknown): string | null {
  const members: [string, unknown][] = Object.entries(Object(document)).filter(
    ([, value]) => value !== null,
  );
  if (members.some(([, value]) => typeof value === "string" && OTHER.test(value))) return null;
  const [, version] =
    members.find(([name, value]) => VERSION.test(name) && FORM.test(stringOf(value))) ?? [];
  if (version !== undefined) return stringOf(version);
  const inner = members.filter(([name, value]) => ENVELOPE.test(name) && typeof value === "object");
  return inner.map(([, value]) => versionIn(value)).find((one) => one !== null) ?? null;
}

/**
 * `sysinfo` is there, of no other version, and the key opens something: what is wrong beyond that
 * is a finding.
 */
async function preflight(deployment: Deployment): Promise<Preflight> {
  const { version: expected } = deployment.contract;
  const first = await deployment.call("sysinfo", withCredentials({}, {}));
  const isHeard = first.status > 0 || first.exchange.connection > 0;
  const failed = (expected: string, actual: string, version: string | null = null): Preflight => {
    const verdict = isHeard ? "preflight failed" : "unreachable";
    return { version, verdict, fault: `expected that ${expected}: ${actual}` };
  };
  // Before that no key is sent.
  if (!first.isAccepted || first.kind !== "json")
    return failed("sysinfo answers a JSON document (sysinfo/json)", first.shown);
  const version = versionIn(first.json);
  // No given requirement names the members of sysinfo, so the version may have another name and
  // form there.
  if (version !== null && !versionPattern(expected).test(first.text))
    return failed(`the version is ${expected} (sysinfo/version)`, version, version);
  for (const change of credentialPlacements(deployment))
    for (const id of ["user.list", "test.health"])
      if (!(await deployment.isRejected(await deployment.call(id, change))))
        return { version, verdict: null, fault: null };
  return failed(
    "the key works (user.list/placements)",
    "give a key that this deployment knows",
    version,
  );
}

const OPERATIONS = ["sysinfo", "test.health", "user.list", "user.create", "docs.list", "docs.get"];

/** The operations of the given document that a contract lacks: it is another one. */
export const missingIn = ({ operations }: Contract): readonly string[] =>
  OPERATIONS.filter((id) => !Object.hasOwn(operations, id));

/**
 * The same suite, without what is decided: no case and no law, and a tolerant check of each given
 * requirement.
 */
export function givenSuite(suite: Suite): Suite {
  const { contract } = suite.oracle;
  const requirements = contract.requirements.filter(({ origin }) => origin === "given");
  const deployments = new WeakMap<Run, Deployment>();
  const deploymentOf = (run: Run) => {
    const deployment = deployments.get(run) ?? new Deployment(run);
    deployments.set(run, deployment);
    return deployment;
  };
  const known = checks.filter(([id]) => requirements.some((one) => one.id === id));
  const scripts = known.map(
    ([id, check]): Script => ({
      id: `given ${id}`,
      requirements: [id],
      effect: WRITING.test(id) ? "write" : "read",
      alone: true,
      run: async function* (run, exercised) {
        run.results.planned += 1;
        try {
          await check(deploymentOf(run));
          run.results.compared += 1;
          exercised(id);
        } catch (error) {
          if (!(error instanceof RequirementFailed)) throw error;
          run.results.compared += 1;
          const place = { exchanges: [error.reply.exchange], at: 0, case: null };
          yield { requirement: id, source: "script", ...error.difference, ...place };
        }
      },
    }),
  );
  return {
    ...suite,
    oracle: { ...suite.oracle, contract: { ...contract, requirements } },
    laws: [],
    coveringCases: [],
    scripts,
    given: { preflight: (run) => preflight(deploymentOf(run)) },
  };
}
