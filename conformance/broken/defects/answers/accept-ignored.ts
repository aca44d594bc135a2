import type { Defect } from "../../defect.ts";
import { respondProblem } from "../../shape.ts";
import { checksOf } from "../dispatch/words.ts";
import { accept, readAs, refusing } from "./words.ts";

const area = "negotiation";

const tolerated = checksOf("answers/not-acceptable#not-too-strict");
const malformed = checksOf("answers/accept-ignored#malformed");
const parameters = checksOf("answers/accept-ignored#parameters");

const wellFormed =
  /^\s*[\w!#$&^.+*-]+\/[\w!#$&^.+*-]+\s*(;\s*(q=(0(\.\d{0,3})?|1(\.0{0,3})?)|(?!q=)[^;,=]+=("[^"]*"|[^;,"]*))\s*)*$/i;

export const acceptIgnoredDefects: readonly Defect[] = [
  {
    id: "accept/one-type-only",
    area,
    description: "Takes application/json and */* as they stand, and nothing else.",
    requirements: ["answers/not-acceptable", "answers/accept-ignored"],
    catches: [...tolerated, ...parameters, ...malformed],
    reason: /200|422/,
    request: refusing(
      (value) => !["application/json", "*/*", "text/markdown", "text/plain", "text/html"].includes(value),
    ),
  },
  {
    id: "accept/first-ten-types",
    area,
    description: "Reads the first ten types of Accept.",
    requirements: ["answers/not-acceptable"],
    catches: tolerated,
    reason: /200|422/,
    request: readAs((value) => (value.includes("image/x-") ? value.split(",").slice(0, 10).join() : value)),
  },
  {
    id: "accept/letter-case",
    area,
    description: "Compares media types with regard to letter case.",
    requirements: ["answers/not-acceptable"],
    catches: tolerated,
    reason: /200|422/,
    request: refusing((value) => /[A-Z]/.test(value.replace(/q=/gi, ""))),
  },
  {
    id: "accept/no-ranges",
    area,
    description: "Does not know `application/*`.",
    requirements: ["answers/not-acceptable"],
    catches: tolerated,
    reason: /200|422/,
    request: refusing((value) => value === "application/*"),
  },
  {
    id: "accept/first-type-only",
    area,
    description: "Reads only the first type of a list.",
    requirements: ["answers/not-acceptable"],
    catches: tolerated,
    reason: /200|422/,
    request: readAs((value) => value.split(",")[0]?.trim() ?? value),
  },
  {
    id: "accept/malformed-406",
    area,
    description: "Answers 406 to an Accept that it cannot read.",
    requirements: ["answers/accept-ignored"],
    catches: malformed,
    reason: /200|422/,
    request: refusing((value) => value.split(",").some((each) => !wellFormed.test(each)) && !/"/.test(value)),
  },
  {
    id: "accept/malformed-400",
    area,
    description: "Answers 400 to an Accept that it cannot read.",
    requirements: ["answers/accept-ignored"],
    catches: malformed,
    reason: /200|422/,
    request: (request) =>
      accept(request) !== "" && !accept(request).includes("/") ? respondProblem(400, "malformed-request") : request,
  },
  {
    id: "accept/malformed-crashes",
    area,
    description: "Fails on a weight that is no number.",
    requirements: ["answers/accept-ignored"],
    catches: malformed,
    reason: /200|422/,
    request: (request) => (/q=abc/.test(accept(request)) ? respondProblem(500, "internal-error") : request),
  },
  {
    id: "accept/bad-weight-is-one",
    area,
    description: "Takes a weight that it cannot read for 1.",
    requirements: ["answers/accept-ignored"],
    catches: malformed,
    reason: /200|422/,
    request: readAs((value) => value.replace(/;q=(abc|2|-1|0\.0001)?$/, "")),
  },
  {
    id: "accept/parameters-compared",
    area,
    description: "Compares the parameters of media types.",
    requirements: ["answers/accept-ignored"],
    catches: parameters,
    reason: /200|422/,
    request: refusing((value) => /;\s*(version|profile|level|title|indent|a)=/.test(value)),
  },
  {
    id: "accept/charset-compared",
    area,
    description: "Answers 406 when Accept asks for another charset.",
    requirements: ["answers/accept-ignored"],
    catches: parameters,
    reason: /200|422/,
    request: refusing((value) => /charset=(?!utf-8)/i.test(value)),
  },
  {
    id: "accept/quotes-not-read",
    area,
    description: "Splits Accept at commas and semicolons inside of quotes.",
    requirements: ["answers/accept-ignored"],
    catches: parameters,
    reason: /200|422/,
    request: refusing((value) => /"[^"]*;q=0"/.test(value)),
  },
];
