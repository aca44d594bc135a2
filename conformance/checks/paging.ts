import type { Api } from "../client/api.ts";
import { describe, expectProblem, expectStatus, fail } from "../client/expect.ts";
import { Stopped } from "../client/expectation.ts";
import { type Known, paged } from "../client/operation.ts";
import { type Check, check, type Exclusion } from "./check.ts";
import { readEntries } from "./state.ts";

const pageFrom = (api: Api, { id }: Known, cursor?: string) =>
  api.call(id, { input: { ...api.required(id), limit: 1, ...(cursor !== undefined && { cursor }) } });

/** Every pair of paged operations: the cursor of the first is sent to the second. */
const pairs = paged.flatMap((giver) => paged.flatMap((taker) => (taker === giver ? [] : [{ giver, taker }])));

/** Cursors of one operation, sent to another one (D26). They run last: records of the other checks fill a second page. */
export const paging: readonly Check[] = pairs.map(({ giver, taker }) =>
  check(`paging/cursor-of-operation#${giver.id}-to-${taker.id}`, { of: taker, last: true }, async (api) => {
    const { nextCursor } = readEntries(await pageFrom(api, giver));
    if (nextCursor === undefined) throw new Stopped(`${giver.id} has no second page, and no cursor to it`);
    expectProblem(await pageFrom(api, taker, nextCursor), 400, "invalid-cursor");
    const own = await pageFrom(api, giver, nextCursor);
    if (own.status === 400) fail("status", `a cursor that ${giver.id} takes back`, describe(own));
    expectStatus(own, 200);
  }),
);

export const pagingExclusions: readonly Exclusion[] =
  pairs.length > 0
    ? []
    : [
        {
          requirement: "paging/cursor-of-operation",
          reason: "There is no second paged operation that could take a cursor.",
        },
      ];
