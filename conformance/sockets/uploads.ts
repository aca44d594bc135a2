import { isProxied } from "../http/target.ts";
import type { Request } from "../oracle/world.ts";
import type { Run, Script } from "../run/state.ts";
import { calls, guardedOf, page, post, queriesOf, ROW, rejectedOf } from "./requests.ts";
import { single } from "./script.ts";
import { type Message, withFields } from "./talk.ts";

/** How a body arrives: both sides of each limit, as a whole and in chunks (D13). A proxy may join chunks. */

/** On GET the body calls another operation. One request for each code path that reads a body. */
function gets(run: Run): readonly Request[] {
  const [first, other = first] = queriesOf(run);
  const queries = [first, ...guardedOf(run)].flatMap((one) =>
    one?.method === "GET" ? calls(run, one, [ROW.json]) : [],
  );
  const all = [...queries.slice(0, 2), withFields(page(run), ["Content-Type", "application/json"])];
  return all.map((one) => ({ ...one, body: JSON.stringify({ "@": other?.name ?? "x" }) }));
}
const posts = (run: Run) => [post(run)];
const all = (run: Run) => [post(run), ...gets(run)];

/** Bodies of this length: as a whole, or in chunks of these sizes in turn. */
type Shape = readonly [length: number, ...chunks: number[]];
const shapes = (...some: readonly Shape[]) => some;
type Requests = (run: Run) => readonly Request[];

/** What a prediction does not know is that many small chunks are rejected, unless a proxy in front has joined them. */
const tooMany = ({ options: { target } }: Run): Partial<Message> => {
  const codes = ["content-too-large"];
  return isProxied(target) ? { or: codes } : { codes };
};
const bodies = (
  id: string,
  of: string,
  requests: Requests,
  shapesFor: (most: number) => readonly Shape[],
  allowed: (run: Run) => Partial<Message> = () => ({}),
) =>
  single(`body ${id}`, of, "hostile", ({ run }) =>
    requests(run).flatMap((request) =>
      shapesFor(run.suite.oracle.contract.limits.bodyBytes).map(([length, ...chunks]): Message => {
        const whole = { ...request, body: request.body.padEnd(length) };
        return { request: chunks.length > 0 ? { ...whole, framing: { chunks } } : whole, ...allowed(run) };
      }),
    ),
  );
/** As a whole, and in chunks. */
const around = (most: number, ...sizes: readonly number[]): Shape[] =>
  [most, most + 1].flatMap((length) => [[length], ...sizes.map((size): Shape => [length, size])] satisfies Shape[]);

export const uploads: readonly Script[] = [
  bodies("limit on GET, in chunks", "http/body-limit-on-get", gets, (most) => around(most, 8_192)),
  bodies("limit, in chunks", "http/body-limit", posts, (most) => around(most, most + 1, 1_000)),
  bodies("in pieces", "http/body-pieces", all, (most) => shapes([1_024, 1], [most, 16], [1_024 * 32, 31, 1])),
  bodies("in crumbs", "http/body-crumbs", all, () => shapes([1_025, 1], [1_025 * 7, 7], [60_000, 1]), tooMany),
  bodies(
    "far above the limit",
    "http/body-limit-answered",
    (run) => all(run).slice(0, 2),
    (most) => [[most + 1], [300_000], [5_000_000], [2_000_000, 50_000]],
  ),
  single("body far above the limit, whatever rejects it", "http/body-limit-answered", "hostile", (talk) =>
    rejectedOf(talk).flatMap((one) => (one.method === "POST" ? [{ ...one, body: " ".repeat(1_000_000) }] : [])),
  ),
];
