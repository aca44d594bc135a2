import { readFileSync, writeFileSync } from "node:fs";
import path from "node:path";
import type { Kill } from "./trial.ts";

/**
 * What was seen, committed: for each mutant checks that it turned red, each with the aspect (`answers/schema#user.list
 * body:/items`), those that send least first.
 */
export type Matrix = Readonly<Record<string, readonly Kill[]>>;

/** For each check that is needed for it, a mutant that no other check catches. */
export type Only = Readonly<Record<string, string>>;

const file = (name: string) => path.resolve(import.meta.dirname, name);

export const readMatrix = (): Matrix => JSON.parse(readFileSync(file("matrix.json"), "utf8")) as Matrix; // written below, held by a test
export const writeMatrix = (matrix: Matrix): void => write("matrix.json", matrix);
export const readOnly = (): Only => JSON.parse(readFileSync(file("only.json"), "utf8")) as Only; // the same
export const writeOnly = (only: Only): void => write("only.json", only);

/** An entry a line, sorted, so that a change shows as a change of lines. */
function write(name: string, entries: Matrix | Only): void {
  const lines = Object.entries(entries)
    .sort(([one], [other]) => (one < other ? -1 : 1))
    .map(([key, value]) => `  ${JSON.stringify(key)}: ${JSON.stringify(value)}`);
  writeFileSync(file(name), `{\n${lines.join(",\n")}\n}\n`);
}

/** The check that sends, of a kill: `answers/object@sysinfo/json body` is sent by `sysinfo/json`. */
export const senderOf = (kill: Kill): string => kill.replace(/ .*$/s, "").replace(/^.*@/, "");

/** The check that went red. */
export const judgeOf = (kill: Kill): string => kill.replace(/[@ ].*$/s, "");
