import type { Check } from "../check.ts";
import { asked } from "./asked.ts";
import { operationCredentials } from "./operations.ts";

/** Access control, where it is given, and on sockets (G4, D17); the rest is a list. */
export const credentials: readonly Check[] = [...operationCredentials, ...asked];
