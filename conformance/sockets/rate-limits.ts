import type { Exchange, Finding, Response } from "../exchange.ts";
import { differs } from "../laws/difference.ts";
import { limitsIn } from "../laws/headers.ts";
import type { Operation } from "../oracle/contract.ts";
import { fieldsOf, type Request } from "../oracle/world.ts";
import type { Script } from "../run/state.ts";
import { call, calls, commandsOf, guardedOf, queriesOf, WRONG_KEY } from "./requests.ts";
import { script } from "./script.ts";
import type { Talk } from "./talk.ts";

/** Rate limits (D21): a deployment need not have any. */

/** A limit with more remaining calls than these is not tested. */
const MOST = 100;

/** The remaining calls in a response, of the limit with the fewest; null if the call was not counted. */
function leftBy(response: Response | null): number | null {
  const limits = limitsIn(fieldsOf(response?.fields ?? [], "RateLimit").join(", "));
  const left = [...(limits ?? new Map<string, { r?: number }>()).values()].map(({ r = Number.POSITIVE_INFINITY }) => r);
  return left.length > 0 ? Math.min(...left) : null;
}

/** Whether it is the rejection of a caller with no calls left. */
function* limited(talk: Talk, exchange: Exchange): Generator<Finding> {
  const { response } = exchange;
  const code = String(Object(response?.json).code);
  if (code !== "rate-limited")
    yield talk.found(differs("body:/code", "429 rate-limited", `${response?.status} ${code}`), exchange);
  const wait = fieldsOf(response?.fields ?? [], "Retry-After").join(", ");
  if (!/^[1-9]\d*$/.test(wait))
    yield talk.found(differs("header:retry-after", "Retry-After with seconds", wait || "none"), exchange);
}

const send = (talk: Talk, request: Request) => talk.run.client.send(request, { seeksLimit: true });

/** Calls until no calls are left, and once more. Says nothing if calls are not counted or too many are left. */
async function* rejectedAtLast(talk: Talk, request: Request): AsyncGenerator<Finding> {
  let exchange = await send(talk, request);
  let left = leftBy(exchange.response);
  if (left === null || left > MOST) return;
  for (let calls = 0; calls <= 2 * MOST; calls += 1) {
    exchange = await send(talk, request);
    const { response } = exchange;
    if (response?.status === 429) return yield* limited(talk, exchange);
    const now = leftBy(response);
    if (left === 0 && (now === 0 || now === null)) {
      const status = `${response?.status ?? exchange.error}`;
      return yield talk.found(differs("status", "status 429 when no calls are left", status), exchange);
    }
    left = now;
  }
  const many = `${left} left after ${2 * MOST} calls`;
  yield talk.found(differs("header:ratelimit", "fewer calls left after each call", many), exchange);
}

/** Rejected keys until these get 429: the right one is still accepted. */
async function* validKey(talk: Talk, operation: Operation): AsyncGenerator<Finding> {
  const [wrong = call(talk.run, operation)] = calls(talk.run, operation, [WRONG_KEY]);
  // What came before may have used up the calls of the valid key: it waits for them.
  await talk.run.client.send(call(talk.run, operation));
  for (let calls = 0; calls <= 3 * MOST; calls += 1) {
    const exchange = await send(talk, wrong);
    const { response } = exchange;
    if (response?.status === 429) {
      yield* limited(talk, exchange);
      const right = await send(talk, call(talk.run, operation));
      if (!right.response || right.response.status >= 300)
        yield talk.found(
          differs("status", "a success with a valid key", `${right.response?.status ?? right.error}`),
          right,
        );
      return;
    }
    if (response?.status !== 401)
      return yield talk.found(differs("status", "status 401", `${response?.status ?? exchange.error}`), exchange);
    if (leftBy(response) === null) return;
  }
}

/** Last: calls of other scripts would be rejected meanwhile. */
export const rateLimits: readonly Script[] = [
  script(
    "no calls left",
    "limits/refused",
    "hostile",
    async function* (talk) {
      const { run } = talk;
      const isPublic = queriesOf(run).filter(({ auth }) => !auth);
      // One operation for each way of counting: without credentials, with credentials, and a command. None changes anything.
      const all = new Set([...isPublic.slice(0, 1), ...guardedOf(run).slice(0, 1), ...commandsOf(run).slice(0, 1)]);
      for (const operation of all) yield* rejectedAtLast(talk, call(run, operation));
    },
    { alone: true },
  ),
  script(
    "a valid key among rejected ones",
    "limits/valid-key",
    "hostile",
    async function* (talk) {
      const [operation] = guardedOf(talk.run).filter(({ method }) => method === "GET");
      if (operation) yield* validKey(talk, operation);
    },
    { alone: true },
  ),
];
