import type { Difference, Exchange, Finding, Response } from "../exchange.ts";
import { noGateway } from "../http/gateway.ts";
import { MOST_FILE } from "../http/limits.ts";
import { createResponse } from "../http/response.ts";
import type { Target } from "../http/target.ts";
import { compare } from "../laws/compare.ts";
import type { Prediction } from "../oracle/predict.ts";
import { fieldsOf } from "../oracle/world.ts";
import { broken, differences, learnFrom, momentsOf } from "../run/exchange.ts";
import type { Credentials, RunOptions } from "../run/options.ts";
import { begin } from "../run/run.ts";
import type { Run, Suite } from "../run/state.ts";
import { EXIT, verdictOf } from "../run/verdict.ts";
import { type Allowed, allowed, oneOf } from "./allowed.ts";
import type { Entry } from "./json-lines.ts";
import { createMask } from "./masked.ts";

/** Recorded traffic: nothing is sent, and each entry is compared like an exchange of a run. */

export interface ReplayOptions extends Pick<RunOptions, "target" | "selection" | "knownFailures" | "isStrict"> {
  /** Null: every key is unknown. */
  readonly credentials: Credentials | null;
  /** Shows the strings of records. */
  readonly isVerbose: boolean;
}

type Answered = Exchange & { readonly response: Response };

/** An entry whose response may not have been there when later ones began. */
interface Flight {
  readonly entry: Entry;
  readonly exchange: Answered;
  readonly allowed: readonly [Allowed, ...Allowed[]];
  readonly since: ReturnType<typeof momentsOf>;
  endsAt: number;
  /** Why what it depends on is not known; null if it is. */
  unclear: string | null;
}

/** Entries in flight at once: more of them have no known end. */
const MOST_FLIGHTS = 1000;
/** Findings of one requirement that are shown. */
const MOST_SHOWN = 20;
const OVERLAPPING = "overlapping others";
const OUT_OF_ORDER = "older than the entry before";

