import { Api } from "../client/api.ts";
import { expectAccepted } from "../client/expect.ts";
import { Expectation } from "../client/expectation.ts";
import { commands, guarded, isGiven, nameOf, paged, queries, simplest } from "../client/operation.ts";
import { memberIn, type Reply } from "../client/reply.ts";
import type { Session } from "../client/transport.ts";
import type { Exchange } from "../client/wire/exchange.ts";
import { isTooLong } from "../client/wire/gathered.ts";
import type { Target } from "../client/wire/target.ts";
import { contract } from "../contract.ts";
import { FILES } from "../models/model.ts";
import { membersOf, type Operation, successSchema } from "../oracle/contract.ts";
import type { Selection } from "./select.ts";

/** The conditions for any check; `fault` is the one that is not met, and nothing else is sent. */
export interface Preflight {
  readonly version: string | null;
  readonly verdict: "unreachable" | "preflight failed" | null;
  readonly fault: string | null;
  /** Oddities that are not faults. */
  readonly remarks: readonly string[];
  readonly exchanges: readonly Exchange[];
}

/** An operation that needs a key and changes nothing: a list if there is one, a command only if there is no query. */
const [entry] = [...paged, ...queries, ...commands]
  .filter(({ auth }) => auth)
  // Another implementation may have the given operations only.
  .toSorted((one, other) => Number(isGiven(other)) - Number(isGiven(one)));
/** Whether its success has the version of the contract. */
const TELLS_VERSION = membersOf(contract, successSchema(simplest) ?? {}).version !== undefined;
/** The requirement of an operation with this name, if the contract has it. */
const of = ({ id }: Operation, rule: string, otherwise: string | null = null) =>
  contract.requirements.find((one) => one.id === `${id}/${rule}`)?.id ?? otherwise;
/** A clock that is off by more than this gets a remark, in seconds. */
const CLOCK_OFF_S = 30;
const EVERY_SCOPE = `give one that has every scope: ${contract.scopes.join(", ")}`;
/** What to do about a key that is rejected, by the code of the problem. */
function adviceOnKey(code: string | null): string {
  if (code === "credentials-invalid")
    return "give a key that this deployment knows: API_KEY, or key in --credentials FILE";
  if (code === "platform-not-allowed")
    return "give a platform that the key is for: PLATFORM, or platform next to the key in --credentials FILE";
  // Another deployment's codes may mean any of these; other problems of ours are not about the key.
  return code !== null && Object.hasOwn(contract.problems, code)
    ? ""
    : `${EVERY_SCOPE}; and the platform that it is for`;
}

/** The finding of a step, the requirement it breaks, and the advice. */
class Fault extends Error {
  constructor(step: string, found: string, requirement: string | null, advice = "") {
    super(
      `expected that ${step}${requirement === null ? "" : ` (${requirement})`}: ${found}${advice && `; ${advice}`}`,
    );
  }
}

