import type { Exchange, ExchangeLaw, Memory, Response } from "../../exchange.ts";
import { createResponse } from "../../http/response.ts";
import { compare } from "../../laws/compare.ts";
import { exchangeParserFor } from "../../laws/parsed-exchange.ts";
import { concernsOf } from "../../laws/tags.ts";
import { ImmutableFieldTracker } from "../../model/immutable-fields.ts";
import { emptyState, type KnownState } from "../../model/known-state.ts";
import { learn } from "../../model/learn.ts";
import { stateDifference } from "../../model/pages.ts";
import type { Request } from "../../oracle/model-state.ts";
import { packaged } from "../../packaged.ts";
import type { RunOptions } from "../../run/options.ts";
import type { Report } from "../../run/run.ts";
import type { Suite } from "../../run/state.ts";
import type { RunningService } from "../kits/service.test-kit.ts";
import type { Reply } from "../proxy/message.ts";
import { header, pathOf, problemCode } from "../proxy/sniff.ts";
import { runAt } from "../service.ts";

/** An exchange with a right deployment. */
export type Sight = Exchange & { readonly response: Response };

/**
 * Two responses of one kind come from the same code of a server: `HEAD /robots.txt 200`,
 * `user.create 422 invalid-input`.
 */
export function kindOf(answer: Reply, request: Request): string {
  const { status } = answer;
  const method = /^(?:HEAD|OPTIONS)$/.test(request.method) ? request.method : null;
  const type = header(answer, "content-type")?.split(";", 1)[0]?.trim() ?? null;
  const coding = header(answer, "content-encoding");
  const place = header(answer, "x-operation") ?? (status < 400 ? pathOf(request) : null);
  return [method, place, status, problemCode(answer) ?? type, coding]
    .filter((part) => part !== null)
    .join(" ");
}

const keyOf = ({ method, target, fields, body }: Request) =>
  JSON.stringify([method, target, fields, body]);

/** The exchange with another response. */
export function changed(sight: Sight, { status, reason, fields, body }: Reply): Exchange {
  return { ...sight, response: createResponse({ status, reason, fields, version: "1.1" }, body) };
}

/**
 * What laws remember of all exchanges, but for what only those of one kind have shown: a wrong
 * server changes them all alike.
 */
class Remembered extends Map<string, string> {
  constructor(
    private readonly all: Memory,
    private readonly isShown: (name: string) => boolean,
  ) {
    super();
  }

  override get(name: string): string | undefined {
    return super.get(name) ?? (this.isShown(name) ? this.all.get(name) : undefined);
  }

  override has(name: string): boolean {
    return super.has(name) || (this.isShown(name) && this.all.has(name));
  }
}

/**
 * A run of the suite against a right deployment, and what the suite finds where one of the
 * responses is another.
 */
export class Recording {
  /** In the order in which the run has looked at them. */
  readonly sights: Sight[] = [];
  /** By the kind of the response. */
  readonly kinds = new Map<string, Sight[]>();
  private readonly model: KnownState;
  private readonly memory: Memory = new Map();
  /** By what laws remember, the kinds of responses that have shown it. */
  private readonly shownBy = new Map<string, Set<string>>();
  private readonly parse = exchangeParserFor(packaged.oracle.contract);
  private readonly immutableFields = new ImmutableFieldTracker("none");
  private readonly requests = new Set<string>();

  constructor(url: string, exchanges: readonly Exchange[]) {
    this.model = emptyState(packaged.oracle, { url, files: packaged.paths });
    for (const exchange of exchanges) {
      const { response } = exchange;
      if (!response || response.omitted > 0 || !exchange.prediction) continue;
      const sight = { ...exchange, response };
      this.sights.push(sight);
      const kind = kindOf(response, exchange.request);
      const same = this.kinds.get(kind);
      if (same) same.push(sight);
      else this.kinds.set(kind, [sight]);
      this.requests.add(keyOf(exchange.request));
      this.remember(exchange, kind);
      learn(this.model, exchange);
    }
  }

  /** Whether the same was sent by HEAD, or this HEAD by GET. */
  hasTwin({ request }: Sight): boolean {
    const method = { GET: "HEAD", HEAD: "GET" }[request.method];
    return method !== undefined && this.requests.has(keyOf({ ...request, method }));
  }

  private remember(exchange: Exchange, kind: string): void {
    const remembered = new Remembered(this.memory, () => true);
    for (const law of packaged.laws) if (law.applies(exchange)) law.check(exchange, remembered);
    for (const [name, value] of remembered.entries()) {
      this.memory.set(name, value);
      this.shownBy.set(name, (this.shownBy.get(name) ?? new Set()).add(kind));
    }
  }

  /**
   * What the suite finds about a response to the request of `sight`, by the law that finds it,
   * `prediction` and the tags that it concerns, or `state`.
   */
  *findings(
    sight: Sight,
    answer: Reply,
    kind: string,
  ): Generator<{ readonly by: string; readonly aspect: string }> {
    const otherExchange = changed(sight, answer);
    const predicted = compare(otherExchange, packaged.oracle.contract, this.parse);
    if (predicted)
      for (const by of ["prediction", ...concernsOf(packaged.laws, otherExchange)])
        yield { by, aspect: predicted.aspect };
    const memory = new Remembered(this.memory, (name) =>
      [...(this.shownBy.get(name) ?? [])].some((one) => one !== kind),
    );
    for (const law of packaged.laws) {
      const difference = law.applies(otherExchange) && law.check(otherExchange, memory);
      if (difference) yield { by: law.id, aspect: difference.aspect };
    }
    const stateOf = (exchange: Exchange) =>
      stateDifference(this.model, this.immutableFields, exchange, this.model.clock.now);
    // What was right at its time may not be so at the end of the run.
    const state = stateOf(otherExchange);
    if (state && !stateOf(sight)) yield { by: "state", aspect: state.aspect };
  }
}

/** Runs a suite, and records what it sends and receives. */
export async function recordedRun(
  { url, credentials }: RunningService,
  options: Partial<RunOptions>,
  suite: Suite = packaged,
): Promise<{ readonly report: Report; readonly exchanges: readonly Exchange[] }> {
  const exchanges: Exchange[] = [];
  // Laws see each exchange once, before the run learns from it.
  const recorder: ExchangeLaw = {
    id: "recorded",
    applies: (one) => exchanges.push(one) < 0,
    check: () => null,
  };
  const report = await runAt(url, credentials, options, {
    ...suite,
    laws: [...suite.laws, recorder],
  });
  return { report, exchanges };
}

/** The same of the packaged suite. Throws if there is a finding. */
export async function record(
  service: RunningService,
  options: Partial<RunOptions> = {},
): Promise<Recording> {
  const { report, exchanges } = await recordedRun(service, options);
  const { findings, faults } = report.results;
  const wrong = findings.map(
    ({ requirement, expected, actual }) => `${requirement}: ${expected}; ${actual}`,
  );
  const [fault] = [...wrong, ...faults];
  if (fault !== undefined) throw new Error(`the right service: ${fault}`);
  return new Recording(service.url, exchanges);
}
