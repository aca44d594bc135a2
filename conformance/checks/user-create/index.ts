import type { Check } from "../check.ts";
import { asSent } from "./as-sent.ts";
import { created } from "./created.ts";
import { emails } from "./emails.ts";
import { names } from "./names.ts";
import { refused } from "./refused.ts";
import { taken } from "./taken.ts";

/** `user.create` (D23, D24), but for who may call it. */
export const userCreate: readonly Check[] = [...created, ...asSent, ...names, ...emails, ...taken, ...refused];
