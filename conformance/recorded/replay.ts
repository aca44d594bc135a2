import type { Difference, Finding, Response } from "../exchange.ts";
import { noGateway } from "../http/gateway.ts";
import { compare } from "../laws/compare.ts";
import { emptyState, type KnownState } from "../model/known-state.ts";
import { begin } from "../run/begin.ts";
import { lawFindings, learnFrom, type Predicted, stateFindings } from "../run/exchange.ts";
import type { RunOptions } from "../run/options.ts";
import type { Run, Suite } from "../run/state.ts";
import { EXIT, verdictOf } from "../run/verdict.ts";
import { type Credentials, NO_CREDENTIALS } from "../secrets/credentials.ts";
import { type Allowed, allowed, isOfHead, oneOf, PARTIAL_HEAD } from "./allowed.ts";
import { type Answered, type Entry, exchangeFromEntry, type Recorded } from "./entries.ts";
import { createMask } from "./masked.ts";

/** Recorded traffic: nothing is sent, and each entry is compared like an exchange of a run. */

export interface ReplayOptions
  extends Pick<RunOptions, "target" | "selection" | "knownFailures" | "isStrict"> {
  /** Null: every key is unknown. */
  readonly credentials: Credentials | null;
  /** Shows the strings of records. */
  readonly isVerbose: boolean;
}

/** An entry whose response may not have been there when later ones began. */
interface Flight {
  readonly entry: Entry;
  readonly exchange: Answered;
  readonly allowed: readonly [Allowed, ...Allowed[]];
  since: number;
  endsAt: number;
  /** Why what it depends on is not known; null if it is. */
  unclear: string | null;
}

/** Entries in flight at once, and the bytes of their bodies: more of them have no known end. */
const MOST_FLIGHTS = { entries: 1000, bytes: 4 * 1024 * 1024 };
/**
 * Bytes of traffic, and items of its lists, after which nothing is known of the deployment, as at
 * the beginning: what can be learned has no end.
 */
const MOST_LEARNED = { items: 100_000, bytes: 32 * 1024 * 1024 };
/** What is shown of a moment by a clock of milliseconds: it may be that much later. */
const CLOCK_MS = 1;
const OVERLAPPING = "overlapping others";
const OUT_OF_ORDER = "older than the entry before";

/** How much of it a replay may remember; of a small one, most is how it is kept. */
const bytesOf = ({ request: { target, body, fields }, response }: Answered): number =>
  [...fields, ...response.fields].reduce(
    (sum, [name, value]) => sum + name.length + value.length,
    500,
  ) +
  target.length +
  body.length +
  response.body.length;

/** What a body, or header fields, that were not recorded would have shown. */
const isOfMissing = ({ isPartial }: Entry, { omitted, fields }: Response, { aspect }: Difference) =>
  (omitted > 0 && /^(?:body|state)/.test(aspect)) ||
  // A program's client takes the content coding away, and each coding has a tag of its own.
  (isPartial && /^header:(?:content-encoding|etag)$/.test(aspect)) ||
  (fields.length === 0 && /^header/.test(aspect));

type Counts = Record<string, number>;
const count = (counts: Counts, reason: string): void => {
  counts[reason] = (counts[reason] ?? 0) + 1;
};

