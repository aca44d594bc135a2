import { fail } from "./expect.ts";
import { Expectation } from "./expectation.ts";
import type { Reply } from "./reply.ts";
import { decoders } from "./wire/content-coding.ts";

/** The coding of a response, in lower case; `identity` when it names none. */
export const codingOf = (reply: Reply): string => (reply.header("content-encoding") ?? "identity").trim().toLowerCase();

/** The body of a response without its `Content-Encoding`; a body in another coding than declared is a finding. */
export function decoded(reply: Reply): Buffer {
  const coding = codingOf(reply);
  if (coding === "identity") return reply.body;
  const decode = decoders.get(coding);
  if (!decode) fail("header:content-encoding", "a known Content-Encoding", coding);
  try {
    return decode(reply.body);
  } catch (error) {
    if (error instanceof Expectation) throw error;
    const why = error instanceof Error ? error.message : error;
    return fail("body", `bytes in ${coding}`, `${reply.body.length} bytes that are not: ${why}`);
  }
}
