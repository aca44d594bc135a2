import fc, { type Arbitrary } from "fast-check";
import { type Check, check, type ExchangesCheck } from "../checks/check.ts";
import { Api } from "../client/api.ts";
import { counted } from "../client/counted.ts";
import { Expectation, Stopped, type Withheld } from "../client/expectation.ts";
import { REMOTE_INTERVAL_MS } from "../client/pace.ts";
import { seededRandom } from "../client/random.ts";
import type { Exchange } from "../client/wire/exchange.ts";
import { asking, type Judgement, judge } from "../engine/judge.ts";
import type { Explorer } from "../engine/run-options.ts";
import { askingOf, learn } from "../lists/list.ts";
import { FILES, type Model } from "../models/model.ts";
import { FALLBACK } from "../sequences/index.ts";
import type { Sequence } from "../sequences/step.ts";
import type { Draft } from "./draft.ts";
import { requestsOf } from "./grammar.ts";
import { type Finding, Sender } from "./sender.ts";
import { SequenceSender } from "./sequence-sender.ts";
import { Sequences } from "./sequences.ts";

/**
 * `--explore`: requests that no list has, generated from a grammar, and sequences of requests. A finding shrinks to the smallest
 * request, or sequence, that still shows it.
 */

/** Maximum users that an exploration creates: by requests, by sequences, and by those that shrink. */
const MOST_USERS = 400;
const MOST_BY_REQUESTS = 150;
const MOST_BY_SEQUENCES = 100;
const MOST_BY_SHRINKING = 150;
const LEAST_FOR_SHRINKING = 30;
/** Of the requests, those within sequences; each sequence has at most this many. */
const SHARE = 0.1;
const LONGEST = 100;
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
  [law, expectation.aspect, (expectation.exchange ?? exchanges.at(-1))?.answer?.status].join(" ");
/** What a defect has changed, later requests of a sequence show under many requirements: of those the symptom alone counts. */
const causeOf = (finding: Finding) => (finding.script ? symptomOf(finding) : `${finding.by} ${symptomOf(finding)}`);

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
  /** The share of requests within sequences. */
  readonly share: number;
}

/** Sends a value, and returns a finding like this, or null; undefined if it could not be sent. */
type Try<T> = (value: T, isIt: (finding: Finding) => boolean) => Promise<Finding | null | undefined>;

class Exploration {
  explored = 0;
  stopped: Stopped | null = null;
  readonly outcomes = new Map<string, Outcome>();
  private readonly causes = new Set<string>();
  private found = 0;
  private smallest: Finding | null = null;
  /** Sends what has shown it once more. */
  private again: () => ReturnType<Try<unknown>> = async () => null;
  private tries = 0;
  private sent = 0;
  private inSequences = 0;
  /** Users created by sequences that shrink. */
  private shrinking = 0;

  constructor(
    private readonly sender: Sender,
    private readonly sequences: SequenceSender,
    private readonly requests: Arbitrary<() => Draft>,
    private readonly wanted: number,
    private readonly options: Options,
  ) {}

  outcomeOf(by: string): Outcome {
    // A prediction may name what this contract does not have: a landing page.
    const requirement = this.sender.exists(by) ? by : FALLBACK;
    const outcome = this.outcomes.get(requirement) ?? { findings: [] };
    this.outcomes.set(requirement, outcome);
    return outcome;
  }

  private get isOver(): boolean {
    return this.stopped !== null || this.found >= this.options.mostFindings;
  }

  async run(seed: number): Promise<void> {
    const { sequences, wanted, options } = this;
    // If most requests must not be sent, this is the limit.
    const most = Math.ceil(wanted / BATCH) * 10;
    // Runs with seeds next to each other must not have the same batches.
    const [ofRequests, ofSequences] = [seededRandom(seed), seededRandom(seed)];
    const next = (random: () => number) => Math.floor(random() * 2 ** 32) | 0;
    for (let turn = 0; turn < most && this.explored < wanted && !this.isOver; turn += 1) {
      const isSequence = sequences.ended === null && this.inSequences < options.share * (this.explored + BATCH);
      if (isSequence) await this.exploreSequence(next(ofSequences));
      else await this.exploreRequests(next(ofRequests));
      const tenths = Math.floor((10 * this.explored) / wanted);
      this.explored += this.sent;
      if (isSequence) this.inSequences += this.sent;
      if (Math.floor((10 * this.explored) / wanted) > tenths) options.tell(this.progress);
    }
    if (sequences.ended) options.tell(`no further sequences: ${sequences.ended.message}`);
  }

  private get progress(): string {
    const { explored, wanted, inSequences, found, sender, sequences } = this;
    const users = counted(sender.created + sequences.created, "user");
    const of = `${explored} of ${wanted} requests, ${inSequences} of them in sequences`;
    return `explored ${of}, ${counted(found, "finding")}, ${users} of at most ${MOST_USERS}`;
  }

  private async exploreRequests(seed: number): Promise<void> {
    const options = { seed, numRuns: Math.min(BATCH, this.wanted - this.explored) };
    const send =
      (reads: boolean): Try<() => Draft> =>
      async (draft, isIt) =>
        (await this.send(draft(), reads)).find(isIt) ?? null;
    await this.explore(this.requests, send(false), options);
    if (!this.isOver && (await this.hasChanged())) await this.explore(this.requests, send(true), options);
  }

