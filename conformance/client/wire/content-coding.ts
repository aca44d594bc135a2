import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { Expectation } from "../expectation.ts";
import type { Answer, Exchange } from "./exchange.ts";
import { MOST_RECEIVED } from "./gathered.ts";

type Decoder = (bytes: Buffer, options?: { readonly maxOutputLength: number }) => Buffer;

/** A few bytes may stand for any number of them: no more than those of a response are made. */
const bounded =
  (decode: Decoder): ((bytes: Buffer) => Buffer) =>
  (bytes) => {
    try {
      return decode(bytes, { maxOutputLength: MOST_RECEIVED });
    } catch (error) {
      if (!(error instanceof RangeError)) throw error;
      const found = `${bytes.length} bytes in a content coding that stand for more`;
      throw new Expectation("body", "a body of at most 1 MiB", found);
    }
  };

/** What undoes a content coding (RFC 9110, 8.4.1); each throws for bytes that are not in it, an `Expectation` for too many. */
export const decoders: ReadonlyMap<string, (bytes: Buffer) => Buffer> = new Map([
  ["gzip", bounded(gunzipSync)],
  ["x-gzip", bounded(gunzipSync)],
  ["deflate", bounded(inflateSync)],
  ["br", bounded(brotliDecompressSync)],
]);

const isField = (wanted: string) => (field: readonly [name: string, value: string]) =>
  field[0].toLowerCase() === wanted;

const codingOf = (answer: Answer) => answer.headers.find(isField("content-encoding"))?.[1].toLowerCase() ?? "";

/** The answer without its content coding; as it is where that cannot be taken off. */
export function decoded(answer: Answer): Answer {
  try {
    return { ...answer, body: decoders.get(codingOf(answer))?.(answer.body) ?? answer.body };
  } catch (error) {
    if (error instanceof Expectation) throw error;
    return answer;
  }
}

/** An answer as whoever asked for a coding reads it; as it came where it is in none, or in one that nobody asked for. */
export function uncoded({ request, answer }: Exchange): Answer | null {
  if (!answer) return null;
  const coding = codingOf(answer);
  const asked = request.headers.some((field) => isField("accept-encoding")(field) && field[1].includes(coding));
  const read = asked ? decoded(answer) : answer;
  if (read.body === answer.body) return answer;
  return { ...read, headers: answer.headers.filter((field) => !isField("content-encoding")(field)) };
}
