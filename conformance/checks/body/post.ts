import type { Api } from "../../client/api.ts";
import { expectProblem } from "../../client/expect.ts";
import type { Reply } from "../../client/reply.ts";
import { inCase } from "../probe.ts";
import { expectNotCreated } from "../state.ts";

/** Words for a POST whose body, or the header fields that describe it, are at fault. */

/** A user that nothing but the fault under trial keeps from being created. */
export const goodBody = (email: string, name = "Ada Lovelace") =>
  JSON.stringify({ "@": "user.create", data: { name, email } });

/** Well-formed, but refused for its input: to see that a body was read without creating anything. */
export const readableBody = '{"@":"user.create","data":{}}';

export const post = (
  api: Api,
  body: string | Buffer,
  headers: Readonly<Record<string, string | null>> = {},
): Promise<Reply> => api.call("user.create", { body, headers });

/** One body, in words for the report. */
export type Body = readonly [what: string, body: string | Buffer];

/** Each body is refused as no JSON, and none of them creates the user that this address is for. */
export async function expectMalformed(api: Api, email: string, bodies: readonly Body[]): Promise<void> {
  await expectRead(api, [["the same request with a body that is right", readableBody]]);
  for (const [what, body] of bodies)
    await inCase(what, async () => expectProblem(await post(api, body), 400, "malformed-json", "user.create"));
  await expectNotCreated(api, [email]);
}

/** Each body is read: what is refused is its input. */
export async function expectRead(api: Api, bodies: readonly Body[]): Promise<void> {
  for (const [what, body] of bodies)
    await inCase(what, async () => expectProblem(await post(api, body), 422, "invalid-input", "user.create"));
}
