import { type OperationId, operations } from "../../../../generated/operations.ts";
import { findOperation } from "../../../client/call.ts";
import type { ProxyRequest } from "../../defect.ts";
import { operationOf } from "../../look.ts";
import { withQuery } from "../../shape.ts";

/** Words for defects in the judgement of input. */

// The keys of the table are the ids, by its type.
const ids = Object.keys(operations) as OperationId[];
export const queries = ids.filter((id) => operations[id].method === "GET");
export const commands = ids.filter((id) => operations[id].method === "POST");

/** The checks of a requirement for each of these operations. */
export const checksOf = (requirement: string, of: readonly OperationId[], variant = ""): string[] =>
  of.map((id) => `${requirement}#${id}${variant}`);

const PROTOCOL = ["@", "X-API-KEY", "X-PLATFORM"];

/** What the operation of a request takes in its query. */
function knownOf(request: ProxyRequest): string[] {
  const operation = findOperation(operationOf(request) ?? "");
  return [...PROTOCOL, ...(operation?.method === "GET" ? Object.keys(operation.input) : [])];
}

/** Drops the parameters that are not known and of which this is true; only of requests that name an operation. */
export const dropping = (test: (name: string, value: string) => boolean) => (request: ProxyRequest) => {
  if (findOperation(operationOf(request) ?? "") === null) return request;
  const known = knownOf(request);
  return withQuery(request, (query) => {
    for (const [name, value] of [...query]) if (!known.includes(name) && test(name, value)) query.delete(name);
  });
};

/** Renames parameters, where the operation knows the new name and has it not yet. */
export const renaming = (change: (name: string) => string) => (request: ProxyRequest) => {
  const known = knownOf(request);
  return withQuery(request, (query) => {
    for (const [name, value] of [...query]) {
      const better = change(name);
      if (better === name || !known.includes(better)) continue;
      query.delete(name);
      query.set(better, value);
    }
  });
};

/** Another text for a parameter of user.list. */
export const withParameter = (name: string, change: (text: string) => string | null) => (request: ProxyRequest) => {
  if (operationOf(request) !== "user.list") return request;
  return withQuery(request, (query) => {
    const text = query.get(name);
    if (text === null) return;
    const better = change(text);
    if (better === null) query.delete(name);
    else query.set(name, better);
  });
};
