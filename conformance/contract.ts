import { readFileSync } from "node:fs";
import data from "../generated/contract.json" with { type: "json" };
import { type Contract, readContract } from "./oracle/contract.ts";

/** The contract that this run checks: the one that is packaged with the suite, unless `--contract` names a file. */
export let contract: Contract = readContract(data);

/** Whether `contract` is the one that is packaged with the suite. */
export let isOwn = true;

/** The problem with this code. Throws an `Error`, a fault of the suite, when the contract has none. */
export function problemOf(code: string): Contract["problems"][string] {
  const problem = contract.problems[code];
  if (!problem) throw new Error(`the contract has no problem ${code}`);
  return problem;
}

/** Reads the contract from a file, before any module that uses `contract` is loaded. Returns an error message, or null. */
export function takeContract(file: string): string | null {
  try {
    const { hash } = contract;
    contract = readContract(JSON.parse(readFileSync(file, "utf8")));
    isOwn = contract.hash === hash;
    return null;
  } catch (error) {
    // node:fs, JSON.parse and readContract throw Errors only.
    return (error as Error).message;
  }
}
