import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Kill } from "./trial.ts";

/**
 * What was seen, committed: for each mutant checks that it turned red, each with the aspect (`answers/schema#user.list
 * body:/items`), those that send least first.
 */
export type Matrix = Readonly<Record<string, readonly Kill[]>>;

const file = path.resolve(import.meta.dirname, "matrix.json");

export const readMatrix = (): Matrix => JSON.parse(readFileSync(file, "utf8")) as Matrix; // written below, held by a test

/** One mutant a line, sorted, so that a change shows as a change of lines. */
export function writeMatrix(matrix: Matrix): void {
  const lines = Object.entries(matrix)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([mutant, kills]) => `  ${JSON.stringify(mutant)}: ${JSON.stringify(kills)}`);
  writeFileSync(file, `{\n${lines.join(",\n")}\n}\n`);
}

/** The check that sends, of a kill: `answers/object@sysinfo/json body` is sent by `sysinfo/json`. */
export const senderOf = (kill: Kill): string => kill.replace(/ .*$/s, "").replace(/^.*@/, "");

/** The check that went red. */
export const judgeOf = (kill: Kill): string => kill.replace(/[@ ].*$/s, "");
