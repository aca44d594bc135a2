import type { Defect } from "../../defect.ts";
import { acceptDefects } from "./accept.ts";
import { acceptIgnoredDefects } from "./accept-ignored.ts";
import { problemDefects } from "./problems.ts";
import { schemaDefects } from "./schema.ts";
import { successDefects } from "./success.ts";

/** What breaks what all answers have in common. */
export const commonAnswerDefects: readonly Defect[] = [
  ...successDefects,
  ...schemaDefects,
  ...acceptDefects,
  ...acceptIgnoredDefects,
  ...problemDefects,
];
