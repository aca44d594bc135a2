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

/** If the body contains the method of its request, it is one character longer for HEAD. */
const isLength = (length: string | undefined, get: Reply) =>
  /\bGET\b/.test(get.text) && Number(length) === Number(get.header("content-length")) + 1;

/** How a response to HEAD differs from that to the same request by GET; null if it does not. */
export function differsFromGet(head: Reply, get: Reply): Expectation | null {
  const found = (aspect: Expectation["aspect"], expected: string, actual: string) =>
    new Expectation(aspect, `${expected}, as to GET`, `${actual} to HEAD`, null, head.exchange);
  if (head.status !== get.status) return found("status", `status ${get.status}`, `${head.status}`);
  const namesMethod = isLength(head.header("content-length"), get);
  for (const name of ALIKE) {
    const [wanted, actual] = [get.header(name), head.header(name)];
    // For a chunked body HEAD may have the length or not (RFC 9110, 8.6).
    const isOpen = name === "content-length" && (wanted === undefined || actual === undefined);
    if (wanted === actual || isOpen || (/^content-length$|^etag$/.test(name) && namesMethod)) continue;
    return found(`header:${name}`, `${name}: ${wanted ?? "none"}`, `${name}: ${actual ?? "none"}`);
  }
  return null;
}