class Replay {
  private run: Run;
  private readonly mask: ReturnType<typeof createMask>;
  private flights: Flight[] = [];
  private latest = Number.NEGATIVE_INFINITY;
  private learned = 0;
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
    const may = { allowWrite: true, allowHostile: true, gateway: noGateway, seed: 1 };
    const run = begin(suite, { ...may, ...options, credentials: credentials ?? NO_CREDENTIALS });
    const keys: KnownState["keys"] = credentials ? run.model.keys : new Map();
    const platforms = [...keys.values()].flatMap((key) => key.platforms);
    // No value of a recording names this run.
    this.run = { ...run, model: { ...run.model, keys, platforms, runId: undefined } };
  }

  take(entry: Recorded): void {
    const exchange =
      typeof entry === "string" ? entry : exchangeFromEntry(entry, this.options.target);
    if (typeof entry === "string" || typeof exchange === "string") {
      count(this.left, String(exchange));
      return;
    }
    const { startedAt, endedAt } = entry;
    if (exchange.response.omitted > 0) this.withoutBody += 1;
    this.learned += bytesOf(exchange);
    const items = [...this.run.model.lists.values()].reduce(
      (sum, { records }) => sum + records.size,
      0,
    );
    if (this.learned > MOST_LEARNED.bytes || items > MOST_LEARNED.items) this.forget();
    const isLate = startedAt < this.latest;
    if (!isLate) this.land(entry);
    const flight: Flight = {
      entry,
      exchange,
      allowed: allowed(this.run.model, entry, exchange),
      since: this.run.model.clock.now,
      endsAt: (endedAt ?? Number.POSITIVE_INFINITY) + CLOCK_MS,
      unclear: isLate ? OUT_OF_ORDER : this.flights.length > 0 ? OVERLAPPING : null,
    };
    if (isLate) {
      this.settle(flight);
      return;
    }
    for (const otherFlight of this.flights) otherFlight.unclear ??= OVERLAPPING;
    this.flights.push(flight);
  }

  private forget(): void {
    const { suite, model } = this.run;
    const { url, keys, platforms } = model;
    const empty = emptyState(suite.oracle, { url, keys, platforms, files: suite.paths });
    this.run = { ...this.run, model: empty, memory: new Map() };
    for (const flight of this.flights) flight.since = empty.clock.now;
    this.learned = 0;
  }

  /** What has ended when this entry begins is known from then on. */
  private land({ startedAt, connection }: Pick<Entry, "startedAt" | "connection">): void {
    this.latest = startedAt;
    const isNext = (entry: Entry) =>
      entry.endedAt === null && connection !== "" && entry.connection === connection;
    let bytes = this.flights.reduce((sum, { exchange }) => sum + exchange.response.body.length, 0);
    for (const [at, flight] of this.flights.entries()) {
      const isOne = this.flights.length - at >= MOST_FLIGHTS.entries || bytes > MOST_FLIGHTS.bytes;
      if (isOne) bytes -= flight.exchange.response.body.length;
      if (isOne || isNext(flight.entry)) flight.endsAt = Math.min(flight.endsAt, startedAt);
    }
    const ended = this.flights.filter(({ endsAt }) => endsAt <= startedAt);
    this.flights = this.flights.filter(({ endsAt }) => endsAt > startedAt);
    for (const flight of ended.sort((a, b) => a.endsAt - b.endsAt)) this.settle(flight);
  }

  private settle({ exchange, entry, unclear, ...flight }: Flight): void {
    const { run } = this;
    const { status } = exchange.response;
    if ([429, 503, ...(entry.isNormalized ? [431] : [])].includes(status)) {
      count(this.undecided, `${status}`);
      return;
    }
    const [{ request }] = flight.allowed;
    if (entry.body === null) {
      this.byLawsOnly += 1;
      this.report(entry, exchange, lawFindings(run, { ...exchange, request }));
      return;
    }
    const now = unclear === OVERLAPPING ? allowed(run.model, entry, exchange) : [];
    const all = [...flight.allowed, ...now] as const;
    const each = all.map(({ why, ...one }) => ({ why, predicted: { ...exchange, ...one } }));
    const right = each.find(({ predicted }) => this.differenceOf(entry, predicted) === null);
    const predicted = right?.predicted ?? { ...exchange, request, prediction: oneOf(all) };
    const { prediction } = predicted;
    const ofState = !right && unclear !== null && this.isOfState(entry, predicted) ? unclear : null;
    const isOfFields = right
      ? right.why === PARTIAL_HEAD
      : entry.isPartial && isOfHead(run.model, predicted);
    const undecided = ofState ?? (isOfFields ? PARTIAL_HEAD : null);
    if (undecided !== null) {
      count(this.undecided, undecided);
      this.report(entry, exchange, lawFindings(run, { ...predicted, prediction: null }));
      if (right && unclear !== OUT_OF_ORDER) learnFrom(run, predicted, flight.since);
      return;
    }
    if (right?.why) count(this.undecided, right.why);
    else run.results.compared += 1;
    run.results.plan(prediction.by);
    run.results.sent(prediction.by);
    const findings = stateFindings(run, predicted, flight.since);
    const stateless =
      unclear === OUT_OF_ORDER ? findings.filter(({ source }) => source !== "state") : findings;
    this.report(entry, exchange, [...stateless, ...lawFindings(run, predicted)]);
    if (unclear !== OUT_OF_ORDER) learnFrom(run, predicted, flight.since);
  }

  private differenceOf(entry: Entry, exchange: Answered): Difference | null {
    const { oracle, parse } = this.run.suite;
    const difference = compare(exchange, oracle.contract, parse);
    return difference && isOfMissing(entry, exchange.response, difference) ? null : difference;
  }

  /** Whether it differs in what depends on what the deployment held. */
  private isOfState(entry: Entry, exchange: Answered & Predicted): boolean {
    const { status, json } = exchange.response;
    const handledCodes = this.run.suite.oracle.rules
      .filter(({ step }) => step === "handle")
      .map(({ code }) => code);
    const isOwn = status < 400 || handledCodes.includes(Object(json).code);
    const { aspect = "" } = this.differenceOf(entry, exchange) ?? {};
    return (
      /^handled?$/.test(exchange.prediction.step) &&
      isOwn &&
      /^(?:status|body|body:\/code|header:idem.*)$/.test(aspect)
    );
  }

  /** Findings show the request as it was recorded. */
  private report(
    entry: Entry,
    { request, response }: Answered,
    findings: readonly Finding[],
  ): void {
    const { results } = this.run;
    for (const finding of findings.filter((one) => !isOfMissing(entry, response, one))) {
      // The first findings of a requirement are shown, the others are counted.
      const isShown = results.keeps(finding);
      const bare = { ...finding, exchanges: [], expected: "", actual: "not shown" };
      const exchanges = finding.exchanges.map((exchange, index) =>
        index === finding.at ? { ...exchange, request } : exchange,
      );
      results.find({
        ...(isShown ? this.mask({ ...finding, exchanges }) : bare),
        entry: entry.number,
      });
    }
  }

  end() {
    this.land({ connection: "", startedAt: Number.POSITIVE_INFINITY });
    const { undecided, left, byLawsOnly, withoutBody, options } = this;
    const { results } = this.run;
    results.planned = results.compared;
    const outcomes = results.outcomes();
    const ending = { outcomes, faults: results.faults, stale: 0, preflight: null };
    const verdict = verdictOf(ending, { ...options, allowWrite: true, allowHostile: true });
    const counts = { compared: results.compared, byLawsOnly, undecided, left, withoutBody };
    const rest = { outcomes, results, counts };
    if (verdict.exitCode !== EXIT.conformant) return { ...verdict, ...rest };
    if (results.compared === 0)
      return { verdict: "incomplete" as const, exitCode: EXIT.incomplete, ...rest };
    return { verdict: "conformant (recorded)" as const, exitCode: EXIT.conformant, ...rest };
  }
}

/** Compares every entry of a recording, in their order. Rejects with the error of `entries`. */
export async function replay(
  suite: Suite,
  options: ReplayOptions,
  entries: AsyncIterable<Recorded> | Iterable<Recorded>,
): Promise<ReturnType<Replay["end"]>> {
  const replaying = new Replay(suite, options);
  for await (const entry of entries) replaying.take(entry);
  return replaying.end();
}
