import type { Exchange, Response } from "../exchange.ts";
import type { Target } from "../http/target.ts";
import { type Contract, type Operation, pageItemOf } from "../oracle/contract.ts";
import { fieldsOf } from "../oracle/model-state.ts";
import { isObject } from "../oracle/schema.ts";
import { plain, setField, written } from "../requests/draft.ts";
import { valueAt } from "./inputs.ts";
import type { Preflight, Run } from "./state.ts";

/** What was expected, by which requirement, what was found, and what to do about it. */
class Fault extends Error {
  constructor(step: string, actual: string, requirement: string | null, advice = "") {
    const by = requirement === null ? "" : ` (${requirement})`;
    super(`expected that ${step}${by}: ${actual}${advice && `; ${advice}`}`);
  }
}

const NO_DEPLOYMENT = "this is not an Atpoint deployment";

/** A clock that is off by more than this gets a remark. */
const CLOCK_OFF_S = 30;

/** What a query needs to be called; the least if its success has the version. */
const needsOf = (contract: Contract, operation: Operation): number =>
  (operation.auth ? 4 : 0) +
  (Object.values(operation.input).some(({ required }) => required) || operation.parts.length > 0
    ? 2
    : 0) +
  (contract.deploymentVersion?.operation === operation.id ? 0 : 1);

/**
 * The query that shows whether a deployment is there, and one that needs a key and changes nothing:
 * a list if there is one.
 */
export function probesOf(contract: Contract): {
  readonly simplest: Operation;
  readonly guarded: readonly Operation[];
} {
  const all = Object.values(contract.operations);
  const queries = all.filter(({ method }) => method === "GET");
  const [simplest] = queries.sort(
    (one, other) => needsOf(contract, one) - needsOf(contract, other),
  );
  if (!simplest) throw new Error("the contract has no query");
  const rank = (one: Operation) => (pageItemOf(contract, one) ? 0 : one.method === "GET" ? 1 : 2);
  return {
    simplest,
    guarded: all.filter(({ auth }) => auth).sort((one, other) => rank(one) - rank(other)),
  };
}

/** What to do if nothing answers, by the error of Node. */
const NO_ANSWER: readonly (readonly [error: RegExp, advice: string])[] = [
  [
    /SELF_SIGNED_CERT|UNABLE_TO_(VERIFY_LEAF|GET_ISSUER)/,
    "NODE_EXTRA_CA_CERTS=FILE trusts the certificates in that file",
  ],
  [
    /wrong version number|packet length too long/,
    "this port does not speak TLS: give an http:// address, or another port",
  ],
  [/ECONNREFUSED/, "nothing listens there: is it started, and is the port right?"],
  [/ENOTFOUND|EAI_AGAIN/, "there is no such host: correct the address, or the resolver"],
];

