import type { Api } from "../../client/api.ts";
import type { Reply } from "../../client/reply.ts";
import { expectRefusedAs, inCase, shown, toJudge } from "../probe.ts";
import { expectNotCreated } from "../state.ts";

/** Words for a POST whose body, or the header fields that describe it, are at fault. */

/** A user that nothing but the fault under trial keeps from being created. */
export const goodBody = (email: string, name = "Ada Lovelace") =>
  JSON.stringify({ "@": "user.create", data: { name, email } });

/** Well-formed, but refused for its input: to see that a body was read without creating anything. */
export const readableBody = '{"@":"user.create","data":{}}';

/** The same with this as the name, which stands as it is. */
export const withName = (value: string) => `{"@":"user.create","data":{"name":${value}}}`;

/** The same with members beside `@`. */
export const withMembers = (members: string) => `{"@":"user.create",${members}}`;

export const post = (
  api: Api,
  body: string | Buffer,
  headers: Readonly<Record<string, string | null>> = {},
): Promise<Reply> => api.call("user.create", { body, headers });

/** One body; bytes, and what is long, in words for the report. */
export type Body = string | readonly [what: string, body: string | Buffer];

async function eachBody(api: Api, bodies: readonly Body[], judge: (reply: Reply) => void): Promise<void> {
  for (const one of toJudge(bodies, "body")) {
    const [what, body] = typeof one === "string" ? [shown(one), one] : one;
    await inCase(what, async () => judge(await post(api, body)));
  }
}

/** The body was read: what is refused is its input. */
export const expectInput = (reply: Reply) => expectRefusedAs(reply, "invalid-input");

/** Each body is read. */
export const expectRead = (api: Api, bodies: readonly Body[]): Promise<void> => eachBody(api, bodies, expectInput);

/** Each body is refused as no JSON, and none of them creates the user that this address is for. */
export async function expectMalformed(api: Api, email: string, bodies: readonly Body[]): Promise<void> {
  await eachBody(api, bodies, (reply) => expectRefusedAs(reply, "malformed-json"));
  await expectRead(api, [["the same request with a body that is right", readableBody]]);
  await expectNotCreated(api, [email]);
}
