import type { Defect } from "../../defect.ts";
import { type JsonObject, operationOf } from "../../look.ts";
import { inEachFault, inFaults } from "./words.ts";

const invalid = {
  area: "faults",
  requirements: ["errors/invalid-input"],
  catches: ["errors/invalid-input"],
  reason: /fault|pointer|detail|list|object/,
};
const pointers = {
  area: "faults",
  requirements: ["errors/pointer"],
  catches: ["errors/pointer#members", "errors/pointer#parents"],
  reason: /a fault at|pointer must match/,
};
const parameters = {
  area: "faults",
  requirements: ["errors/parameter"],
  catches: ["errors/parameter#user.list-limit"],
  reason: /a fault of the parameter limit/,
};
const allFaults = {
  area: "faults",
  requirements: ["errors/all-faults", "errors/pointer"],
  reason: /a fault (?:at|for)/,
};

const pointing = (change: (pointer: string) => string) =>
  inEachFault((fault) => (typeof fault.pointer === "string" ? { ...fault, pointer: change(fault.pointer) } : fault));

const isOfMember = ({ pointer }: JsonObject) => /^#\/data\/\w/.test(String(pointer));

export const faultDefects: readonly Defect[] = [
  {
    ...invalid,
    id: "errors/faults-as-texts",
    description: "Lists faults as texts.",
    answer: inEachFault(({ pointer, parameter, detail }) => `${pointer ?? parameter}: ${detail}`),
  },
  {
    ...invalid,
    id: "errors/faults-by-member",
    description: "Has an object with a list for each member.",
    answer: inFaults((faults) => Object.fromEntries(faults.map(({ pointer, detail }) => [String(pointer), [detail]]))),
  },
  { ...invalid, id: "errors/faults-empty", description: "Has an empty list of faults.", answer: inFaults(() => []) },
  {
    ...invalid,
    id: "errors/faults-without-detail",
    description: "Says where a fault is, and not what it is.",
    answer: inEachFault(({ detail: _, ...fault }) => fault),
  },
  {
    ...invalid,
    id: "errors/faults-with-keyword",
    description: "Sends what its validator knows of a fault.",
    answer: inEachFault((fault) => ({ ...fault, keyword: "type", schemaPath: "#/properties" })),
  },
  {
    ...invalid,
    id: "errors/faults-without-place",
    description: "Says what is wrong, and not where.",
    answer: inEachFault(({ detail }) => ({ detail })),
  },
  {
    ...invalid,
    id: "errors/faults-with-both-places",
    description: "Has a pointer and a parameter in each fault.",
    answer: inEachFault((fault) => ({ pointer: "#", parameter: "", ...fault })),
  },
  {
    ...invalid,
    id: "errors/more-than-20",
    description: "Lists every fault, however many.",
    requirements: ["errors/at-most-20"],
    catches: ["errors/at-most-20"],
    reason: /at most 20|20/,
    answer: inFaults((faults) => Array.from({ length: 40 }, () => faults[0] ?? {})),
  },
  {
    ...allFaults,
    id: "errors/21-faults",
    description: "Lists 21 faults.",
    requirements: ["errors/at-most-20"],
    catches: ["errors/at-most-20"],
    reason: /at most 20|20/,
    answer: inFaults((faults) => Array.from({ length: 21 }, () => faults[0] ?? {})),
  },
  {
    ...allFaults,
    id: "errors/first-fault-only",
    description: "Stops at the first fault.",
    catches: ["errors/all-faults", "errors/pointer#members"],
    answer: inFaults((faults) => faults.slice(0, 1)),
  },
  {
    ...allFaults,
    id: "errors/last-fault-only",
    description: "Keeps the last fault only.",
    catches: ["errors/all-faults", "errors/pointer#members"],
    answer: inFaults((faults) => faults.slice(-1)),
  },
  {
    ...allFaults,
    id: "errors/unknown-hides-wrong",
    description: "Says nothing of wrong members where there are unknown ones.",
    requirements: ["errors/all-faults"],
    catches: ["errors/all-faults#unknown-and-wrong"],
    answer: inFaults((faults) => (faults.every(isOfMember) ? faults : faults.filter((fault) => !isOfMember(fault)))),
  },
  {
    ...allFaults,
    id: "errors/query-hides-body",
    description: "Says nothing of the body where the query is wrong.",
    requirements: ["errors/all-faults"],
    catches: ["errors/all-faults#post-query-and-body"],
    answer: (answer, request, context) =>
      operationOf(request) === "user.create" && request.target.includes("?")
        ? inFaults((faults) => faults.slice(0, 1))(answer, request, context)
        : answer,
  },
  {
    ...allFaults,
    id: "errors/one-parameter",
    description: "Names one wrong parameter of several.",
    requirements: ["errors/all-faults"],
    catches: ["errors/all-faults#parameters"],
    answer: (answer, request, context) =>
      request.method === "GET" ? inFaults((faults) => faults.slice(-1))(answer, request, context) : answer,
  },
  {
    ...pointers,
    id: "errors/pointers-plain",
    description: "Has pointers without #.",
    answer: pointing((pointer) => pointer.replace(/^#/, "")),
  },
  {
    ...pointers,
    id: "errors/pointers-dotted",
    description: "Has paths with dots for pointers.",
    answer: pointing((pointer) => pointer.replace(/^#\/?/, "").replaceAll("/", ".")),
  },
  {
    ...pointers,
    id: "errors/pointers-into-data",
    description: "Has pointers that begin at data.",
    answer: pointing((pointer) => pointer.replace(/^#\/data/, "#")),
  },
  {
    ...pointers,
    id: "errors/pointers-to-parents",
    description: "Points to data, whichever of its members is wrong.",
    catches: ["errors/pointer#members"],
    answer: pointing((pointer) => pointer.replace(/^#\/data\/.*/, "#/data")),
  },
  {
    ...pointers,
    id: "errors/pointers-trailing",
    description: "Has pointers with a solidus at the end.",
    answer: pointing((pointer) => `${pointer}/`),
  },
  {
    ...pointers,
    id: "errors/members-as-parameters",
    description: "Names members of the body as parameters.",
    catches: ["errors/pointer#members"],
    answer: inEachFault((fault) =>
      isOfMember(fault) ? { parameter: String(fault.pointer).replace(/.*\//, ""), detail: fault.detail } : fault,
    ),
  },
  {
    ...parameters,
    id: "errors/parameters-as-pointers",
    description: "Points to parameters as if they were members.",
    answer: inEachFault(({ parameter, ...fault }) =>
      parameter === undefined ? fault : { pointer: `#/${parameter}`, ...fault },
    ),
  },
  {
    ...parameters,
    id: "errors/parameters-prefixed",
    description: "Puts `query.` before the names of parameters.",
    answer: inEachFault((fault) =>
      fault.parameter === undefined ? fault : { ...fault, parameter: `query.${fault.parameter}` },
    ),
  },
];
