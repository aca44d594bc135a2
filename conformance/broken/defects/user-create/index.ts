import type { Defect } from "../../defect.ts";
import { asSentDefects } from "./as-sent.ts";
import { comparisonDefects } from "./comparisons.ts";
import { createdDefects } from "./created.ts";
import { emailDefects } from "./emails.ts";
import { nameDefects } from "./names.ts";
import { takenDefects } from "./taken.ts";

/** What can go wrong in creating a user. */
export const userCreateDefects: readonly Defect[] = [
  ...createdDefects,
  ...asSentDefects,
  ...nameDefects,
  ...emailDefects,
  ...takenDefects,
  ...comparisonDefects,
];
