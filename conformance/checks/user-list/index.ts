import type { Check } from "../check.ts";
import { cursors } from "./cursor.ts";
import { limits } from "./limit.ts";
import { list } from "./list.ts";
import { next } from "./next.ts";

/** `user.list` (D26). */
export const userList: readonly Check[] = [...list, ...limits, ...next, ...cursors];
