import { answers } from "./answers.ts";
import { calls } from "./calls.ts";
import { commands } from "./commands.ts";
import { credentials } from "./credentials.ts";
import { users } from "./users.ts";

/** The golden exchanges of this service's operations. */
export const golden = [calls, credentials, answers, commands, users].flat();
