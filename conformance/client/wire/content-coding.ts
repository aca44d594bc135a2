import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import type { Answer, Exchange } from "./exchange.ts";

/** What undoes a content coding (RFC 9110, 8.4.1); each throws for bytes that are not in it. */
export const decoders: ReadonlyMap<string, (bytes: Buffer) => Buffer> = new Map([
  ["gzip", gunzipSync],
  ["x-gzip", gunzipSync],
  ["deflate", inflateSync],
  ["br", brotliDecompressSync],
]);

const isField = (wanted: string) => (field: readonly [name: string, value: string]) =>
  field[0].toLowerCase() === wanted;

/** An answer as whoever asked for a coding reads it; as it came where it is in none, or in one that nobody asked for. */
export function uncoded({ request, answer }: Exchange): Answer | null {
  const coding = answer?.headers.find(isField("content-encoding"))?.[1].toLowerCase() ?? "";
  const decode = decoders.get(coding);
  const asked = request.headers.some((field) => isField("accept-encoding")(field) && field[1].includes(coding));
  if (!answer || !decode || !asked) return answer;
  const headers = answer.headers.filter((field) => !isField("content-encoding")(field));
  try {
    return { ...answer, headers, body: decode(answer.body) };
  } catch {
    return answer;
  }
}
