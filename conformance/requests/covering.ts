import { createHash } from "node:crypto";
import type { Tables } from "./generate.ts";

/** What a default run sends of the cases of a contract. Computed where the contract is generated: it takes minutes. */
export interface Covering {
  /** Of the contract and its tables: with others it means nothing. */
  readonly hash: string;
  /** The ids of the cases. */
  readonly cases: readonly string[];
}

export function hashOf({ contract, rows }: Tables): string {
  const hash = createHash("sha256").update(contract.hash);
  for (const [operation, table] of rows) hash.update(`\n${operation}\n${[...table.keys()].join("\n")}`);
  return hash.digest("hex");
}
