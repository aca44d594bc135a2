import type { Api } from "../../client/api.ts";
import { expectProblem, expectSuccess } from "../../client/expect.ts";
import { type Check, check } from "../check.ts";
import { answered } from "../probe.ts";
import { ATTACKS, send } from "./attacks.ts";
import { chunked, emptyCreate, refusedPost, requestOf, SYSINFO } from "./support.ts";

/** After it the deployment is there, and right in more than the one document that needs nothing. */
async function expectRight(api: Api): Promise<void> {
  await api.alive();
  expectSuccess(await api.call("user.list", { input: { limit: 1 } }), "user.list");
  expectProblem(await api.call("user.create", { body: emptyCreate }), 422, "invalid-input");
}

/** Whatever was sent, the deployment is still there and still right (D13). */
export const stayingAlive: readonly Check[] = [
  ...Object.entries(ATTACKS).map(([name, attack]) =>
    check(`http/stays-alive#${name}`, { effect: "hostile" }, async (api) => {
      await expectRight(api);
      await attack(api);
      await expectRight(api);
    }),
  ),
  check("http/stays-alive#one-byte-chunks", { effect: "hostile" }, async (api) => {
    // More bytes on the wire than a body may have; the body itself has fewer.
    const request = chunked(refusedPost(api), emptyCreate.padEnd(15_000), 1);
    expectProblem(answered(await api.raw(api.rawRequest(request)), "15,000 chunks of one byte"), 422, "invalid-input");
    await expectRight(api);
  }),
  check("http/stays-alive#one-byte-segments", { effect: "hostile" }, async (api) => {
    const bytes = api.rawRequest({ target: api.path(SYSINFO) });
    const segments = Array.from(bytes, (byte) => Buffer.from([byte]));
    expectSuccess(answered(await api.raw(segments), "a request in segments of one byte"), "sysinfo");
    await expectRight(api);
  }),
  check("http/stays-alive#aborted-create", { effect: "write", alone: true }, async (api) => {
    const data = api.example("user.create");
    const whole = api.rawRequest(requestOf(api, "user.create", { input: data }));
    // All but the last byte: a server that counts on the rest would create half a user, or one.
    for (let time = 0; time < 5; time += 1) await send(api, whole.subarray(0, whole.length - 1), true);
    await expectRight(api);
    expectSuccess(await api.call("user.create", { input: data }), "user.create");
  }),
];
