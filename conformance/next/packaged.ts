import { contract } from "../contract.ts";
import covering from "./covering.json" with { type: "json" };
import { atpoint } from "./extensions/atpoint/index.ts";
import { createSuite } from "./suite.ts";

/** The suite of this service: the contract that is packaged, and its extension. */
export const packaged = createSuite(contract, [atpoint], covering);
