import { expectProblem } from "../../client/expect.ts";
import { check } from "../check.ts";
import { inCase } from "../probe.ts";
import { closed, effectOf, expectAllRefused, expectLetIn, judgeLetIn, keyAs, platformAs, sent } from "./probe.ts";
import { rawCall } from "./raw-call.ts";

/** Nobody is let in for what another request brought along. */
export const isolation = closed.flatMap((id) => [
  check(`credentials/missing#same-connection-${id}`, { effect: effectOf(id) }, async (api) => {
    const good = [
      ["X-API-KEY", api.key],
      ["X-PLATFORM", api.platform],
    ] as const;
    const both = [rawCall(api, id, good, null), rawCall(api, id, [], "close")];
    const [first, second] = (await api.raw(both, { answers: 2, inTurn: true })).replies;
    if (first) judgeLetIn(first, id);
    else await expectLetIn(api, id, { credentials: "good" });
    // A target may close a connection after any answer.
    if (second) {
      await inCase("behind a good request on the same connection", async () =>
        expectProblem(second, 401, "credentials-missing", id),
      );
    }
  }),
  check(`credentials/missing#in-parallel-${id}`, { effect: effectOf(id) }, async (api) => {
    const turns = Array.from({ length: 4 }, () => [
      expectLetIn(api, id, { credentials: "good" }),
      expectAllRefused(api, id, 401, "credentials-missing", [sent("nothing, beside good requests", "none")]),
      expectAllRefused(api, id, 401, "credentials-invalid", [
        sent("a wrong key, beside good requests", keyAs(api, { header: "not-one-of-yours" })),
      ]),
      expectAllRefused(api, id, 403, "platform-not-allowed", [
        sent("an unknown platform, beside good requests", platformAs(api, { query: "no-platform" })),
      ]),
    ]);
    // All of them come to their end: what is in flight would otherwise be judged with another check.
    const results = await Promise.allSettled(turns.flat());
    for (const result of results) if (result.status === "rejected") throw result.reason;
  }),
]);
