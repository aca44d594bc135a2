import { type Check, checkAll, type Law } from "../checks/check.ts";
import { fail } from "../client/expect.ts";
import { excerpt, Reply } from "../client/reply.ts";
import { fieldsOf } from "../oracle/world.ts";
import { taggedLaw, takes } from "./representations.ts";

/** Laws for the length of every response, and for the files next to the endpoint (D11, D13). */

/** RFC 9110, 8.6: a response without content has no `Content-Length`, or that of the earlier 200 with the same tag. */
const noContent: Law = ({ request, answer }, _, { memory }) => {
  const [length, tag] = ["Content-Length", "ETag"].map((name) => fieldsOf(answer?.headers ?? [], name)[0]);
  // Of pipelined requests only the first is recorded, so the body of a response must be checked as well.
  if (tag !== undefined && answer?.status === 200 && request.method !== "HEAD" && answer.body.length > 0)
    memory.set(tag, `${answer.body.length}`);
  if (length === undefined || request.method === "CONNECT") return;
  if (answer?.status === 204) fail("header:content-length", "a 204 without Content-Length", length);
  if (answer?.status !== 304) return;
  const wanted = memory.get(tag ?? "");
  // A representation has content: even if its 200 was not recorded, its length is not 0.
  if (wanted === undefined ? length === "0" : length !== wanted)
    fail("header:content-length", `none, or that of its 200, ${wanted ?? "not 0"}`, length);
};

/** One length in digits, or chunks, which HTTP/1.0 does not have (RFC 9112, 6); no coding that the caller does not accept. */
const oneLength: Law = ({ answer, request }, _, { predicted }) => {
  const values = (name: string) => fieldsOf(answer?.headers ?? [], name);
  const [lengths, [coding]] = [values("Content-Length"), values("Transfer-Encoding")];
  if (lengths.length > 1 || (lengths.length === 1 && (coding !== undefined || !/^\d+$/.test(lengths[0] ?? ""))))
    fail("header:content-length", "one length in digits, or chunks", [...lengths, coding ?? ""].join(", "));
  if (coding !== undefined && / HTTP\/1\.0\r\n/.test(request.raw?.toString("latin1", 0, 10_000) ?? ""))
    fail("header:transfer-encoding", "a response without chunks to HTTP/1.0", coding);
  const coded = values("Content-Encoding").join(", ").toLowerCase();
  if (predicted && !["", "identity"].includes(coded) && !takes(predicted.request, coded))
    fail("header:content-encoding", "no coding but those that the caller accepts", coded);
};

const robots: Law = (exchange, _, { predicted }) => {
  const { answer } = exchange;
  if (!answer || predicted?.place !== "/robots.txt" || answer.status !== 200) return;
  const { mediaType, text } = new Reply(exchange, answer);
  if (mediaType !== "text/plain") fail("header:content-type", "text/plain", mediaType || "none");
  if (predicted.request.method === "GET" && !/^(?:user-agent|#|sitemap)/im.test(text))
    fail("body", "the lines of a robots.txt", excerpt(text));
};

export const framingLaws: readonly Check[] = [
  checkAll("http/no-content-length", noContent),
  checkAll("http/content-length#every-response", oneLength),
  checkAll("http/robots#every-response", robots),
  taggedLaw("http/robots-etag#every-response", ({ place }) => place === "/robots.txt"),
];
