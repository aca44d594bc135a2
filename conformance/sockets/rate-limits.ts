import type { Exchange, Finding, Response } from "../exchange.ts";
import { limitsIn } from "../laws/headers.ts";
import { fieldsOf, type Request } from "../oracle/model-state.ts";
import { stringOf } from "../oracle/values.ts";
import { notApplicable } from "../run/results.ts";
import { MissingPrecondition, type Script } from "../run/state.ts";
import type { SocketTestContext } from "./context.ts";
import { call, calls, commandsOf, guardedOf, queriesOf, ROW, script } from "./requests.ts";

/** Rate limits (D21): a deployment need not have any. */

/** A limit with more remaining calls than these is not tested. */
const MOST = 100;

/** D21: a deployment need not count calls. */
const UNCOUNTED = notApplicable("this deployment counts no calls");

/**
 * The remaining calls in a response, of the limit with the fewest; null if the call was not
 * counted.
 */
function leftBy(response: Response | null): number | null {
  const limits = limitsIn(fieldsOf(response?.fields ?? [], "RateLimit").join(", "));
  const left = [...(limits ?? new Map<string, { r?: number }>()).values()].map(
    ({ r = Number.POSITIVE_INFINITY }) => r,
  );
  return left.length > 0 ? Math.min(...left) : null;
}

/** Whether it is the rejection of a caller with no calls left. */
function* limited(context: SocketTestContext, exchange: Exchange): Generator<Finding> {
  const { status, fields, json } = exchange.response ?? { status: 0, fields: [], json: undefined };
  const code = stringOf(Object(json).code);
  if (code !== "rate-limited")
    yield context.differs(exchange, "body:/code", "429 rate-limited", `${status} ${code}`);
  const wait = fieldsOf(fields, "Retry-After").join(", ");
  if (!/^[1-9]\d*$/.test(wait))
    yield context.differs(
      exchange,
      "header:retry-after",
      "Retry-After with seconds",
      wait || "none",
    );
}

const send = (context: SocketTestContext, request: Request) =>
  context.run.client.send(request, { seeksLimit: true });
const statusOf = ({ response, error }: Exchange) => `${response?.status ?? error}`;

/**
 * Calls until no calls are left, and once more. Returns why not: none are counted, or too many
 * left.
 */
async function* rejectedAtLast(
  context: SocketTestContext,
  request: Request,
): AsyncGenerator<Finding, string | null> {
  let exchange = await send(context, request);
  let remaining = leftBy(exchange.response);
  if (remaining === null) return UNCOUNTED;
  if (remaining > MOST)
    return `a caller has more than ${MOST} calls left: set a lower limit to check it`;
  context.exercised();
  for (let calls = 0; calls <= 2 * MOST; calls += 1) {
    exchange = await send(context, request);
    if (exchange.response?.status === 429) {
      yield* limited(context, exchange);
      return null;
    }
    const now = leftBy(exchange.response);
    if (remaining === 0 && (now === 0 || now === null)) {
      yield context.differs(
        exchange,
        "status",
        "status 429 when no calls are left",
        statusOf(exchange),
      );
      return null;
    }
    remaining = now;
  }
  const many = `${remaining} left after ${2 * MOST} calls`;
  yield context.differs(exchange, "header:ratelimit", "fewer calls left after each call", many);
  return null;
}

/** Rejected keys until these get 429: the right one is still accepted. */
async function* validKey(context: SocketTestContext): AsyncGenerator<Finding> {
  const [operation] = guardedOf(context.run).filter(({ method }) => method === "GET");
  if (!operation) return;
  const right = call(context.run, operation);
  const [wrong = right] = calls(context.run, operation, [ROW.wrongKey]);
  // What came before may have used up the calls of the valid key: it waits for them.
  await context.run.client.send(right);
  for (let calls = 0; calls <= 3 * MOST; calls += 1) {
    const exchange = await send(context, wrong);
    if (exchange.response?.status === 429) {
      context.exercised();
      yield* limited(context, exchange);
      const last = await send(context, right);
      if (!last.response || last.response.status >= 300)
        yield context.differs(last, "status", "a success with a valid key", statusOf(last));
      return;
    }
    if (exchange.response?.status !== 401)
      return yield context.differs(exchange, "status", "status 401", statusOf(exchange));
    if (leftBy(exchange.response) === null)
      throw new MissingPrecondition(
        notApplicable("this deployment does not count rejected credentials"),
      );
  }
}

/** Last: calls of other scripts would be rejected meanwhile. */
const ALONE = { effect: "hostile", alone: true } as const;

export const rateLimits: readonly Script[] = [
  script("no calls left", "limits/refused", ALONE, async function* (context) {
    const { run } = context;
    const isPublic = queriesOf(run).filter(({ auth }) => !auth);
    // One operation for each way of counting: without credentials, with credentials, and a command.
    // None changes anything.
    const all = new Set([
      ...isPublic.slice(0, 1),
      ...guardedOf(run).slice(0, 1),
      ...commandsOf(run).slice(0, 1),
    ]);
    const reasons: (string | null)[] = [];
    for (const operation of all) reasons.push(yield* rejectedAtLast(context, call(run, operation)));
    if (reasons.includes(null)) return;
    const reason = reasons.find((one) => one !== UNCOUNTED) ?? UNCOUNTED;
    // No law has seen a limit either.
    if (reason === UNCOUNTED) run.results.withheld("limits/headers", reason);
    throw new MissingPrecondition(reason);
  }),
  script("a valid key among rejected ones", "limits/valid-key", ALONE, validKey),
];
