import type { Defect } from "../../defect.ts";
import { operationDefects } from "./operations.ts";
import { publicationDefects } from "./publication.ts";
import { serverDefects } from "./servers.ts";

/** The contract as it is published. */
export const contractDefects: readonly Defect[] = [...publicationDefects, ...serverDefects, ...operationDefects];
