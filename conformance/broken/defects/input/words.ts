import type { OperationId } from "../../../../generated/operations.ts";
import {
  commands as commandOperations,
  operationCalled,
  queries as queryOperations,
} from "../../../client/operation.ts";
import type { ProxyRequest } from "../../defect.ts";
import { namedIn, operationOf } from "../../look.ts";
import { withQuery } from "../../shape.ts";

/** Words for defects in the judgement of input. */

export const queries = queryOperations.map(({ id }) => id);
export const commands = commandOperations.map(({ id }) => id);

/** The checks of a requirement for each of these operations. */
export const checksOf = (requirement: string, of: readonly OperationId[], variant = ""): string[] =>
  of.map((id) => `${requirement}#${id}${variant}`);

const PROTOCOL = ["@", "X-API-KEY", "X-PLATFORM"];

/** What the operation of a request takes in its query. */
function knownOf(request: ProxyRequest): string[] {
  const operation = operationCalled(namedIn(request) ?? "");
  return [...PROTOCOL, ...(operation?.method === "GET" ? Object.keys(operation.input) : [])];
}

/** Drops the parameters that are not known and of which this is true; only of requests that name an operation. */
export const dropping = (test: (name: string, value: string) => boolean) => (request: ProxyRequest) => {
  if (operationCalled(namedIn(request) ?? "") === null) return request;
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
