import { changesAnswer, type Mutant, type Selector } from "../mutant.ts";
import { atPointer } from "../operators.ts";
import { isObject, type JsonObject, problemCode } from "../proxy/look.ts";
import type { ProxyAnswer, ProxyRequest } from "../proxy/message.ts";
import { isPost } from "../requests.ts";
import { problemOf } from "../selectors.ts";

/** Broken lists of faults: each fault in another form or at another place, and some of them left out. */

/** What becomes of each fault of a 422. */
const faults: Readonly<Record<string, (fault: JsonObject) => unknown>> = {
  "are texts": ({ detail }) => detail,
  "have no place": ({ detail }) => ({ detail }),
  "have both places": (fault) => ({ pointer: "#", parameter: "", ...fault }),
  "have pointers without #": pointing((pointer) => pointer.slice(1)),
  "have dotted paths": pointing((pointer) => pointer.replace(/^#\/?/, "").replaceAll("/", ".")),
  "point from data on": pointing((pointer) => pointer.replace(/^#\/data/, "#")),
  "point to data only": pointing((pointer) => pointer.replace(/^#\/data\/.*/, "#/data")),
  "point behind": pointing((pointer) => `${pointer}/`),
  "name members as parameters": ({ pointer, ...fault }) =>
    isOfMember({ pointer }) ? { parameter: String(pointer).replace(/.*\//, ""), ...fault } : { pointer, ...fault },
  "point to parameters": ({ parameter, ...fault }) =>
    parameter === undefined ? fault : { pointer: `#/${parameter}`, ...fault },
  "name parameters as of the query": (fault) =>
    fault.parameter === undefined ? fault : { ...fault, parameter: `query.${fault.parameter}` },
};

function pointing(change: (pointer: string) => string) {
  return (fault: JsonObject) =>
    typeof fault.pointer === "string" ? { ...fault, pointer: change(fault.pointer) } : fault;
}
const isOfMember = (fault: unknown) => isObject(fault) && /^#\/data\/\w/.test(String(fault.pointer));

const list = (change: (faults: readonly unknown[]) => unknown) => (value: unknown) =>
  Array.isArray(value) ? change(value) : value;
const named = (method: string): Selector => ({
  name: `invalid-input to ${method}`,
  takes: (answer, request) => problemCode(answer) === "invalid-input" && request?.method === method,
});
const toBoth = (answer: ProxyAnswer, request: ProxyRequest | null) =>
  problemCode(answer) === "invalid-input" && request !== null && isPost(request) && request.target.includes("?");

export const mutants: readonly Mutant[] = [
  ...Object.entries(faults).map(([how, change]) =>
    changesAnswer(problemOf("invalid-input"), atPointer(`${how}:`, "/errors/*", change as (fault: unknown) => unknown)),
  ),
  ...[
    atPointer(
      "has 21 of",
      "/errors",
      list((all) => Array.from({ length: 21 }, () => all[0])),
    ),
    atPointer(
      "has unknown ones only of",
      "/errors",
      list((all) => (all.every(isOfMember) ? all : all.filter((one) => !isOfMember(one)))),
    ),
  ].map((operator) => changesAnswer(problemOf("invalid-input"), operator)),
  changesAnswer(
    named("GET"),
    atPointer(
      "has the last only of",
      "/errors",
      list((all) => all.slice(-1)),
    ),
  ),
  changesAnswer(
    { name: "invalid-input to both", takes: toBoth },
    atPointer(
      "has the first only of",
      "/errors",
      list((all) => all.slice(0, 1)),
    ),
  ),
];
