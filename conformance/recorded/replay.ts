import type { Difference, Exchange, Finding, Response } from "../exchange.ts";
import { noGateway } from "../http/gateway.ts";
import { compare } from "../laws/compare.ts";
import type { Prediction } from "../oracle/predict.ts";
import { broken, differences, learnFrom, momentsOf } from "../run/exchange.ts";
import { begin } from "../run/run.ts";
import type { Run, Suite } from "../run/state.ts";
import { EXIT, verdictOf } from "../run/verdict.ts";
import { type Allowed, allowed, oneOf } from "./allowed.ts";
import { type Answered, exchangeOf } from "./exchange.ts";
import type { Entry } from "./json-lines.ts";
import { createMask } from "./masked.ts";
import type { Replayed, ReplayOptions } from "./replayed.ts";

/** Recorded traffic: nothing is sent, and each entry is compared like an exchange of a run. */

/** An entry whose response may not have been there when later ones began. */
interface Flight {
  readonly entry: Entry;
  readonly exchange: Answered;
  readonly allowed: readonly Allowed[];
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

class Replay {
  private readonly run: Run;
  private readonly mask: ReturnType<typeof createMask>;
  private flights: Flight[] = [];
  private latest = Number.NEGATIVE_INFINITY;
  private readonly connections = new Map<string, number>();
  private readonly undecided = new Map<string, number>();
  private readonly left = new Map<string, number>();
  private readonly wrong = new Set<number>();
  private byLawsOnly = 0;
  private withoutBody = 0;

  constructor(
    suite: Suite,
    private readonly options: ReplayOptions,
  ) {
    const { credentials, isVerbose = false } = options;
    this.mask = createMask(credentials, isVerbose);
    const mode = { seed: 1, draws: 0, concurrency: 1, timeoutMs: 1, deadlineMs: 1, isExhaustive: false, isSlow: false };
    const nobody = { full: { key: "", platform: "" }, special: {} };
    const may = { mayWrite: true, mayHarm: true, gateway: noGateway, tell: () => {} };
    const all = { ...mode, ...may, ...options, credentials: credentials ?? nobody };
    const run = begin(suite, all, () => {}, new AbortController().signal);
    const special = Object.entries(all.credentials.special).filter(([kind]) => kind !== "otherPlatform");
    const platforms = new Set([all.credentials.full, ...special.map(([, one]) => one)].map(({ platform }) => platform));
    const known = credentials ? { platforms: [...platforms] } : { platforms: [], keys: new Map() };
    this.run = { ...run, world: { ...run.world, ...known } };
  }

  take(entry: Entry): void {
    const { startedAt, endedAt } = entry;
    const exchange = exchangeOf(entry, this.options.target, this.numberOf(entry.connection));
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

  private numberOf(connection: string): number {
    const known = this.connections.get(connection) ?? this.connections.size + 1;
    this.connections.set(connection, known);
    return known;
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

  private settle(flight: Flight): void {
    const { run } = this;
    const { exchange, entry, unclear } = flight;
    const { request, response } = exchange;
    if ([429, 503, ...(entry.isNormalized ? [431] : [])].includes(response.status)) {
      count(this.undecided, `${response.status}`);
      return;
    }
    if (entry.body === null) {
      this.byLawsOnly += 1;
      this.report(flight, exchange, broken(run, exchange));
      return;
    }
    const now = unclear === OVERLAPPING ? allowed(run.world, request, response) : [];
    const all = [...flight.allowed, ...now];
    const right = all.find(({ prediction }) => this.differenceOf(flight, prediction) === null);
    const [first] = all;
    const prediction = right?.prediction ?? (first && oneOf(first.prediction, all));
    if (!prediction) return;
    if (!right && unclear !== null && this.isOfState(flight, prediction)) {
      count(this.undecided, unclear);
      this.report(flight, exchange, broken(run, exchange));
      return;
    }
    const predicted = { ...exchange, prediction };
    const why = right?.why ?? null;
    if (why === null) run.results.compared += 1;
    else count(this.undecided, why);
    run.results.plan(prediction.by);
    run.results.sent(prediction.by);
    const found = differences(run, predicted, flight.since);
    const stateless = unclear === OUT_OF_ORDER ? found.filter(({ source }) => source !== "state") : found;
    this.report(flight, predicted, [...stateless, ...broken(run, predicted)]);
    if (unclear !== OUT_OF_ORDER) learnFrom(run, predicted);
  }

  private differenceOf({ exchange }: Flight, prediction: Prediction): Difference | null {
    const found = compare({ ...exchange, prediction }, this.run.suite.oracle.contract);
    return found && isOfMissingBody(exchange.response, found) ? null : found;
  }

  /** Whether it differs in what depends on what the deployment held. */
  private isOfState(flight: Flight, prediction: Prediction): boolean {
    const { response } = flight.exchange;
    const own = this.run.suite.oracle.rules.filter(({ step }) => step === "handle").map(({ code }) => code);
    const isOwn = response.status < 400 || own.includes(String(Object(response.json).code));
    const { aspect = "" } = this.differenceOf(flight, prediction) ?? {};
    return /^handled?$/.test(prediction.step) && isOwn && /^(?:status|body|body:\/code|header:idem.*)$/.test(aspect);
  }

  private report({ entry }: Flight, { response }: Exchange, findings: readonly Finding[]): void {
    for (const finding of findings) {
      if (response && isOfMissingBody(response, finding)) continue;
      const { results } = this.run;
      // Of those of one requirement, only the first are shown: the others are counted.
      const isShown = results.countOf(finding.requirement) < MOST_SHOWN;
      const bare = { ...finding, exchanges: [], expected: "", actual: "" };
      const own = isShown ? this.mask(finding) : bare;
      results.find({ ...own, entry: entry.number });
      this.wrong.add(entry.number);
    }
  }

  end(): Replayed {
    this.land({ connection: "", startedAt: Number.POSITIVE_INFINITY });
    const { results } = this.run;
    const outcomes = results.outcomes();
    const ending = { outcomes, faults: results.faults, stale: 0, preflight: null };
    const { verdict, exitCode } = verdictOf(ending, { ...this.options, mayWrite: true, mayHarm: true });
    const { undecided, left, byLawsOnly, withoutBody, wrong } = this;
    const counts = { compared: results.compared, byLawsOnly, undecided, left, withoutBody };
    const isRight = exitCode === EXIT.conformant;
    const rest = { outcomes, results, counts, wrong };
    if (isRight && results.compared === 0) return { verdict: "incomplete", exitCode: EXIT.incomplete, ...rest };
    return { verdict: isRight ? "conformant (recorded)" : verdict, exitCode, ...rest };
  }
}

const count = (counts: Map<string, number>, reason: string): void =>
  void counts.set(reason, (counts.get(reason) ?? 0) + 1);

/** What a body that was not recorded would have shown. */
const isOfMissingBody = ({ omitted }: Response, { aspect }: Difference) =>
  omitted > 0 && /^(?:body|state)/.test(aspect);

/** Compares every entry of a recording, in their order. Rejects with the error of `entries`. */
export async function replay(
  suite: Suite,
  options: ReplayOptions,
  entries: AsyncIterable<Entry> | Iterable<Entry>,
): Promise<Replayed> {
  const replaying = new Replay(suite, options);
  for await (const entry of entries) replaying.take(entry);
  return replaying.end();
}
