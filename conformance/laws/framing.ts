import type { Difference, Memory } from "../exchange.ts";
import { differs } from "./difference.ts";
import { always, law, type ViewLaw } from "./law.ts";
import { takes } from "./representations.ts";
import type { View } from "./view.ts";

/** Laws for the length of every response (D13). */

/** RFC 9110, 8.6: a response without content has no `Content-Length`, or that of the earlier 200 with the same tag. */
function noContent(view: View, memory: Memory): Difference | null {
  const [length] = view.values("content-length");
  const [tag] = view.values("etag");
  const known = `the length of what has the ETag ${tag}`;
  if (view.status === 200) memory.set(known, `${view.response.body.length + view.response.omitted}`);
  if (length === undefined || view.status === 200) return null;
  if (view.status === 204) return differs("header:content-length", "a 204 without Content-Length", length);
  const wanted = memory.get(known);
  // A representation has content: even if its 200 was not recorded, its length is not 0.
  if (wanted === undefined ? length !== "0" : length === wanted) return null;
  return differs("header:content-length", `none, or that of its 200, ${wanted ?? "not 0"}`, length);
}

const isWithoutContent = ({ status, isConnect }: View) => (status === 204 || status === 304) && !isConnect;
/** Of several requests on one connection, one may be HEAD: the body of a response must be there as well. */
const isTagged = (view: View) =>
  view.status === 200 && !view.isHead && view.response.body.length > 0 && view.values("etag").length > 0;

/** One length in digits, or chunks, which HTTP/1.0 does not have (RFC 9112, 6); no coding that the caller does not accept. */
function oneLength(view: View): Difference | null {
  const lengths = view.values("content-length");
  const coding = view.header("transfer-encoding");
  const isOne =
    lengths.length === 0 || (lengths.length === 1 && coding === undefined && /^\d+$/.test(lengths[0] ?? ""));
  if (!isOne)
    return differs("header:content-length", "one length in digits, or chunks", [...lengths, coding].join(", "));
  if (coding !== undefined && view.request.version === "1.0")
    return differs("header:transfer-encoding", "a response without chunks to HTTP/1.0", coding);
  if (!view.isPredicted || ["", "identity"].includes(view.coding) || takes(view, view.coding)) return null;
  return differs("header:content-encoding", "no coding but those that the caller accepts", view.coding);
}

export const framingLaws: readonly ViewLaw[] = [
  law("http/no-content-length", (view) => isWithoutContent(view) || isTagged(view), noContent),
  law("http/content-length", always, oneLength),
];
