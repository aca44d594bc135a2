import { brotliDecompressSync, gunzipSync, inflateSync } from "node:zlib";
import type { Defect } from "../../defect.ts";
import { header } from "../../look.ts";
import { withHeader, withoutHeader } from "../../shape.ts";
import { answersWith } from "../../when.ts";

const area = "media type";
const requirements = ["http/content-encoding"];

export const codingDefects: readonly Defect[] = [
  {
    id: "media-type/coding-ignored",
    area,
    description: "Ignores Content-Encoding.",
    requirements,
    catches: ["http/content-encoding#coded", "http/content-encoding#named-only"],
    reason: /415/,
    request: (request) => withoutHeader(request, "Content-Encoding"),
  },
  {
    id: "media-type/coding-undone",
    area,
    description: "Decompresses bodies.",
    requirements,
    catches: ["http/content-encoding#coded"],
    reason: /415/,
    request: (request) => {
      const coding = header(request, "Content-Encoding")?.toLowerCase();
      const decoders = { gzip: gunzipSync, deflate: inflateSync, br: brotliDecompressSync };
      const decode = Object.entries(decoders).find(([name]) => name === coding)?.[1];
      if (!decode) return request;
      try {
        return { ...withoutHeader(request, "Content-Encoding"), body: decode(request.body) };
      } catch {
        return request;
      }
    },
  },
  {
    id: "media-type/unknown-coding-ignored",
    area,
    description: "Ignores a Content-Encoding that it does not know.",
    requirements,
    catches: ["http/content-encoding#named-only"],
    reason: /415/,
    request: (request) =>
      /gzip|deflate|br|compress/i.test(header(request, "Content-Encoding") ?? "")
        ? request
        : withoutHeader(request, "Content-Encoding"),
  },
  {
    id: "media-type/without-accept-encoding",
    area,
    description: "Does not say that it takes no content coding.",
    requirements,
    catches: ["http/content-encoding#coded", "http/content-encoding#named-only"],
    reason: /no Accept-Encoding/,
    answer: answersWith(415, (answer) => withoutHeader(answer, "Accept-Encoding")),
  },
  {
    id: "media-type/identity-refused",
    area,
    description: "Refuses every Content-Encoding, identity too.",
    requirements,
    catches: ["http/content-encoding#identity"],
    reason: /identity taken/,
    request: (request) =>
      header(request, "Content-Encoding") === null ? request : withHeader(request, "Content-Encoding", "none"),
  },
];
