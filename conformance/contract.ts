import data from "../generated/contract.json" with { type: "json" };
import { readContract } from "./oracle/read-contract.ts";

/** The contract that is packaged with the suite: that of this service. */
export const contract = readContract(data);