  private async exploreSequence(seed: number): Promise<void> {
    const { sequences } = this;
    const isWithin = sequences.created - this.shrinking < this.share * MOST_BY_SEQUENCES;
    // A finding that cannot be shrunk any more helps little.
    const space = sequences.spaceFor(isWithin && this.shrinking < MOST_BY_SHRINKING - LEAST_FOR_SHRINKING);
    const most = Math.min(LONGEST, this.wanted - this.explored);
    let left = 0;
    const send: Try<Sequence> = async (sequence, isIt) => {
      const isWhole = this.smallest === null;
      // One finding may use half of the users that are left for shrinking.
      if (isWhole) left = (MOST_BY_SHRINKING - this.shrinking) / 2;
      const before = { ...sequences };
      const found = await sequences.find(sequence, isIt, isWhole ? most : left);
      const created = sequences.created - before.created;
      if (isWhole) this.sent += sequences.sent - before.sent;
      else this.shrinking += created;
      left -= created;
      return found;
    };
    await this.explore(new Sequences(space, most, sequences.shownBy), send, { seed, numRuns: 1 });
  }

  /** Users are created evenly over the whole exploration. */
  private get share(): number {
    return Math.min(1, (this.explored + this.sent + BATCH) / this.wanted);
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

  /** The values of one batch; requests are repeated after each finding: known findings are ignored. */
  private async explore<T>(
    values: Arbitrary<T>,
    send: Try<T>,
    options: { seed: number; numRuns: number },
  ): Promise<void> {
    do {
      this.sender.begin();
      Object.assign(this, { smallest: null, tries: 0, sent: 0 });
      const property = fc.asyncProperty(values, (value) => this.holds(value, send));
      await fc.check(property, options);
      await this.confirm();
      this.keep();
    } while (this.smallest && !this.smallest.script && !this.isOver);
  }

  /** Whether a value shows nothing new; while a finding shrinks, whether it no longer shows the same. */
  private async holds<T>(value: T, send: Try<T>): Promise<boolean> {
    const before = this.smallest;
    if (before && ++this.tries > (before.expectation.aspect === "connection" ? MOST_SILENT : MOST_SMALLER)) return true;
    if (this.isOver) return true;
    return this.unlessStopped(async () => {
      const isIt = (one: Finding) => (before ? symptomOf(one) === symptomOf(before) : !this.causes.has(causeOf(one)));
      const finding = await send(value, isIt);
      if (!finding) return true;
      // Every form of it during shrinking has the same cause.
      this.causes.add(symptomOf(finding)).add(causeOf(finding));
      this.smallest = finding;
      this.again = () => send(value, (one) => symptomOf(one) === symptomOf(finding));
      return false;
    }, true);
  }

  private async send(draft: Draft, reads: boolean): Promise<readonly Finding[]> {
    const { sender, smallest } = this;
    // Records that a wrong server has created before must not affect this result.
    if (smallest !== null || reads) sender.begin();
    const mayCreate = smallest !== null || sender.created < this.share * MOST_BY_REQUESTS;
    const sent = await sender.send(draft, mayCreate, reads);
    if (!sent) return [];
    const outcome = this.outcomeOf(sent.by);
    if (sent.withheld) outcome.withheld ??= sent.withheld;
    else if (!smallest) this.sent += 1;
    if (sent.exchange && sent.findings.length === 0) outcome.evidence ??= sent.exchange;
    return sent.findings;
  }

  /** What a deployment does in parallel, or every tenth time, the same sequence may not show again. */
  private async confirm(): Promise<void> {
    const { smallest } = this;
    if (!smallest?.script || (await this.unlessStopped(async () => (await this.again()) !== null, true))) return;
    this.smallest = { ...smallest, expectation: smallest.expectation.in("the same requests did not show it again") };
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
    const add = async (
      index: number,
      exchanges: readonly Exchange[],
      problem: Error | null,
      script?: Judgement["script"],
    ) =>
      all.push({
        ...(await judge(of(index), exchanges, () => {
          if (problem) throw problem;
        })),
        ...{ model, script },
      });
    for (const [index, { expectation, exchanges, script }] of findings.entries())
      await add(index, exchanges, expectation, script);
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

/** Explores with this many requests. */
export const explorer = (
  wanted: number,
  { tell = () => {}, mostFindings = MOST_FINDINGS, share = SHARE }: Partial<Options> = {},
): Explorer => ({
  mostUsers: MOST_USERS,
  explore: async (checks, session, seed, add) => {
    const laws = checks.filter((one): one is ExchangesCheck => one.kind === "exchanges");
    const api = new Api(session, { origin: "decided", rateLimited: false });
    const asked = await asking(session, async () => {
      await learn(api);
      return askingOf(api);
    });
    const sender = new Sender(session, asked, laws);
    const sequences = new SequenceSender(session, asked, laws);
    const options = { tell, mostFindings, share };
    const served = FILES.filter((path) => api.model.files.has(path));
    const exploration = new Exploration(sender, sequences, requestsOf(asked, served), wanted, options);
    for (const { requirement } of laws) exploration.outcomeOf(requirement);
    await exploration.run(seed);
    for (const judgement of await judgements(exploration, api.model)) add(judgement);
    return exploration.explored;
  },
});
