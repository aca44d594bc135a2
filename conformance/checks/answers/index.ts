import type { Check } from "../check.ts";
import { accept } from "./accept.ts";
import { problems } from "./problems.ts";
import { success } from "./success.ts";

/** What every answer of an operation has in common (D9, D10). */
export const answers: readonly Check[] = [...success, ...accept, ...problems];