/** The target of a request below the prefix of the deployment; null if it is another one's. */
function targetIn(url: string, { origin, prefix }: Target): string | null {
  const written = /^[a-z][\w+.-]*:\/\/[^/?#]*(.*)$/is.exec(url)?.[1] ?? "";
  if (new URL(url).origin !== origin || !written.startsWith(prefix)) return null;
  const rest = written.slice(prefix.length);
  if (rest !== "" && !/^[/?#]/.test(rest)) return null;
  return rest.startsWith("/") ? rest : `/${rest}`;
}

/** An entry as an exchange with the target that is not predicted yet; or why it is left out. */
function exchangeOf(entry: Entry, to: Target, connection: number): Answered | string {
  const { fields, method, body, startedAt, endedAt, response } = entry;
  const target = targetIn(entry.url, to);
  if (target === null) return "another target";
  if (!response) return "without a response";
  if (entry.isCached) return "from a browser's cache";
  // A client's own record of its requests has no Host.
  const hosts = fieldsOf(fields, "Host").length > 0 ? [] : [["Host", new URL(entry.url).host] as const];
  const whole = response.body && response.body.length <= MOST_FILE ? response.body : null;
  const head = { status: response.status, reason: "", version: "1.1", fields: response.fields };
  const received = createResponse(head, whole ?? Buffer.alloc(0));
  return {
    ...{ request: { method, target, fields: [...hosts, ...fields], body: body ?? "" }, error: null, prediction: null },
    ...{ response: { ...received, omitted: whole ? 0 : 1 }, sentAt: startedAt, endedAt: endedAt ?? startedAt },
    connection,
  };
}

/** What a body that was not recorded would have shown. */
const isOfMissingBody = ({ omitted }: Response, { aspect }: Difference) =>
  omitted > 0 && /^(?:body|state)/.test(aspect);

type Counts = Record<string, number>;
const count = (counts: Counts, reason: string): void => {
  counts[reason] = (counts[reason] ?? 0) + 1;
};

class Replay {
  private readonly run: Run;
  private readonly mask: ReturnType<typeof createMask>;
  private flights: Flight[] = [];
  private latest = Number.NEGATIVE_INFINITY;
  private readonly connections = new Map<string, number>();
  /** By reason. */
  private readonly undecided: Counts = {};
  private readonly left: Counts = {};
  private byLawsOnly = 0;
  private withoutBody = 0;

  constructor(
    suite: Suite,
    private readonly options: ReplayOptions,
  ) {
    const { credentials, isVerbose } = options;
    this.mask = createMask(credentials, isVerbose);
    const nobody = { full: { key: "", platform: "" }, special: {} };
    const may = { mayWrite: true, mayHarm: true, gateway: noGateway, seed: 1 };
    const all = { ...may, ...options, credentials: credentials ?? nobody };
    const run = begin(suite, all);
    const { full, special }: Credentials = all.credentials;
    const ofPlatform = Object.entries({ ...special, full }).filter(([kind]) => kind !== "otherPlatform");
    const platforms = ofPlatform.map(([, { platform }]) => platform);
    const known = credentials ? { platforms } : { platforms: [], keys: new Map() };
    this.run = { ...run, world: { ...run.world, ...known } };
  }

  take(entry: Entry): void {
    const { startedAt, endedAt, connection } = entry;
    const number = this.connections.get(connection) ?? this.connections.size + 1;
    this.connections.set(connection, number);
    const exchange = exchangeOf(entry, this.options.target, number);
    if (typeof exchange === "string") {
      count(this.left, exchange);
      return;
    }
    if (exchange.response.omitted > 0) this.withoutBody += 1;
    const isLate = startedAt < this.latest;
    if (!isLate) this.land(entry);
    const flight: Flight = {
      ...{ entry, exchange, allowed: allowed(this.run.world, exchange.request, exchange.response) },
      ...{ since: momentsOf(this.run.world), endsAt: endedAt ?? Number.POSITIVE_INFINITY },
      unclear: isLate ? OUT_OF_ORDER : this.flights.length > 0 ? OVERLAPPING : null,
    };
    if (isLate) {
      this.settle(flight);
      return;
    }
    for (const other of this.flights) other.unclear ??= OVERLAPPING;
    this.flights.push(flight);
  }

  /** What has ended when this entry begins is known from then on. */
  private land({ startedAt, connection }: Pick<Entry, "startedAt" | "connection">): void {
    this.latest = startedAt;
    for (const one of this.flights)
      if (connection !== "" && one.entry.connection === connection) one.endsAt = Math.min(one.endsAt, startedAt);
    const [first] = this.flights;
    if (first && this.flights.length >= MOST_FLIGHTS) first.endsAt = startedAt;
    const ended = this.flights.filter(({ endsAt }) => endsAt <= startedAt);
    this.flights = this.flights.filter(({ endsAt }) => endsAt > startedAt);
    for (const one of ended.sort((a, b) => a.endsAt - b.endsAt)) this.settle(one);
  }

  private settle({ exchange, entry, unclear, ...flight }: Flight): void {
    const { run } = this;
    const { request, response } = exchange;
    if ([429, 503, ...(entry.isNormalized ? [431] : [])].includes(response.status)) {
      count(this.undecided, `${response.status}`);
      return;
    }
    if (entry.body === null) {
      this.byLawsOnly += 1;
      this.report(entry, exchange, broken(run, exchange));
      return;
    }
    const now = unclear === OVERLAPPING ? allowed(run.world, request, response) : [];
    const all = [...flight.allowed, ...now] as const;
    const right = all.find(({ prediction }) => this.differenceOf(exchange, prediction) === null);
    const prediction = right?.prediction ?? oneOf(all);
    if (!right && unclear !== null && this.isOfState(exchange, prediction)) {
      count(this.undecided, unclear);
      this.report(entry, exchange, broken(run, exchange));
      return;
    }
    const predicted = { ...exchange, prediction };
    if (right?.why) count(this.undecided, right.why);
    else run.results.compared += 1;
    run.results.plan(prediction.by);
    run.results.sent(prediction.by);
    const found = differences(run, predicted, flight.since);
    const stateless = unclear === OUT_OF_ORDER ? found.filter(({ source }) => source !== "state") : found;
    this.report(entry, predicted, [...stateless, ...broken(run, predicted)]);
    if (unclear !== OUT_OF_ORDER) learnFrom(run, predicted);
  }

  private differenceOf(exchange: Answered, prediction: Prediction): Difference | null {
    const found = compare({ ...exchange, prediction }, this.run.suite.oracle.contract);
    return found && isOfMissingBody(exchange.response, found) ? null : found;
  }

  /** Whether it differs in what depends on what the deployment held. */
  private isOfState(exchange: Answered, prediction: Prediction): boolean {
    const { status, json } = exchange.response;
    const own = this.run.suite.oracle.rules.filter(({ step }) => step === "handle").map(({ code }) => code);
    const isOwn = status < 400 || own.includes(String(Object(json).code));
    const { aspect = "" } = this.differenceOf(exchange, prediction) ?? {};
    return /^handled?$/.test(prediction.step) && isOwn && /^(?:status|body|body:\/code|header:idem.*)$/.test(aspect);
  }

  private report({ number }: Entry, { response }: Answered, findings: readonly Finding[]): void {
    const { results } = this.run;
    for (const finding of findings.filter((one) => !isOfMissingBody(response, one))) {
      // Of those of one requirement, only the first are shown: the others are counted.
      const isShown = results.countOf(finding.requirement) < MOST_SHOWN;
      const bare = { ...finding, exchanges: [], expected: "", actual: "not shown" };
      results.find({ ...(isShown ? this.mask(finding) : bare), entry: number });
    }
  }

  end() {
    this.land({ connection: "", startedAt: Number.POSITIVE_INFINITY });
    const { undecided, left, byLawsOnly, withoutBody, options } = this;
    const { results } = this.run;
    results.planned = results.compared;
    const outcomes = results.outcomes();
    const ending = { outcomes, faults: results.faults, stale: 0, preflight: null };
    const found = verdictOf(ending, { ...options, mayWrite: true, mayHarm: true });
    const counts = { compared: results.compared, byLawsOnly, undecided, left, withoutBody };
    const rest = { outcomes, results, counts };
    if (found.exitCode !== EXIT.conformant) return { ...found, ...rest };
    if (results.compared === 0) return { verdict: "incomplete" as const, exitCode: EXIT.incomplete, ...rest };
    return { verdict: "conformant (recorded)" as const, exitCode: EXIT.conformant, ...rest };
  }
}

/** Compares every entry of a recording, in their order. Rejects with the error of `entries`. */
export async function replay(
  suite: Suite,
  options: ReplayOptions,
  entries: AsyncIterable<Entry> | Iterable<Entry>,
): Promise<ReturnType<Replay["end"]>> {
  const replaying = new Replay(suite, options);
  for await (const entry of entries) replaying.take(entry);
  return replaying.end();
}
