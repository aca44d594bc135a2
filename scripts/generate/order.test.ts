import { expect, it } from "vitest";
import { order, type Steps } from "../../generated/order.ts";

interface Learned {
  readonly negotiate: { readonly mediaType: string };
}
/** The last three steps. */
type Last = Steps<"negotiate", { readonly accept: string }, Learned, null>;

const negotiate = ({ accept }: { accept: string }) => ({ mediaType: accept });
const judgeInput = () => {};
const handle = async ({ mediaType }: { mediaType: string }) => mediaType;

it("takes a function for each step, in the order of checks", () => {
  const right: Last = [{ negotiate }, { judgeInput }, { handle }];
  // @ts-expect-error judgeInput is missing
  const missing: Last = [{ negotiate }, { handle }];
  // @ts-expect-error judgeInput comes before handle
  const misplaced: Last = [{ negotiate }, { handle }, { judgeInput }];
  // @ts-expect-error there is no such step
  const unknown: Last = [{ negotiate }, { judgeInput }, { handle }, { limitRate: handle }];
  // @ts-expect-error without negotiate the media type is unknown
  const early: Steps<"judgeInput", { readonly accept: string }, Learned, null> = [{ judgeInput }, { handle }];
  // @ts-expect-error negotiate adds a media type
  const silent: Last = [{ negotiate: () => {} }, { judgeInput }, { handle }];
  expect([right, missing, misplaced, unknown, early, silent].map(({ length }) => length)).toEqual([3, 2, 3, 4, 2, 3]);
  expect(right.map((entry) => Object.keys(entry)[0])).toEqual(order.slice(-3).map(({ step }) => step));
});
