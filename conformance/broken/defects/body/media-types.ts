import type { Defect, ProxyRequest } from "../../defect.ts";
import { values } from "../../head.ts";
import { header } from "../../look.ts";
import { withHeader, withoutHeader, withStatus } from "../../shape.ts";
import { answersWith } from "../../when.ts";

const area = "media type";
const requirements = ["http/media-type"];
const typed = ["other", "missing", "form", "multipart", "without-a-body"].map(
  (variant) => `http/media-type#${variant}`,
);
const TYPE = "Content-Type";
const JSON_TYPE = "application/json";

/** Takes what the test says for JSON. */
const taking = (test: (type: string) => boolean) => (request: ProxyRequest) =>
  request.method === "POST" && test(header(request, TYPE) ?? "") ? withHeader(request, TYPE, JSON_TYPE) : request;

/** Refuses the JSON that the test speaks of. */
const refusing = (test: (type: string) => boolean) => (request: ProxyRequest) =>
  request.method === "POST" && test(header(request, TYPE) ?? "") ? withHeader(request, TYPE, "text/plain") : request;

/** The request as JSON with these members, where a form has them. */
function fromForm(request: ProxyRequest, fields: ReadonlyMap<string, string>): ProxyRequest {
  const data = { name: fields.get("name") ?? fields.get("data[name]"), email: fields.get("email") };
  return { ...withHeader(request, TYPE, JSON_TYPE), body: Buffer.from(JSON.stringify({ "@": fields.get("@"), data })) };
}

export const mediaTypeDefects: readonly Defect[] = [
  {
    id: "media-type/not-judged",
    area,
    description: "Reads a POST as JSON whatever its type is.",
    requirements,
    catches: requirements,
    reason: /415/,
    request: taking(() => true),
  },
  {
    id: "media-type/prefix",
    area,
    description: "Takes every type that begins with application/json.",
    requirements,
    catches: ["http/media-type#other"],
    reason: /415/,
    request: taking((type) => type.startsWith(JSON_TYPE)),
  },
  {
    id: "media-type/structured-suffix",
    area,
    description: "Takes every type that ends in +json.",
    requirements,
    catches: ["http/media-type#other"],
    reason: /415/,
    request: taking((type) => type.endsWith("+json")),
  },
  {
    id: "media-type/contained",
    area,
    description: "Takes a type that has application/json anywhere in it.",
    requirements,
    catches: ["http/media-type#other"],
    reason: /415/,
    request: taking((type) => type.includes(JSON_TYPE)),
  },
  {
    id: "media-type/text-json",
    area,
    description: "Takes text/json and text/plain.",
    requirements,
    catches: ["http/media-type#other"],
    reason: /415/,
    request: taking((type) => /^text\/(json|plain)/.test(type)),
  },
  {
    id: "media-type/guessed",
    area,
    description: "Takes a POST without a type for JSON.",
    requirements,
    catches: ["http/media-type#missing"],
    reason: /415/,
    request: taking((type) => type === ""),
  },
  {
    id: "media-type/judged-with-a-body-only",
    area,
    description: "Judges the type of a body only where there is one.",
    requirements,
    catches: ["http/media-type#without-a-body"],
    reason: /415/,
    request: (request) =>
      request.method === "POST" && request.body.length === 0 ? withHeader(request, TYPE, JSON_TYPE) : request,
  },
  ...[0, -1].map((place) => ({
    id: `media-type/${place === 0 ? "first" : "last"}-of-two`,
    area,
    description: `Takes the ${place === 0 ? "first" : "last"} of two types.`,
    requirements,
    catches: ["http/media-type#twice"],
    reason: /415/,
    request: (request: ProxyRequest) => {
      const types = values(request.headers, TYPE);
      return types.length > 1 ? withHeader(request, TYPE, types.at(place) ?? "") : request;
    },
  })),
  {
    id: "media-type/form",
    area,
    description: "Takes forms as well.",
    requirements,
    catches: ["http/media-type#form"],
    reason: /415/,
    request: (request) =>
      /urlencoded/.test(header(request, TYPE) ?? "")
        ? fromForm(request, new Map(new URLSearchParams(request.body.toString())))
        : request,
  },
  {
    id: "media-type/multipart",
    area,
    description: "Takes multipart forms as well.",
    requirements,
    catches: ["http/media-type#multipart"],
    reason: /415/,
    request: (request) =>
      /multipart/.test(header(request, TYPE) ?? "")
        ? fromForm(
            request,
            new Map(
              [...request.body.toString().matchAll(/name="([^"]+)"\r\n\r\n(.*)\r\n/g)].map(
                ([, name = "", value = ""]) => [name, value],
              ),
            ),
          )
        : request,
  },
  {
    id: "media-type/without-accept",
    area,
    description: "Does not say which type it takes.",
    requirements,
    catches: typed,
    reason: /Accept: application\/json/,
    answer: answersWith(415, (answer) => withoutHeader(answer, "Accept")),
  },
  {
    id: "media-type/accepts-anything",
    area,
    description: "Says that it takes any type, where it does not.",
    requirements,
    catches: typed,
    reason: /Accept: application\/json/,
    answer: answersWith(415, (answer) => withHeader(answer, "Accept", "*/*")),
  },
  {
    id: "media-type/as-400",
    area,
    description: "Answers 400 in place of 415.",
    requirements: ["http/media-type", "http/charset", "http/content-encoding"],
    catches: ["http/media-type", "http/charset", "http/content-encoding#coded", "http/content-encoding#named-only"],
    reason: /status 415/,
    answer: answersWith(415, (answer) => withStatus(answer, 400)),
  },
  {
    id: "media-type/letter-case",
    area,
    description: "Takes application/json in small letters only.",
    requirements: ["http/media-type-spelling"],
    catches: ["http/media-type-spelling"],
    reason: /JSON taken/i,
    request: refusing((type) => /^[^;]*[A-Z]/.test(type)),
  },
  {
    id: "media-type/no-parameters",
    area,
    description: "Compares the whole header field with application/json.",
    requirements: ["http/media-type-spelling"],
    catches: ["http/media-type-spelling"],
    reason: /charset=utf-8 taken/,
    request: refusing((type) => type.includes(";")),
  },
  {
    id: "media-type/quoted-charset",
    area,
    description: "Does not know that a parameter's value may be quoted.",
    requirements: ["http/media-type-spelling"],
    catches: ["http/media-type-spelling"],
    reason: /charset="utf-8" taken/,
    request: refusing((type) => type.includes('"')),
  },
  {
    id: "media-type/charset-letter-case",
    area,
    description: "Takes utf-8 in small letters only.",
    requirements: ["http/media-type-spelling"],
    catches: ["http/media-type-spelling"],
    reason: /charset=UTF-8 taken/i,
    request: refusing((type) => /UTF/.test(type)),
  },
  {
    id: "media-type/charset-ignored",
    area,
    description: "Reads every charset as UTF-8.",
    requirements: ["http/charset"],
    catches: ["http/charset"],
    reason: /415/,
    request: taking((type) => /charset/i.test(type)),
  },
  {
    id: "media-type/charset-any-utf",
    area,
    description: "Takes every charset that begins with utf-.",
    requirements: ["http/charset"],
    catches: ["http/charset"],
    reason: /415/,
    request: taking((type) => /charset="?utf-/i.test(type)),
  },
  {
    id: "media-type/charset-latin1",
    area,
    description: "Takes ISO-8859-1 and US-ASCII.",
    requirements: ["http/charset"],
    catches: ["http/charset"],
    reason: /415/,
    request: taking((type) => /charset="?(iso-8859|us-ascii)/i.test(type)),
  },
];
