import type { Check } from "../check.ts";
import { head } from "./head.ts";
import { sockets } from "./sockets.ts";

/** HEAD as GET, and dispatch on sockets; the rest is a list. */
export const dispatch: readonly Check[] = [...head, ...sockets];
