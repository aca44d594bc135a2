import type { OperationValidators } from "../../generated/validators.ts";
import type { Config } from "../config.ts";
import { SafeError } from "../log/safe-error.ts";
import { answerFaults } from "../protocol/answer.ts";
import { DOCUMENT_MEDIA_TYPES, type Documents } from "./documents.ts";

/** Holds the documents against the contract, once, at start, since they never change: throws, or tells what does not fit. */
export function checkDocuments(
  documents: Documents,
  docsGet: OperationValidators,
  checkAnswers: Config["checkAnswers"],
  onUndocumented: (faults: readonly string[]) => void,
): void {
  if (checkAnswers === "off") return;
  const faults = documents.list().flatMap(({ name }) =>
    DOCUMENT_MEDIA_TYPES.flatMap((mediaType) => {
      const content = documents.get(name)?.representations[mediaType].value ?? "";
      const answer = mediaType === "application/json" ? JSON.parse(content) : content;
      return answerFaults(docsGet, { status: 200, mediaType }, answer).map((fault) => `${name}: ${fault}`);
    }),
  );
  if (faults.length === 0) return;
  if (checkAnswers === "throw") throw new SafeError(["Documents break the contract:", ...faults].join("\n  "));
  onUndocumented(faults);
}
