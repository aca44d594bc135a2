import type { Defect } from "../../defect.ts";
import { textDefects } from "./texts.ts";
import { unknownDefects } from "./unknown.ts";
import { valueDefects } from "./values.ts";

/** What can go wrong in judging the input of an operation. */
export const inputDefects: readonly Defect[] = [...unknownDefects, ...valueDefects, ...textDefects];
