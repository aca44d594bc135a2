import type { Defect } from "../defect.ts";
import { bodyDefects } from "./body/index.ts";
import { errorDefects } from "./errors/index.ts";
import { inputDefects } from "./input/index.ts";
import { userCreateDefects } from "./user-create/index.ts";

/** Everything between the bytes of a body and the user that comes of it, and how it is refused. */
export const inputAndErrorDefects: readonly Defect[] = [
  ...bodyDefects,
  ...inputDefects,
  ...errorDefects,
  ...userCreateDefects,
];
