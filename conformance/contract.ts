import { readFileSync } from "node:fs";
import data from "../generated/contract.json" with { type: "json" };
import { type Contract, readContract } from "./oracle/contract.ts";

/** The contract that this run checks against: the one that the suite comes with, unless `--contract` names a file. */
export let contract: Contract = readContract(data);

/** Whether it is the one that the suite comes with. */
export let isOwn = true;

/** Takes the contract of a file, before any module that reads `contract` is loaded. Returns what is wrong with the file, or null. */
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
