import type { Api } from "../../client/api.ts";
import { fail } from "../../client/expect.ts";
import { queries } from "../../client/operation.ts";
import type { RawRequest } from "../../client/wire/raw-request.ts";
import { type Check, check } from "../check.ts";
import { answered, ending, inCase, toJudge } from "../probe.ts";
import {
  ALL,
  at,
  chunked,
  converse,
  emptyCreate,
  expectOutcome,
  type Outcome,
  refusedPost,
  requestOf,
  SILENCE_MS,
} from "./support.ts";

/** The limits of D13: chunks that are free, bytes per further chunk, bytes of a body. */
const FREE = 1_024;
const PIECE = 16;
const BODY = 65_536;

/** The body of a POST, padded with blanks to any length. */
const bodyOf = (length: number) => emptyCreate.padEnd(length);

/** A request whose chunks have these sizes in turn. */
function uneven(request: RawRequest, length: number, sizes: readonly [number, ...number[]]): RawRequest {
  const frame = chunked(request, "");
  const chunks: string[] = [];
  for (let from = 0; from < length; ) {
    const chunk = bodyOf(length).slice(from, from + (sizes[chunks.length % sizes.length] ?? sizes[0]));
    chunks.push(`${chunk.length.toString(16)}\r\n${chunk}\r\n`);
    from += chunk.length;
  }
  return { ...frame, body: `${chunks.join("")}0\r\n\r\n` };
}

type Row = readonly [what: string, request: RawRequest, outcome: Outcome];

/** One request for each code path that reads a body, with the outcome for a body within the limits. */
const ways = (api: Api): readonly Row[] => [
  ["a POST", refusedPost(api), "invalid-input"],
  ...toJudge(queries, "operation by GET").map(({ id }): Row => [id, requestOf(api, id), id]),
  ...["/", "/openapi.json"].map((path): Row => [path, at(api, path), 200]),
];

const within = (api: Api): readonly Row[] =>
  ways(api).flatMap(([what, request, outcome]): Row[] => [
    [`${what}, 1,024 chunks of one byte`, chunked(request, bodyOf(FREE), 1), outcome],
    [`${what}, 4,096 chunks of 16 bytes`, chunked(request, bodyOf(BODY), PIECE), outcome],
    [`${what}, chunks of 31 bytes and one byte in turn`, uneven(request, FREE * 32, [31, 1]), outcome],
  ]);

const beyond = (api: Api): readonly Row[] =>
  ways(api).flatMap(([what, request]): Row[] => [
    [`${what}, 1,025 chunks of one byte`, chunked(request, bodyOf(FREE + 1), 1), "content-too-large"],
    [`${what}, 1,025 chunks of 15 bytes`, chunked(request, bodyOf((FREE + 1) * 15), 15), "content-too-large"],
    [`${what}, 60,000 chunks of one byte`, chunked(request, bodyOf(60_000), 1), "content-too-large"],
  ]);

/** Both sides of the limits for chunks, and the end of the connection (D13). A proxy may join the chunks. */
export const bodyPieces: readonly Check[] = [
  check("http/body-pieces", { effect: "hostile" }, async (api) => {
    for (const [what, request, outcome] of within(api))
      await inCase(what, async () => expectOutcome(answered(await converse(api, request), what), outcome));
  }),
  check("http/body-crumbs", { effect: "hostile" }, async (api) => {
    for (const [what, request, outcome] of beyond(api))
      await inCase(what, async () => {
        const raw = await converse(api, { ...request, connection: null }, { answers: ALL, timeoutMs: SILENCE_MS });
        expectOutcome(answered(raw, what), outcome);
        if (!raw.closed) fail("connection", "the end of the connection", ending(raw));
      });
  }),
];
