import { type Check, checkAll, type Law } from "../checks/check.ts";
import { fail } from "../client/expect.ts";
import { excerpt, headTexts, memberIn, Reply } from "../client/reply.ts";
import { fieldsOf } from "../oracle/world.ts";

/** The id of every response (D12): the caller's, or a new one. */

const FORM = /^[A-Za-z0-9._-]{1,64}$/;
const OF_A_KEY = /atp_[0-9a-f]|[0-9a-f]{40}/i;

/** Rejections before the header is read: an id of the service is right too. */
const UNREAD = new Set<string | null>(["malformed-request", "request-timeout", "uri-too-long", "headers-too-large"]);

function idOf(reply: Reply): string {
  const id = reply.header("x-request-id");
  if (id === undefined || !FORM.test(id))
    fail("header:x-request-id", "one X-Request-Id in [A-Za-z0-9._-]{1,64}", id ?? "none");
  return id;
}

/** A response with an `ETag` may come from a shared cache: it has an id of the service, which other responses may have too. */
const isStored = (reply: Reply) => reply.header("etag") !== undefined;

const formed: Law = (exchange, _, { predicted, memory }) => {
  if (!exchange.answer || exchange.request.method === "CONNECT") return;
  const reply = new Reply(exchange, exchange.answer);
  const id = idOf(reply);
  if (!predicted) return;
  const { prediction, request } = predicted;
  const sent = fieldsOf(request.fields, "X-Request-Id");
  const [own = ""] = sent;
  const isGood = sent.length === 1 && FORM.test(own) && !OF_A_KEY.test(own);
  if (isGood && !isStored(reply)) {
    const codes = [memberIn(reply.body, "code"), prediction.code, ...(prediction.or ?? [])];
    if (id !== own && !codes.some((code) => UNREAD.has(code)))
      fail("header:x-request-id", `the caller's X-Request-Id ${own}`, id);
    return;
  }
  const given = [request.target, ...request.fields.map(([, value]) => value)];
  const repeated = sent.find((each) => each.length > 3 && holds(exchange.answer, each));
  if (!isGood && !isStored(reply) && (repeated !== undefined || given.some((text) => text.includes(id))))
    fail("header:x-request-id", "a new X-Request-Id, and nothing of the caller's", excerpt(repeated ?? id));
  if (isStored(reply) || id === own) return;
  if (memory.has(id)) fail("header:x-request-id", "a new X-Request-Id for each response", `the same again: ${id}`);
  memory.set(id, "");
};

const holds = (answer: Parameters<typeof headTexts>[0] | null, text: string) =>
  answer !== null && headTexts(answer).some(([, line]) => line.includes(text));

const stored: Law = (exchange, _, { predicted }) => {
  if (!exchange.answer || !predicted) return;
  const reply = new Reply(exchange, exchange.answer);
  if (!isStored(reply)) return;
  const id = idOf(reply);
  if (fieldsOf(predicted.request.fields, "X-Request-Id").includes(id))
    fail("header:x-request-id", "an id of the service's own beside an ETag", id);
};

export const requestIdLaws: readonly Check[] = [
  checkAll("http/request-id", formed),
  checkAll("http/request-id-stored", stored),
];
