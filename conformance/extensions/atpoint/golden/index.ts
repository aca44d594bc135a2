import { answers } from "./answers.ts";
import { calls } from "./calls.ts";
import { users } from "./users.ts";

/** The golden exchanges of this service's operations. */
export const golden = [calls, answers, users];
