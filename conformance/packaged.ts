import covering from "../generated/covering.json" with { type: "json" };
import { contract } from "./contract.ts";
import { atpoint } from "./extensions/atpoint/index.ts";
import { createSuite } from "./suite.ts";

/** The suite of this service: the contract that is packaged, and its extension. */
export const packaged = createSuite(contract, [atpoint], covering);
