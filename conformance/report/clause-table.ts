import type { ClauseResult } from "./report.ts";

export const clauseHead = ["Clause", "Title", "Requirements", "Judged", "Passed", "Failed", "Not tried"] as const;

/** The cells of a row, below `clauseHead`. */
export const clauseCells = ({ clause, title, requirements: all, judged, passed, failed, untried }: ClauseResult) => [
  clause,
  title,
  ...[all, judged, passed, failed].map(String),
  untried ?? "",
];
