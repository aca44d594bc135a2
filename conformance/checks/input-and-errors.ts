import { body } from "./body/index.ts";
import type { Check } from "./check.ts";
import { errors } from "./errors/index.ts";
import { input } from "./input/index.ts";
import { userCreate } from "./user-create/index.ts";

/** What a request says, from its bytes to the user that comes of it, and how it is refused. */
export const inputAndErrors: readonly Check[] = [...body, ...input, ...errors, ...userCreate];
