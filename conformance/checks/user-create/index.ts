import type { Check } from "../check.ts";
import { created } from "./created.ts";
import { idempotency } from "./idempotency.ts";
import { refused } from "./refused.ts";

/** `user.create` (D23, D24, D25), except access control. */
export const userCreate: readonly Check[] = [...created, ...refused, ...idempotency];
