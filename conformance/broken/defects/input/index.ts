import type { Defect } from "../../defect.ts";
import { textDefects } from "./texts.ts";
import { unknownMemberDefects } from "./unknown-members.ts";
import { unknownParameterDefects } from "./unknown-parameters.ts";
import { valueDefects } from "./values.ts";

/** What can go wrong in judging the input of an operation. */
export const inputDefects: readonly Defect[] = [
  ...unknownParameterDefects,
  ...unknownMemberDefects,
  ...valueDefects,
  ...textDefects,
];
