import type { Difference, Memory } from "../exchange.ts";
import { differs, excerpt } from "./difference.ts";
import { law, type ViewLaw } from "./law.ts";
import type { View } from "./view.ts";

/** The id of every response (D12): the caller's, or a new one. */

const FORM = /^[A-Za-z0-9._-]{1,64}$/;

/** Rejections before the header is read: an id of the service is right too. */
const UNREAD = new Set<string | null>(["malformed-request", "request-timeout", "uri-too-long", "headers-too-large"]);

const id = (expected: string, actual: string) => differs("header:x-request-id", expected, actual);
const idOf = (view: View) => view.header("x-request-id") ?? "";
/** A response with an `ETag` may come from a shared cache: it has an id of the service, which other responses may have too. */
const isStored = (view: View) => view.header("etag") !== undefined;

/** Whether a response has the caller's id: it holds nothing of the form of a key. */
function isGood({ contract }: View, sent: readonly string[]): boolean {
  const [own = ""] = sent;
  const isKey = new RegExp(`${contract.keys.prefix}[0-9a-f]|[0-9a-f]{40}`, "i").test(own);
  return sent.length === 1 && FORM.test(own) && !isKey;
}

function formed(view: View, memory: Memory): Difference | null {
  const said = idOf(view);
  if (!FORM.test(said)) return id("one X-Request-Id in [A-Za-z0-9._-]{1,64}", said || "none");
  const { prediction } = view.exchange;
  if (!prediction || isStored(view)) return null;
  const sent = view.sent("X-Request-Id");
  const [own = ""] = sent;
  if (isGood(view, sent)) {
    const codes = [view.member("code"), prediction.code, ...(prediction.or ?? [])];
    const isRight = said === own || codes.some((code) => UNREAD.has(code));
    return isRight ? null : id(`the caller's X-Request-Id ${own}`, said);
  }
  const given = [view.request.target, ...view.request.fields.map(([, value]) => value)];
  const repeated = sent.find((one) => one.length > 3 && view.head.some(([, line]) => line.includes(one)));
  if (repeated !== undefined || given.some((text) => text.includes(said)))
    return id("a new X-Request-Id, and nothing of the caller's", excerpt(repeated ?? said));
  if (memory.has(`the id ${said}`)) return id("a new X-Request-Id for each response", `the same again: ${said}`);
  memory.set(`the id ${said}`, "");
  return null;
}

const stored = (view: View) =>
  view.sent("X-Request-Id").includes(idOf(view)) ? id("an id of the service's own beside an ETag", idOf(view)) : null;

export const requestIdLaws: readonly ViewLaw[] = [
  law("http/request-id", (view) => !view.isConnect, formed),
  law("http/request-id-stored", (view) => view.isPredicted && isStored(view), stored),
];
