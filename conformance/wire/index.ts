import type { Check } from "../checks/check.ts";
import { stayingAlive } from "./alive.ts";
import { bytes } from "./bytes.ts";
import { securityTxt } from "./security-txt.ts";
import { talks } from "./talks.ts";
import { timeouts } from "./timeouts.ts";

/** Checks that need sockets, many connections or time, for any contract. */
export const wire: readonly Check[] = [...talks, ...bytes, ...timeouts, ...stayingAlive, securityTxt];
