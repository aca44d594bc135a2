import { body } from "./body/index.ts";
import type { Check } from "./check.ts";
import { credentials } from "./credentials/index.ts";
import { limits } from "./credentials/limits.ts";
import { givenDispatch } from "./given/dispatch.ts";
import { givenOperations } from "./given/operations.ts";

/** The hand-written checks. */
export const written: readonly Check[] = [...givenDispatch, ...givenOperations, ...credentials, ...body, ...limits];
