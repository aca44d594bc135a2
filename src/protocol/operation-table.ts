import type { Operation } from "../../generated/operations.ts";

/** What the dispatcher has to know of an operation; the problems that it documents are not among it. */
export type OperationFacts = Omit<Operation, "problems">;

export interface Found {
  readonly operation: OperationFacts;
  /** The parts of a template name: `{ name: "README" }`. */
  readonly parts: Readonly<Record<string, string>>;
}

/** Finds an operation by the exact name, or by the template that the name matches; null when no operation has it (D3). */
export function operationTable(operations: Readonly<Record<string, OperationFacts>>): (name: string) => Found | null {
  const exact = new Map<string, Found>();
  const templates: { readonly operation: OperationFacts; readonly pattern: RegExp }[] = [];
  for (const operation of Object.values(operations)) {
    if (operation.pattern === null) exact.set(operation.name, { operation, parts: {} });
    else templates.push({ operation, pattern: new RegExp(operation.pattern) });
  }
  return (name) => {
    const found = exact.get(name);
    if (found) return found;
    for (const { operation, pattern } of templates) {
      const match = pattern.exec(name);
      if (match)
        return {
          operation,
          parts: Object.fromEntries(operation.parts.map((part, index) => [part, match[index + 1] ?? ""])),
        };
    }
    return null;
  };
}
