import type { Difference, Memory } from "../exchange.ts";
import { differs, excerpt } from "./difference.ts";
import { agree, hasContent, isSuccess, law, type ViewLaw } from "./law.ts";
import type { View } from "./view.ts";

/** Tags and content codings (D12, D31) of any representation. */

const TAG = /^(?:W\/)?("[\x21\x23-\x7e\x80-\xff]+")$/;

/**
 * One tag for each representation, the same each time; a conditional request with it gets 304, with the same tag (RFC 9110,
 * 13.1.2 and 15.4.5).
 */
const tagged = (form: RegExp, expected: string) => {
  const check = (view: View, memory: Memory): Difference | null => {
    const { place, status } = view;
    const tag = view.values("etag").join(" and ");
    if (!form.test(tag)) return differs("header:etag", expected, tag === "" ? "none" : excerpt(tag));
    const sent = view.sent("If-None-Match").join(", ");
    const isSent = sent === "*" || sent.includes(TAG.exec(tag)?.[1] ?? "");
    if (status === 304) return isSent ? null : differs("header:etag", `304 with one of ${sent}`, tag);
    if (isSent && sent !== "") return differs("status", `304, since the caller has ${tag}`, "200");
    const what = `${view.mediaType} in ${view.coding}`;
    const [accept, coded] = ["Accept", "Accept-Encoding"].map((name) => view.sent(name).join(", "));
    return (
      agree(memory, `the ETag of ${place} as ${what}`, tag, "header:etag") ??
      agree(memory, `the ETag of ${place} for Accept: ${accept} and Accept-Encoding: ${coded}`, tag, "header:etag") ??
      (tag.startsWith("W/") ? null : agree(memory, `what ${place} is under the ETag ${tag}`, what, "header:etag"))
    );
  };
  return (id: string, of: (view: View) => boolean): ViewLaw => law(id, (view) => isSuccess(view) && of(view), check);
};
export const taggedLaw = tagged(TAG, 'one ETag such as "abc"');
export const stronglyTaggedLaw = tagged(/^"[\x21\x23-\x7e\x80-\xff]+"$/, 'one strong ETag such as "abc"');

/** Whether a caller accepts this coding (RFC 9110, 12.5.3). */
export function takes(view: View, coding: string): boolean {
  const all = view.sent("Accept-Encoding").flatMap((value) => value.toLowerCase().split(","));
  const weights = new Map(
    all.map((one) => {
      const [name = "", weight = "q=1"] = one.split(";").map((part) => part.trim());
      return [name, Number(weight.replace("q=", ""))] as const;
    }),
  );
  return (weights.get(coding) ?? weights.get("*") ?? 0) > 0;
}

/** The content coding is one that the caller accepts, and the decoded content is the same for every caller. */
export const codedLaw = (id: string, of: (view: View) => boolean): ViewLaw =>
  law(
    id,
    (view) => hasContent(view) && of(view),
    (view, memory) => {
      const { coding, decoded } = view;
      if (coding !== "identity" && !takes(view, coding))
        return differs("header:content-encoding", "no coding but those that the caller takes", coding);
      if (!decoded) return differs("body", `bytes in ${coding}`, `${view.response.body.length} bytes that are not`);
      return agree(memory, `${view.place} as ${view.mediaType}`, decoded.toString("latin1"));
    },
  );
