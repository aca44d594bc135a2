import type { Check } from "../check.ts";
import { leaks } from "./leaks.ts";
import { echoes } from "./no-echo.ts";
import { shape } from "./shape.ts";

/** Error responses (Errors, D8). */
export const errors: readonly Check[] = [...shape, ...echoes, ...leaks];
