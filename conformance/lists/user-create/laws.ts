import type { Check } from "../../checks/check.ts";
import { fail } from "../../client/expect.ts";
import { excerpts } from "../../client/reply.ts";
import { agree, type Success, successLaw } from "../../laws/success.ts";
import { isObject } from "../../oracle/schema.ts";

/** Laws for every command that created a record. */

const creates = ({ request, reply, json }: Success) =>
  request.method === "POST" && reply.status === 201 && json !== null;

/** Its members have the values that were sent. */
function asSent({ request, json }: Success): void {
  const { data } = Object(JSON.parse(Buffer.from(request.body, "latin1").toString()));
  for (const [name, sent] of Object.entries(isObject(data) ? data : {})) {
    const [expected, actual] = [JSON.stringify(sent), JSON.stringify(json?.[name]) ?? "absent"];
    if (json && name in json && expected !== actual) fail(`body:/${name}`, ...excerpts(expected, actual));
  }
}

const MINUTE = 60_000;
const UUID_7 = /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/i;

const isNew = (success: Success) =>
  success.operation?.id === "user.create" && creates(success) && !success.reply.header("idempotent-replayed");
const timesOf = ({ json }: Success) => ({
  createdAt: Date.parse(String(json?.createdAt)),
  ofId: Number.parseInt(String(json?.id).replaceAll("-", "").slice(0, 12), 16),
});
/** Within a minute of the `Date` of the response, or of the other time without one: the clocks of replicas differ. */
function isNow({ reply }: Success, time: number, other: number): boolean {
  const date = Date.parse(reply.header("date") ?? "");
  return Math.abs(time - (Number.isNaN(date) ? other : date)) <= MINUTE;
}

export const createLaws: readonly Check[] = [
  successLaw("user.create/as-sent#every-response", creates, asSent),
  successLaw("user.create/created-at#every-response", isNew, (success) => {
    const { createdAt, ofId } = timesOf(success);
    if (!isNow(success, createdAt, ofId))
      fail("body:/createdAt", "the time of the response", String(success.json?.createdAt));
  }),
  successLaw("user.create/id#every-response", isNew, (success, memory) => {
    const { createdAt, ofId } = timesOf(success);
    const id = String(success.json?.id);
    if (!UUID_7.test(id)) fail("body:/id", "a UUID of version 7", id);
    if (!isNow(success, ofId, createdAt))
      fail("body:/id", "an id with the time of the response", `${id}, of ${ofId} ms`);
    // The last bits are random (RFC 9562, 5.7): none can be guessed from another.
    agree(memory, `the id that ends in ${id.slice(19)}`, id, "body:/id");
  }),
];
