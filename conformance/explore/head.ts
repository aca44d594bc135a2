import { Expectation } from "../client/expectation.ts";
import type { Reply } from "../client/reply.ts";

/** HEAD is GET without the body (D5). */

const ALIKE = [
  "content-type",
  "content-length",
  "content-encoding",
  "etag",
  "vary",
  "allow",
  "location",
  "cache-control",
];

/** A body that names the method of its request is a character longer for HEAD. */
const isLength = (length: string | undefined, get: Reply) =>
  /\bGET\b/.test(get.text) && Number(length) === Number(get.header("content-length")) + 1;

/** How a response to HEAD differs from that of the same request by GET; null where it does not. */
export function differsFromGet(head: Reply, get: Reply): Expectation | null {
  const found = (aspect: Expectation["aspect"], expected: string, actual: string) =>
    new Expectation(aspect, `${expected}, as to GET`, `${actual} to HEAD`, null, head.exchange);
  if (head.status !== get.status) return found("status", `status ${get.status}`, `${head.status}`);
  const namesMethod = isLength(head.header("content-length"), get);
  for (const name of ALIKE) {
    const [wanted, actual] = [get.header(name), head.header(name)];
    // Of a body in chunks HEAD may say the length or not (RFC 9110, 8.6).
    const isOpen = name === "content-length" && (wanted === undefined || actual === undefined);
    if (wanted === actual || isOpen || (/^content-length$|^etag$/.test(name) && namesMethod)) continue;
    return found(`header:${name}`, `${name}: ${wanted ?? "none"}`, `${name}: ${actual ?? "none"}`);
  }
  return null;
}
