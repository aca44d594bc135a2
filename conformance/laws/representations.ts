import type { Check } from "../checks/check.ts";
import { decoded } from "../client/coding.ts";
import { fail } from "../client/expect.ts";
import { excerpt, Reply } from "../client/reply.ts";
import { fieldsOf, type Request } from "../oracle/world.ts";
import { agree, type Success, successLaw } from "./success.ts";

/** Tags and content codings (D12, D31) of any representation. */

type Law = (id: Parameters<typeof successLaw>[0], of: (success: Success) => boolean) => Check;

const TAG = /^(?:W\/)?("[\x21\x23-\x7e\x80-\xff]+")$/;

/**
 * One tag for each representation, the same each time; a conditional request with it gets 304, with the same tag (RFC 9110,
 * 13.1.2 and 15.4.5).
 */
const tagged = (form: RegExp, expected: string): Law => {
  return (id, of) =>
    successLaw(
      id,
      of,
      ({ reply, place, coding, request }, memory) => {
        const tag = reply.headerValues("etag").join(" and ");
        if (!form.test(tag)) fail("header:etag", expected, tag === "" ? "none" : excerpt(tag));
        const sent = fieldsOf(request.fields, "If-None-Match").join(", ");
        const isSent = sent === "*" || sent.includes(TAG.exec(tag)?.[1] ?? "");
        if (reply.status === 304 && !isSent) fail("header:etag", `304 with one of ${sent}`, tag);
        if (reply.status === 304) return;
        if (isSent && sent !== "") fail("status", `304, since the caller has ${tag}`, "200");
        const what = `${reply.mediaType} in ${coding}`;
        const [accept, coded] = ["Accept", "Accept-Encoding"].map((name) => fieldsOf(request.fields, name).join(", "));
        for (const thing of [`as ${what}`, `for Accept: ${accept} and Accept-Encoding: ${coded}`])
          agree(memory, `the ETag of ${place} ${thing}`, tag, "header:etag");
        if (!tag.startsWith("W/")) agree(memory, `what ${place} is under the ETag ${tag}`, what, "header:etag");
      },
      { bodiless: true },
    );
};
export const taggedLaw = tagged(TAG, 'one ETag such as "abc"');
export const stronglyTaggedLaw = tagged(/^"[\x21\x23-\x7e\x80-\xff]+"$/, 'one strong ETag such as "abc"');

/** Whether a caller accepts this coding (RFC 9110, 12.5.3). */
export function takes({ fields: headers }: Request, coding: string): boolean {
  const all = fieldsOf(headers, "Accept-Encoding").flatMap((value) => value.toLowerCase().split(","));
  const weights = new Map(
    all.map((one) => {
      const [name = "", weight = "q=1"] = one.split(";").map((part) => part.trim());
      return [name, Number(weight.replace("q=", ""))] as const;
    }),
  );
  return (weights.get(coding) ?? weights.get("*") ?? 0) > 0;
}

/** The content coding is one that the caller accepts, and the decoded content is the same for every caller. */
export const codedLaw: Law = (id, of) =>
  successLaw(id, of, ({ reply, request, coding, place }, memory) => {
    if (coding !== "identity" && !takes(request, coding))
      fail("header:content-encoding", "no coding but those that the caller takes", coding);
    const { exchange } = reply;
    const bytes = exchange.answer ? decoded(new Reply(exchange, exchange.answer)) : reply.body;
    agree(memory, `${place} as ${reply.mediaType}`, bytes.toString("latin1"));
  });
