import type { Check } from "../check.ts";
import { duplicates } from "./duplicates.ts";
import { missing } from "./missing.ts";
import { types } from "./types.ts";
import { unknown } from "./unknown.ts";

/** What an operation is given, judged by its schema (D7, D8). */
export const input: readonly Check[] = [...unknown, ...missing, ...types, ...duplicates];
