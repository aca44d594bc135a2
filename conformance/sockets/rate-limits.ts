import type { Exchange, Finding, Response } from "../exchange.ts";
import { stringOf } from "../laws/difference.ts";
import { limitsIn } from "../laws/headers.ts";
import { fieldsOf, type Request } from "../oracle/world.ts";
import { notApplicable } from "../run/results.ts";
import { Lacking, type Script } from "../run/state.ts";
import { call, calls, commandsOf, guardedOf, queriesOf, ROW, script } from "./requests.ts";
import type { Talk } from "./talk.ts";

/** Rate limits (D21): a deployment need not have any. */

/** A limit with more remaining calls than these is not tested. */
const MOST = 100;

/** D21: a deployment need not count calls. */
const UNCOUNTED = notApplicable("this deployment counts no calls");

/** The remaining calls in a response, of the limit with the fewest; null if the call was not counted. */
function leftBy(response: Response | null): number | null {
  const limits = limitsIn(fieldsOf(response?.fields ?? [], "RateLimit").join(", "));
  const left = [...(limits ?? new Map<string, { r?: number }>()).values()].map(
    ({ r = Number.POSITIVE_INFINITY }) => r,
  );
  return left.length > 0 ? Math.min(...left) : null;
}

/** Whether it is the rejection of a caller with no calls left. */
function* limited(talk: Talk, exchange: Exchange): Generator<Finding> {
  const { status, fields, json } = exchange.response ?? { status: 0, fields: [], json: undefined };
  const code = stringOf(Object(json).code);
  if (code !== "rate-limited")
    yield talk.differs(exchange, "body:/code", "429 rate-limited", `${status} ${code}`);
  const wait = fieldsOf(fields, "Retry-After").join(", ");
  if (!/^[1-9]\d*$/.test(wait))
    yield talk.differs(exchange, "header:retry-after", "Retry-After with seconds", wait || "none");
}

const send = (talk: Talk, request: Request) => talk.run.client.send(request, { seeksLimit: true });
const statusOf = ({ response, error }: Exchange) => `${response?.status ?? error}`;

/** Calls until no calls are left, and once more. Returns why not: none are counted, or too many left. */
async function* rejectedAtLast(
  talk: Talk,
  request: Request,
): AsyncGenerator<Finding, string | null> {
  let exchange = await send(talk, request);
  let left = leftBy(exchange.response);
  if (left === null) return UNCOUNTED;
  if (left > MOST)
    return `a caller has more than ${MOST} calls left: set a lower limit to check it`;
  talk.exercised();
  for (let calls = 0; calls <= 2 * MOST; calls += 1) {
    exchange = await send(talk, request);
    if (exchange.response?.status === 429) {
      yield* limited(talk, exchange);
      return null;
    }
    const now = leftBy(exchange.response);
    if (left === 0 && (now === 0 || now === null)) {
      yield talk.differs(
        exchange,
        "status",
        "status 429 when no calls are left",
        statusOf(exchange),
      );
      return null;
    }
    left = now;
  }
  const many = `${left} left after ${2 * MOST} calls`;
  yield talk.differs(exchange, "header:ratelimit", "fewer calls left after each call", many);
  return null;
}

/** Rejected keys until these get 429: the right one is still accepted. */
async function* validKey(talk: Talk): AsyncGenerator<Finding> {
  const [operation] = guardedOf(talk.run).filter(({ method }) => method === "GET");
  if (!operation) return;
  const right = call(talk.run, operation);
  const [wrong = right] = calls(talk.run, operation, [ROW.wrongKey]);
  // What came before may have used up the calls of the valid key: it waits for them.
  await talk.run.client.send(right);
  for (let calls = 0; calls <= 3 * MOST; calls += 1) {
    const exchange = await send(talk, wrong);
    if (exchange.response?.status === 429) {
      talk.exercised();
      yield* limited(talk, exchange);
      const last = await send(talk, right);
      if (!last.response || last.response.status >= 300)
        yield talk.differs(last, "status", "a success with a valid key", statusOf(last));
      return;
    }
    if (exchange.response?.status !== 401)
      return yield talk.differs(exchange, "status", "status 401", statusOf(exchange));
    if (leftBy(exchange.response) === null)
      throw new Lacking(notApplicable("this deployment does not count rejected credentials"));
  }
}

/** Last: calls of other scripts would be rejected meanwhile. */
const ALONE = { effect: "hostile", alone: true } as const;

export const rateLimits: readonly Script[] = [
  script("no calls left", "limits/refused", ALONE, async function* (talk) {
    const { run } = talk;
    const isPublic = queriesOf(run).filter(({ auth }) => !auth);
    // One operation for each way of counting: without credentials, with credentials, and a command. None changes anything.
    const all = new Set([
      ...isPublic.slice(0, 1),
      ...guardedOf(run).slice(0, 1),
      ...commandsOf(run).slice(0, 1),
    ]);
    const reasons: (string | null)[] = [];
    for (const operation of all) reasons.push(yield* rejectedAtLast(talk, call(run, operation)));
    if (reasons.includes(null)) return;
    const reason = reasons.find((one) => one !== UNCOUNTED) ?? UNCOUNTED;
    // No law has seen a limit either.
    if (reason === UNCOUNTED) run.results.withheld("limits/headers", reason);
    throw new Lacking(reason);
  }),
  script("a valid key among rejected ones", "limits/valid-key", ALONE, validKey),
];
