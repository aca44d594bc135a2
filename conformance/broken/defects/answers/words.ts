import type { ProxyRequest } from "../../defect.ts";
import { header } from "../../look.ts";
import { respondProblem, withHeader } from "../../shape.ts";
import { knownOperation } from "../dispatch/words.ts";

/** Words for defects that read `Accept`. */

export const accept = (request: ProxyRequest) => header(request, "Accept") ?? "";

/** Reads Accept as another server would: what it says after the change is what counts. */
export const readAs =
  (change: (value: string) => string) =>
  (request: ProxyRequest): ProxyRequest => {
    const value = header(request, "Accept");
    return value === null || change(value) === value ? request : withHeader(request, "Accept", change(value));
  };

/** Answers 406 where the test says so, if there is an operation to answer. */
export const refusing = (test: (value: string) => boolean) => (request: ProxyRequest) =>
  accept(request) !== "" && knownOperation(request) && test(accept(request))
    ? respondProblem(406, "not-acceptable")
    : request;