/** The target of a redirect, as a base address; null if it is the same address or none. */
function elsewhere(reply: Reply, { url }: Target): string | null {
  const [location, asked] = [reply.header("location") ?? "", reply.exchange.request.url];
  if (reply.status < 300 || reply.status > 399 || !URL.canParse(location, asked)) return null;
  const { origin, pathname } = new URL(location, asked);
  const base = `${origin}${pathname}`.replace(/(\/api)?\/*$/, "");
  return base === url ? null : base;
}

/** Where the deployment may be instead. */
function adviceOn(reply: Reply, target: Target): string {
  const { url, prefix } = target;
  if (prefix.endsWith("/api")) return `the base URL is the part before /api/: --url ${url.slice(0, -"/api".length)}`;
  const moved = elsewhere(reply, target);
  return moved === null ? "" : `did you mean --url ${moved}?`;
}

/** Members that may wrap a whole response; versions of a runtime or a server are in other members. */
const ENVELOPE = new RegExp(
  `^(${simplest.id}|data|result|response|payload|body|content|service|app|application|api)$`,
  "i",
);
const VERSION = /^(api|service|app)?[_-]?version$/i;
/** The form of our version: a number alone counts something else. */
const FORM = /^v?\d+\.\d+\.\d+\b/;
/** A version next to such a name is that product's. */
const OTHER = /^(php|node(\.?js)?|deno|bun|python|ruby|perl|java|go|rust|\.net|nginx|apache|linux|windows|darwin)\b/i;
const NAMED = new RegExp(`(?<![\\d.])${contract.version.replaceAll(".", "\\.")}(?![\\d.]*\\d)`);

/** The service's version in the response of the simplest query, bare or in an envelope; null if there is none under that name. */
function versionIn(document: unknown): string | null {
  const members = Object.entries(Object(document)).filter(([, value]) => value !== null);
  if (members.some(([, value]) => typeof value === "string" && OTHER.test(value))) return null;
  const [, said] = members.find(([name, value]) => VERSION.test(name) && FORM.test(String(value))) ?? [];
  if (said !== undefined) return String(said);
  const inner = members.filter(([name, value]) => ENVELOPE.test(name) && typeof value === "object");
  return inner.map(([, value]) => versionIn(value)).find((version) => version !== null) ?? null;
}

/** Expects that a response of the simplest query may be a deployment's; otherwise throws the `Fault`. */
function expectDeployment(reply: Reply, target: Target, origin: Selection["origin"]): void {
  try {
    expectAccepted(reply);
  } catch (error) {
    if (!(error instanceof Expectation)) throw error;
    const found = `this is not an Atpoint deployment: ${error.message}`;
    throw new Fault(`${simplest.id} answers a JSON document`, found, of(simplest, "json"), adviceOn(reply, target));
  }
  if (!TELLS_VERSION) return;
  const version = origin === "given" ? versionIn(reply.json()) : memberIn(reply.body, "version");
  // No given requirement names the members of sysinfo, so the version may have another name and form there.
  const isRight = origin === "given" ? version === null || NAMED.test(reply.text) : version === contract.version;
  if (!isRight)
    throw new Fault(
      "the version is the one of this suite",
      `expected ${contract.version}; got ${version ?? "none"}`,
      of(simplest, "version"),
    );
}

/** The target's clock compared with ours: a check never relies on ours. */
function remarkOnClock(reply: Reply): string[] {
  const told = Date.parse(reply.header("date") ?? memberIn(reply.body, "time") ?? "");
  const off = Math.round((told - Date.now()) / 1000);
  if (Number.isNaN(off) || Math.abs(off) <= CLOCK_OFF_S) return [];
  return [`its clock is ${Math.abs(off)} s ${off > 0 ? "ahead of" : "behind"} ours`];
}

/** A call of an operation that does nothing: of a command without its input; null if that may be carried out. */
function probe(api: Api, operation: Operation): Promise<Reply> | null {
  const { id, method, example, input } = operation;
  if (method === "GET") return api.call(id, { input: example });
  const refusesNothing = !Object.values(input).some(({ required }) => required);
  return refusesNothing ? null : api.call(id, { body: { "@": nameOf(operation), data: {} } });
}

/** Its code says more than the beginning of a document. */
const seen = ({ status, text, body }: Reply) => `${status} ${memberIn(body, "code") ?? text.slice(0, 200)}`;

/** The key is sent only after every earlier step has passed, and not again once it is rejected. */
async function judgeKey(api: Api, origin: Selection["origin"]): Promise<void> {
  if (!entry) return;
  const made = { key: { header: `nobodys-${api.runId}` }, platform: { header: api.platform } };
  for (const [what, credentials, requirement] of [
    ["a call without a key", "none", of(entry, "credentials")],
    ["a made-up key", made, origin === "given" ? of(entry, "credentials") : "credentials/invalid"],
  ] as const) {
    const reply = await api.call(entry.id, { credentials });
    const advice = origin === "given" ? "where it says so in the body, --refused RULE" : "";
    if (!reply.refused)
      throw new Fault(`${what} is refused`, `${entry.id} answers ${reply.status}`, requirement, advice);
  }
  const lacking: string[] = [];
  for (const operation of [...guarded].sort(({ id }) => (id === entry.id ? -1 : 0))) {
    const reply =
      operation.id === entry.id && entry.method === "GET"
        ? await api.call(entry.id)
        : origin === "all" && (await probe(api, operation));
    if (!reply) continue;
    const code = memberIn(reply.body, "code");
    if (code === "scope-missing") lacking.push(`${operation.scope} (${operation.id})`);
    else if (operation.id === entry.id && reply.refused && code !== "invalid-input")
      throw new Fault(
        "the key works",
        `${entry.id} answers ${seen(reply)}`,
        of(entry, "placements"),
        adviceOnKey(code),
      );
  }
  if (lacking.length > 0)
    throw new Fault("the key has every scope", `it lacks ${lacking.join(", ")}`, null, EVERY_SCOPE);
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

/** A target that closes the connection, or violates HTTP, is reachable. */
const isHeard = ({ exchanges }: Api) =>
  exchanges.some(
    ({ answer, error }) => answer !== null || isTooLong(error) || /connection reset|HPE_/.test(error ?? ""),
  );

/** The meaning of a missing response. */
function silence(api: Api, { message }: Expectation): Fault {
  const [, advice] = NO_ANSWER.find(([error]) => error.test(message)) ?? [];
  if (!isHeard(api)) return new Fault("the target is reachable", message, null, advice);
  return api.exchanges[0]?.answer
    ? new Fault("every call is answered", message, "dispatch/every-operation")
    : new Fault(`${simplest.id} answers`, message, of(simplest, "json"), advice);
}

/**
 * Checks: reachable, an Atpoint deployment, its version, rejects a missing and an invented key, accepts the key for everything.
 * Throws `Stopped` if the run ends first.
 */
export async function preflight(session: Session, origin: Selection["origin"]): Promise<Preflight> {
  const traits = { origin: origin === "given" ? "given" : "decided", rateLimited: false } as const;
  // One invented key does no harm: it shows whether keys are checked at all.
  const api = new Api({ ...session, mayHarm: true }, traits);
  let [version, remarks]: [string | null, readonly string[]] = [null, []];
  const end = (verdict: Preflight["verdict"], fault: string | null): Preflight => ({
    ...{ version, verdict, fault, remarks },
    exchanges: api.exchanges,
  });
  try {
    const first = await api.call(simplest.id);
    version = memberIn(first.body, "version");
    remarks = remarkOnClock(first);
    expectDeployment(first, session.target, origin);
    await judgeKey(api, origin);
    // What is served next to the endpoint, where the contract does not state it.
    const unstated = FILES.filter((target) => session.model?.files.has(target) === false);
    for (const target of unstated) await api.request({ method: "GET", target, large: true });
    return end(null, null);
  } catch (error) {
    if (error instanceof Fault) return end("preflight failed", error.message);
    if (!(error instanceof Expectation)) throw error;
    // Possibly only that operation does not respond.
    if (!isHeard(api) && entry)
      await api.call(entry.id, { credentials: "none" }).catch((second: unknown) => {
        if (!(second instanceof Expectation)) throw second;
      });
    return end(isHeard(api) ? "preflight failed" : "unreachable", silence(api, error).message);
  }
}
