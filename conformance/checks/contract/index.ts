import { contractOperations } from "./operations.ts";
import { contractPublication } from "./publication.ts";

/** The contract as a deployment publishes it. */
export const contractChecks = [...contractPublication, ...contractOperations];
