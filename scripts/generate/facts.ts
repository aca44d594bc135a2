import type { Program } from "@typespec/compiler";
import { clausesOf, idOf, namesOf, problemsOf, requirementsOf, stepsOf } from "../../spec/library.js";

/** A clause of the contract. */
export interface ClauseFacts {
  readonly id: string;
  readonly title: string;
  readonly decision: string;
}

/** A requirement as the spec states it. */
export interface RequirementFacts {
  readonly id: string;
  readonly level: "MUST" | "SHOULD" | "MAY";
  readonly origin: "given" | "decided";
  readonly clause: string;
  readonly sentence: string;
  readonly operation: string | null;
}

/** A step of judgement: what has to hold, and the codes that it refuses with. */
export interface StepFacts {
  readonly step: string;
  readonly does: string;
  readonly refuses: readonly string[];
}

/** A problem code, its status, and what it means. */
export interface ProblemFacts {
  readonly code: string;
  readonly status: number;
  readonly title: string;
  readonly detail: string;
  readonly meaning: string;
  readonly example: unknown;
}

export const readClauses = (program: Program): ClauseFacts[] => clausesOf(program);

export const readSteps = (program: Program): StepFacts[] =>
  stepsOf(program).map(({ step, does, refuses }) => ({ step, does, refuses }));

/** Every requirement, clause by clause; what is given is so by its clause. */
export function readRequirements(program: Program): RequirementFacts[] {
  const names = namesOf(program);
  return requirementsOf(program).map(({ id, level, clause, sentence, target }) => ({
    id,
    level,
    origin: clause.name.startsWith("G") ? "given" : "decided",
    clause: clause.name,
    sentence,
    operation: target.kind === "Operation" ? idOf(String(names.get(target))) : null,
  }));
}

/** Every problem code, by status. What one lacks, the library has reported. */
export const readProblems = (program: Program): ProblemFacts[] =>
  problemsOf(program)
    .map(({ code, status, meaning, example }) => ({
      code,
      status: Number(status),
      title: String(example.title),
      detail: String(example.detail),
      meaning,
      example,
    }))
    .sort((a, b) => a.status - b.status);
