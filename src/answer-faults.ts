import type { OperationValidators } from "../generated/validators.ts";

/** Where an answer does not fit the contract, and why, without any of its values; empty when it fits. */
export function answerFaults(
  { answers }: OperationValidators,
  { status, mediaType }: { readonly status: number; readonly mediaType: string },
  content: unknown,
): readonly string[] {
  const validate = answers[`${status} ${mediaType}`];
  if (!validate) return [`${status} ${mediaType} is not documented`];
  if (validate(content)) return [];
  return (validate.errors ?? []).map(({ instancePath, message }) => `#${instancePath} ${message}`);
}
