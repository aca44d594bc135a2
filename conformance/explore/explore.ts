import fc, { type Arbitrary } from "fast-check";
import { type Check, check, type ExchangesCheck } from "../checks/check.ts";
import { Api } from "../client/api.ts";
import { counted } from "../client/counted.ts";
import { Expectation, Stopped, type Withheld } from "../client/expectation.ts";
import { REMOTE_INTERVAL_MS } from "../client/pace.ts";
import type { Exchange } from "../client/wire/exchange.ts";
import { asking, type Judgement, judge } from "../engine/judge.ts";
import type { Explorer } from "../engine/run-options.ts";
import { type Asking, askingOf, prepare } from "../lists/list.ts";
import { FILES, type Model } from "../models/model.ts";
import { mediaTypesOf } from "../oracle/contract.ts";
import type { Draft } from "./draft.ts";
import { requestsOf } from "./grammar.ts";
import { type Finding, Sender } from "./sender.ts";

/**
 * `--explore`: requests that no list has, generated from a grammar. A finding shrinks to the smallest request that still shows
 * it.
 */

/** Maximum users that an exploration creates; half of them are for shrinking findings. */
const MOST_USERS = 400;
/** Requests between two checks of the target's state: each batch has its own seed. */
const BATCH = 250;
/** It ends after this many findings; each shrinks by at most this many requests, or this few if each costs a time-out. */
const MOST_FINDINGS = 20;
const MOST_SMALLER = 500;
const MOST_SILENT = 10;
/** Extends the deadline of a run per request, in milliseconds: twice the remote interval. */
export const EXPLORED_MS = 2 * REMOTE_INTERVAL_MS;

/** The symptom of a finding, independent of its request: shrinking must not turn it into another one. */
const symptomOf = ({ law, expectation, exchanges }: Finding) =>
  [law, expectation.aspect, exchanges.at(-1)?.answer?.status].join(" ");
const causeOf = (finding: Finding) => `${finding.by} ${symptomOf(finding)}`;

/** The results for a requirement: a response that meets it, those that do not, why nothing was sent. */
interface Outcome {
  evidence?: Exchange;
  withheld?: Withheld;
  readonly findings: Finding[];
}

interface Options {
  /** Called with progress from time to time. */
  readonly tell: (line: string) => void;
  readonly mostFindings: number;
}

class Exploration {
  explored = 0;
  stopped: Stopped | null = null;
  readonly outcomes = new Map<string, Outcome>();
  private readonly causes = new Set<string>();
  private found = 0;
  private smallest: Finding | null = null;
  private tries = 0;
  private sent = 0;

  constructor(
    private readonly sender: Sender,
    private readonly requests: Arbitrary<() => Draft>,
    private readonly wanted: number,
    private readonly options: Options,
  ) {}

  outcomeOf(requirement: string): Outcome {
    const outcome = this.outcomes.get(requirement) ?? { findings: [] };
    this.outcomes.set(requirement, outcome);
    return outcome;
  }

  private get isOver(): boolean {
    return this.stopped !== null || this.found >= this.options.mostFindings;
  }

  async run(seed: number): Promise<void> {
    // If most requests must not be sent, this is the limit.
    const most = Math.ceil(this.wanted / BATCH) * 10;
    for (let batch = 0; batch < most && this.explored < this.wanted && !this.isOver; batch += 1) {
      const options = { seed: (seed + batch) | 0, numRuns: Math.min(BATCH, this.wanted - this.explored) };
      await this.explore(options, false);
      const tenths = Math.floor((10 * this.explored) / this.wanted);
      this.explored += this.sent;
      if (Math.floor((10 * this.explored) / this.wanted) > tenths)
        this.options.tell(`explored ${this.explored} of ${this.wanted} requests, ${counted(this.found, "finding")}`);
      if (!this.isOver && (await this.hasChanged())) await this.explore(options, true);
    }
  }

  private async hasChanged(): Promise<boolean> {
    return this.unlessStopped(async () => {
      try {
        await this.sender.expectNothingChanged();
        return false;
      } catch (error) {
        if (error instanceof Expectation) return true;
        throw error;
      }
    }, false);
  }

  /** A request that may no longer be sent ends the exploration. */
  private async unlessStopped(action: () => Promise<boolean>, otherwise: boolean): Promise<boolean> {
    try {
      return await action();
    } catch (error) {
      if (!(error instanceof Stopped)) throw error;
      this.stopped = error;
      return otherwise;
    }
  }

  /** The requests of one batch, repeated after each finding: known findings are ignored. */
  private async explore(options: { seed: number; numRuns: number }, reads: boolean): Promise<void> {
    do {
      this.sender.begin();
      Object.assign(this, { smallest: null, tries: 0, sent: 0 });
      const property = fc.asyncProperty(this.requests, (draft) => this.holds(draft(), reads));
      await fc.check(property, options);
      this.keep();
    } while (this.smallest !== null && !this.isOver);
  }

