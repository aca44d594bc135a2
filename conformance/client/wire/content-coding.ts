import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import { Expectation } from "../expectation.ts";
import type { Answer, Exchange } from "./exchange.ts";
import { MOST_RECEIVED } from "./gathered.ts";

type Decoder = (bytes: Buffer, options?: { readonly maxOutputLength: number }) => Buffer;

/** A few bytes may decompress to any number: no more than the limit of a response is produced. */
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

/** The decoders of content codings (RFC 9110, 8.4.1); each throws for bytes in another coding, an `Expectation` for too many. */
export const decoders: ReadonlyMap<string, (bytes: Buffer) => Buffer> = new Map([
  ["gzip", bounded(gunzipSync)],
  ["x-gzip", bounded(gunzipSync)],
  ["deflate", bounded(inflateSync)],
  ["br", bounded(brotliDecompressSync)],
]);

const isField = (wanted: string) => (field: readonly [name: string, value: string]) =>
  field[0].toLowerCase() === wanted;

const codingOf = (answer: Answer) => answer.headers.find(isField("content-encoding"))?.[1].toLowerCase() ?? "";

/** The response without its content coding; unchanged if it cannot be decoded. */
export function decoded(answer: Answer): Answer {
  try {
    return { ...answer, body: decoders.get(codingOf(answer))?.(answer.body) ?? answer.body };
  } catch (error) {
    if (error instanceof Expectation) throw error;
    return answer;
  }
}

/**
 * The response decoded, if the request accepts its coding; unchanged if it has none; null for a coding that was not requested.
 */
export function uncoded({ request, answer }: Exchange): Answer | null {
  if (!answer) return null;
  const coding = codingOf(answer);
  const asked = request.headers.some((field) => isField("accept-encoding")(field) && field[1].includes(coding));
  const read = asked ? decoded(answer) : answer;
  if (read.body === answer.body) return answer;
  return { ...read, headers: answer.headers.filter((field) => !isField("content-encoding")(field)) };
}
