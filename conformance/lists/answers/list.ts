import { callerOf, faults as catalogue, draftOf, written } from "../../checks/faults.ts";
import { wireOfLiteral } from "../../client/send.ts";
import { mediaTypesOf } from "../../oracle/contract.ts";
import type { Request } from "../../oracle/world.ts";
import type { Asking, Case, List } from "../list.ts";

/** Rules for every response of an operation (D9, D10): successes in each representation, problems whatever `Accept` is. */

/** Other types, and the type of problems itself, excluded. */
const UNWANTED = [
  ...["application/json", "text/html", "image/png", "application/json, text/html", "*/*", "*/*;q=0"],
  ...["application/problem+json;q=0, image/png", "application/problem+xml"],
];

const plus = (request: Request, name: string, value: string): Request => ({
  ...request,
  fields: [...request.fields, [name, value]],
});

/** A request for each code that a single fault causes. */
function rejected({ api, oracle, model, operations, input }: Asking): readonly Request[] {
  const caller = callerOf(api);
  const first = new Map<string, Request>();
  for (const operation of operations)
    for (const { add } of Object.values(catalogue).flat()) {
      const draft = add(draftOf(operation, caller, input(operation), "headers"), operation, caller);
      const request = draft && wireOfLiteral(api, written(draft));
      const { code = null } = request ? oracle.predict(request, model) : {};
      if (request && code !== null && draft.method !== "HEAD" && !first.has(code)) first.set(code, request);
    }
  return [...first.values()];
}

export const answers: List = function* (asking): Generator<Case> {
  const { operations, call, input } = asking;
  for (const operation of operations.filter(({ method }) => method === "GET")) {
    const required = Object.entries(input(operation)).filter(([member]) => operation.input[member]?.required);
    const least = { input: Object.fromEntries(required) };
    const types = ["*/*", ...mediaTypesOf(operation)].map((accept) => call(operation, { accept }));
    for (const request of [call(operation), ...types, call(operation, { ...least, accept: "*/*" })])
      yield ["answers/schema", request];
    yield ["answers/schema", plus(call(operation, least), "Connection", "close")];
  }
  for (const request of rejected(asking))
    for (const accept of UNWANTED) yield ["answers/problems-whatever-accept", plus(request, "Accept", accept)];
};
