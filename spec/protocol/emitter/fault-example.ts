import { type Document, type Operation, PROBLEM, resolve, type Schema } from "./openapi.ts";

/**
 * Sets the 422 example of an operation to the service's response to one fault of this operation's input (D8); `problem` is its
 * example.
 */
export function exemplifyFault(
  document: Document,
  { operation, input, problem }: { readonly operation: Operation; readonly input: Schema; readonly problem: unknown },
): void {
  const media = operation.responses["422"]?.content?.[PROBLEM];
  const fault = faultOf(document, resolve(document, input), operation.requestBody !== undefined);
  if (media) media.example = Object.assign({}, problem, { errors: [fault] });
}

/** A missing member, a number below its limit, or a member that is not allowed. The texts are those of the service. */
function faultOf(document: Document, { properties = {}, required = [] }: Schema, inBody: boolean): object {
  const last = required.at(-1);
  if (inBody && last !== undefined) return { pointer: `#/data/${last}`, detail: "is required" };
  for (const [parameter, schema] of Object.entries(properties)) {
    const { minimum } = resolve(document, schema);
    if (minimum !== undefined) return { parameter, detail: `must be at least ${minimum}` };
  }
  return { pointer: "#", detail: `takes no ${inBody ? "members" : "parameters"}` };
}