/** Where the deployment may be instead. */
function adviceOn({ status, fields }: Response, { url, prefix }: Target): string {
  if (prefix.endsWith("/api"))
    return `the base URL is the part before /api/: --url ${url.slice(0, -"/api".length)}`;
  const location = fieldsOf(fields, "Location").join();
  if (status < 300 || status > 399 || !URL.canParse(location, url)) return "";
  const { origin, pathname } = new URL(location, url);
  const moved = `${origin}${pathname}`.replace(/(\/api)?\/*$/, "");
  return moved === url ? "" : `did you mean --url ${moved}?`;
}

const codeOf = ({ json }: Response): string | null => {
  const { code } = Object(json);
  return typeof code === "string" ? code : null;
};

/** Its code says more than the beginning of a document. */
const seen = (response: Response): string =>
  `${response.status} ` +
  `${codeOf(response) ?? JSON.stringify(response.body.toString("utf8", 0, 100))}`;

const everyScope = ({ scopes }: Contract) => `give one that has every scope: ${scopes.join(", ")}`;

/** What to do about a key that is rejected, by the code of the problem. */
const OF_KEY = new Map([
  [
    "credentials-invalid",
    "give a key that this deployment knows: API_KEY, or key in --credentials FILE",
  ],
  [
    "platform-not-allowed",
    "give a platform that the key is for: PLATFORM, or platform next to the key in " +
      "--credentials FILE",
  ],
]);

function adviceOnKey(contract: Contract, code: string | null): string {
  // Another deployment's codes may mean any of these; other problems of ours are not about the key.
  const isOther = code !== null && Object.hasOwn(contract.problems, code);
  return (
    OF_KEY.get(code ?? "") ??
    (isOther ? "" : `${everyScope(contract)}; and the platform that it is for`)
  );
}

/** The preflight of one run. */
class Asking {
  version: string | null = null;
  readonly lacking = new Set<string>();
  readonly exchanges: Exchange[] = [];
  /** What the simplest query has answered. */
  private seen: unknown = null;
  private readonly contract;
  private readonly probes;

  constructor(private readonly run: Run) {
    this.contract = run.suite.oracle.contract;
    this.probes = probesOf(this.contract);
  }

  /** The requirement of an operation with this name, if the contract has it. */
  private of({ id }: Operation, rule: string): string | null {
    return this.contract.requirements.find((one) => one.id === `${id}/${rule}`)?.id ?? null;
  }

  private async ask(
    operation: Operation,
    change: (draft: ReturnType<typeof plain>) => void = () => {},
  ) {
    const draft = plain(operation, operation.example, this.run.source.caller);
    change(draft);
    const exchange = await this.run.client.send(written(draft));
    this.exchanges.push(exchange);
    if (!exchange.response) throw this.silence(exchange.error ?? "none");
    return exchange.response;
  }

  /** The meaning of a missing response. */
  private silence(error: string): Fault {
    const { simplest } = this.probes;
    const [, advice] = NO_ANSWER.find(([known]) => known.test(error)) ?? [];
    const actual = `expected a response; got ${error}`;
    if (this.exchanges[0]?.response)
      return new Fault("every call is answered", actual, "dispatch/every-operation");
    if (!this.isHeard) return new Fault("the target is reachable", actual, null, advice);
    return new Fault(`${simplest.id} answers`, actual, this.of(simplest, "json"), advice);
  }

  /** A target that closes the connection, or violates HTTP, is reachable. */
  get isHeard(): boolean {
    return this.exchanges.some(
      ({ response, error, connection }) =>
        response || (connection > 0 && !/^no resp|^TLS/.test(error ?? "")),
    );
  }

  async deployment(): Promise<void> {
    const { simplest } = this.probes;
    const { target, tell } = this.run.options;
    const response = await this.ask(simplest);
    const { json, status, fields } = response;
    if (status >= 300 || !isObject(json)) {
      const actual = `${NO_DEPLOYMENT}: expected a JSON document; got ${seen(response)}`;
      const advice = adviceOn(response, target);
      throw new Fault(
        `${simplest.id} answers a JSON document`,
        actual,
        this.of(simplest, "json"),
        advice,
      );
    }
    const off = Math.round((Date.parse(fieldsOf(fields, "Date").join()) - Date.now()) / 1000);
    if (Math.abs(off) > CLOCK_OFF_S)
      tell(`its clock is ${Math.abs(off)} s ${off > 0 ? "ahead of" : "behind"} ours`);
    this.seen = json;
  }

  /** Checks a public operation before the key is sent. */
  async deploymentVersion(isGuarded: boolean): Promise<void> {
    const { operation: id = "", pointer = "" } = this.contract.deploymentVersion ?? {};
    const operation = this.contract.operations[id];
    if (!operation || operation.auth !== isGuarded) return;
    const { key } = this.run.options.credentials.full;
    if (isGuarded && (key === "" || this.lacking.has(operation.scope ?? ""))) return;
    const json = operation === this.probes.simplest ? this.seen : (await this.ask(operation)).json;
    const version = valueAt(json, pointer);
    this.version = typeof version === "string" ? version : null;
    if (this.version === this.contract.version) return;
    const actual = `expected ${this.contract.version}; got ${this.version ?? "none"}`;
    throw new Fault("the version is the one of this suite", actual, this.of(operation, "version"));
  }

  /**
   * The key is sent only after every earlier step has passed, and not again once it is rejected.
   */
  async key(): Promise<void> {
    const [entry] = this.probes.guarded;
    if (!entry) return;
    const { caller } = this.run.source;
    for (const [what, key, requirement] of [
      ["a call without a key", [], this.of(entry, "credentials")],
      ["a made-up key", [`nobodys-${this.run.runId}`], "credentials/invalid"],
    ] as const) {
      const { status } = await this.ask(entry, (draft) => {
        setField(draft, "X-API-KEY", key);
        setField(draft, "X-PLATFORM", key.length > 0 ? [caller.platform] : []);
      });
      if (status < 300)
        throw new Fault(`${what} is refused`, `${entry.id} answers ${status}`, requirement);
    }
    if (caller.key === "") return;
    for (const operation of this.probes.guarded) {
      // A command without its input does nothing; one that needs none would be carried out.
      const isCommand = operation.method === "POST";
      if (isCommand && !Object.values(operation.input).some(({ required }) => required)) continue;
      const response = await this.ask(operation, (draft) => {
        if (isCommand) draft.data = [];
      });
      const code = codeOf(response);
      if (code === "scope-missing") this.lacking.add(operation.scope ?? "");
      else if (operation === entry && response.status >= 300 && code !== "invalid-input") {
        const [actual, advice] = [
          `${entry.id} answers ${seen(response)}`,
          adviceOnKey(this.contract, code),
        ];
        throw new Fault("the key works", actual, this.of(entry, "placements"), advice);
      }
    }
  }
}

/**
 * Checks: reachable, a deployment of this contract and its version where a response has it, which
 * rejects a missing and an invented key, and accepts the key for everything. Throws `RunAborted` if
 * the run ends first.
 */
export async function preflight(run: Run): Promise<Preflight> {
  const asking = new Asking(run);
  try {
    await asking.deployment();
    await asking.deploymentVersion(false);
    await asking.key();
    await asking.deploymentVersion(true);
    return { version: asking.version, verdict: null, fault: null, lacking: [...asking.lacking] };
  } catch (error) {
    if (!(error instanceof Fault)) throw error;
    const verdict = asking.isHeard ? "preflight failed" : "unreachable";
    const { proxy, tell } = run.options;
    if (verdict === "unreachable" && proxy)
      tell(`${proxy} is not supported: requests go straight to the target`);
    return { version: asking.version, verdict, fault: error.message };
  }
}
