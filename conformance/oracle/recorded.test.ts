// One recording of the whole suite against the real service, with the oracle's prediction for each exchange.
import { setMaxListeners } from "node:events";
import { expect, it } from "vitest";
import type { TargetCheck } from "../checks/check.ts";
import { Expectation } from "../client/expectation.ts";
import { Reply } from "../client/reply.ts";
import { createSession } from "../client/session.ts";
import type { Session } from "../client/transport.ts";
import type { Exchange } from "../client/wire/exchange.ts";
import { parseTarget } from "../client/wire/target.ts";
import { judgeTarget } from "../engine/judge.ts";
import { compare } from "../lists/compare.ts";
import { ours } from "../lists/ours.ts";
import { checks } from "../suite.ts";
import { startService } from "../test/service.test-kit.ts";

/** Checks, or variants of them, with exchanges that cannot be predicted, each with the reason. */
const EXCEPTIONS: Readonly<Record<string, string>> = {
  "user.create/one-of-many": "Creates are sent at once: which of them comes first, the service decides.",
  histories: "Creates are sent at once: which of them comes first, the service decides.",
  "user.create/key-twins": "Creates are sent at once: which of them comes first, the service decides.",
};

/** How a response differs from its prediction; null if it does not, undefined if it was not one readable request. */
function difference(exchange: Exchange, { model }: Session): string | null | undefined {
  const predicted = model?.predicted(exchange);
  if (!predicted || !exchange.answer) return undefined;
  try {
    compare(new Reply(exchange, exchange.answer), predicted.prediction, ours.contract);
    return null;
  } catch (error) {
    if (!(error instanceof Expectation)) throw error;
    return `${predicted.request.method} ${predicted.request.target.slice(0, 80)}: ${error.message}`;
  }
}

/** Every check that sends, and waits for no time-out, in sequence: the model knows what one creates before the next runs. */
const sending = checks
  .flatMap((check) => (check.kind === "target" && !check.slow ? [check] : []))
  .sort((one, other) => Number(one.last) - Number(other.last));

async function* recording(session: Session): AsyncGenerator<readonly [TargetCheck, string | null | undefined]> {
  for (const check of sending) {
    const { outcome, exchanges, reason, expectation } = await judgeTarget(check, session);
    expect([check.id, outcome, reason, expectation?.message]).toEqual([check.id, "passed", null, undefined]);
    for (const exchange of exchanges) yield [check, difference(exchange, session)];
  }
}

it("predicts all but what is named, of a whole run against the service", async () => {
  const service = await startService();
  const { signal } = new AbortController();
  setMaxListeners(0, signal);
  const session = createSession(
    {
      ...{ target: parseTarget(service.url), credentials: service.credentials, oracle: ours },
      ...{ runId: "0123456789abcdef", seed: 1, timeoutMs: 12_000, mayWrite: true, mayHarm: true, onUser: () => {} },
    },
    signal,
  );
  const wrong: (readonly [check: string, difference: string])[] = [];
  let [all, readable] = [0, 0];
  try {
    for await (const [{ id }, found] of recording(session)) {
      all += 1;
      if (found !== undefined) readable += 1;
      if (found) wrong.push([id, found]);
    }
  } finally {
    await service.stop();
  }
  expect(wrong.filter(([id]) => !(id in EXCEPTIONS || (id.split("#")[1] ?? "") in EXCEPTIONS))).toEqual([]);
  expect(wrong.length / readable).toBeLessThan(0.01);
  expect(readable / all).toBeGreaterThan(0.9);
});
