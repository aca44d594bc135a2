import type { Api } from "../../client/api.ts";
import type { CallOptions } from "../../client/call.ts";
import { expectProblem } from "../../client/expect.ts";
import { guarded, type Known, nameOf } from "../../client/operation.ts";
import type { Reply } from "../../client/reply.ts";
import { type Check, check } from "../check.ts";
import { answered, credentialFields, effectOf, inCase, nobodys, reach } from "../probe.ts";
import { expectLetIn, judgeLetIn, kinds, queryWith } from "./calls.ts";
import { onOneConnection } from "./raw-call.ts";

type Fields = readonly (readonly [name: string, value: string])[];

/** A call with a chunked body and trailer fields, which are not header fields (RFC 9110, 6.5.1). */
async function withTrailers(api: Api, operation: Known, headers: Fields, trailers: Fields): Promise<Reply> {
  const { method } = operation;
  const body = JSON.stringify({ "@": nameOf(operation) });
  const behind = trailers.map(([name, value]) => `${name}: ${value}\r\n`).join("");
  const search = queryWith(api, operation);
  const request = {
    ...{ method, target: api.path(search === "" ? "/api/" : `/api/?${search}`) },
    headers: [
      ...headers,
      ["Content-Type", "application/json"] as const,
      ["Transfer-Encoding", "chunked"] as const,
      ["Trailer", trailers.map(([name]) => name).join(", ")] as const,
    ],
    body: `${body.length.toString(16)}\r\n${body}\r\n0\r\n${behind}\r\n`,
  };
  return answered(await api.raw(api.rawRequest(request)), "a call with trailers");
}

/** D17: a request without credentials is rejected after valid ones on the same connection, and in parallel with them. */
export const asked: readonly Check[] = guarded.flatMap((operation) => [
  check(`credentials/missing#same-connection-${operation.id}`, { effect: effectOf(operation) }, async (api) => {
    const [first, ...behind] = await onOneConnection(api, operation.id);
    if (first) judgeLetIn(first, operation);
    else await expectLetIn(api, operation);
    // A target may close a connection after any response.
    for (const reply of behind)
      await inCase("behind a good request on the same connection", () =>
        expectProblem(reply, 401, "credentials-missing"),
      );
  }),
  check(`credentials/nowhere-else#trailers-${operation.id}`, { effect: effectOf(operation) }, async (api) => {
    const credentials = credentialFields(api);
    judgeLetIn(await withTrailers(api, operation, credentials, [["X-API-KEY", nobodys(api)]]), operation);
    expectProblem(await withTrailers(api, operation, [], credentials), 401, "credentials-missing");
    for (const [at, one] of credentials.entries())
      await inCase(`${one[0]} in a trailer`, async () => {
        const others = credentials.filter((_, other) => other !== at);
        expectProblem(await withTrailers(api, operation, others, [one]), 401, "credentials-missing");
      });
  }),
  check(`credentials/missing#in-parallel-${operation.id}`, { effect: effectOf(operation) }, async (api) => {
    const wrong = nobodys(api);
    const refuse = async (options: CallOptions, status: number, code: Parameters<typeof expectProblem>[2]) =>
      inCase("beside good requests", async () => expectProblem(await reach(api, operation, options), status, code));
    const turns = Array.from({ length: 4 }, () => [
      expectLetIn(api, operation),
      refuse({ credentials: "none" }, 401, "credentials-missing"),
      ...kinds.map(({ kind, as, code }) =>
        refuse({ credentials: as(api, { header: wrong }) }, kind === "key" ? 401 : 403, code),
      ),
    ]);
    // Waits for all of them: otherwise a request in flight would count for another check.
    const results = await Promise.allSettled(turns.flat());
    for (const result of results) if (result.status === "rejected") throw result.reason;
  }),
]);