  /** Whether a request shows nothing new; while a finding shrinks, whether it no longer shows the same. */
  private async holds(draft: Draft, reads: boolean): Promise<boolean> {
    const before = this.smallest;
    if (before && ++this.tries > (before.expectation.aspect === "connection" ? MOST_SILENT : MOST_SMALLER)) return true;
    if (this.isOver) return true;
    return this.unlessStopped(async () => {
      const findings = await this.send(draft, reads);
      const isIt = (one: Finding) => (before ? symptomOf(one) === symptomOf(before) : !this.causes.has(causeOf(one)));
      const finding = findings.find(isIt);
      if (!finding) return true;
      // Every form of it during shrinking has the same cause.
      this.causes.add(causeOf(finding));
      this.smallest = finding;
      return false;
    }, true);
  }

  private async send(draft: Draft, reads: boolean): Promise<readonly Finding[]> {
    const { sender, smallest } = this;
    // Records that a wrong server has created before must not affect this result.
    if (smallest !== null || reads) sender.begin();
    // Users are created evenly over the whole exploration.
    const share = Math.min(1, (this.explored + this.sent + BATCH) / this.wanted);
    const sent = await sender.send(draft, smallest !== null || sender.created < share * (MOST_USERS / 2), reads);
    if (!sent) return [];
    const outcome = this.outcomeOf(sent.by);
    if (sent.withheld) outcome.withheld ??= sent.withheld;
    else if (!smallest) this.sent += 1;
    if (sent.exchange && sent.findings.length === 0) outcome.evidence ??= sent.exchange;
    return sent.findings;
  }

  private keep(): void {
    const { smallest } = this;
    if (!smallest) return;
    this.found += 1;
    const { findings } = this.outcomeOf(smallest.by);
    if (!findings.some((one) => symptomOf(one) === symptomOf(smallest))) findings.push(smallest);
  }
}

/** The result for each requirement that decided a prediction, and for each law. */
async function judgements({ outcomes, stopped }: Exploration, model: Model): Promise<readonly Judgement[]> {
  const all: Judgement[] = [];
  for (const [requirement, { findings, evidence, withheld }] of outcomes) {
    const of = (index: number) =>
      check(`${requirement}#explored${index > 0 ? `-${index + 1}` : ""}`, { decided: true }, async () => {});
    const add = async (index: number, exchanges: readonly Exchange[], problem: Error | null) =>
      all.push({
        ...(await judge(of(index), exchanges, () => {
          if (problem) throw problem;
        })),
        model,
      });
    for (const [index, { expectation, exchanges }] of findings.entries()) await add(index, exchanges, expectation);
    if (findings.length === 0)
      await add(0, evidence ? [evidence] : [], stopped ?? (evidence ? null : (withheld ?? null)));
  }
  return all;
}

/** The part of a suite that an exploration uses: what holds for every response. */
export const explorable = <Suite extends { readonly checks: readonly Check[] }>(suite: Suite): Suite => ({
  ...suite,
  checks: suite.checks.filter(({ kind }) => kind === "exchanges"),
});

/** The facts about a deployment that come first: which names exist, and the tag of each representation. */
async function learn({ api, operations, input }: Asking): Promise<void> {
  await prepare(api);
  for (const target of FILES) await api.request({ method: "GET", target, large: true });
  for (const operation of operations.filter(({ method }) => method === "GET"))
    for (const accept of mediaTypesOf(operation)) {
      await api.call(operation.id, { input: input(operation), accept });
      for (const name of operation.known) await api.call(name, { input: {}, accept });
    }
}

/** Explores with this many requests. */
export const explorer = (
  wanted: number,
  { tell = () => {}, mostFindings = MOST_FINDINGS }: Partial<Options> = {},
): Explorer => ({
  mostUsers: MOST_USERS,
  explore: async (checks, session, seed, add) => {
    const laws = checks.filter((one): one is ExchangesCheck => one.kind === "exchanges");
    const api = new Api(session, { origin: "decided", rateLimited: false });
    const asked = await asking(session, async () => {
      await prepare(api);
      const one = askingOf(api);
      await learn(one);
      return one;
    });
    const exploration = new Exploration(new Sender(session, asked, laws), requestsOf(asked, FILES), wanted, {
      tell,
      mostFindings,
    });
    for (const { requirement } of laws) exploration.outcomeOf(requirement);
    await exploration.run(seed);
    for (const judgement of await judgements(exploration, api.model)) add(judgement);
    return exploration.explored;
  },
});
