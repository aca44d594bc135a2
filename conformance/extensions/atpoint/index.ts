import type { Extension } from "../../extension.ts";
import { golden } from "./golden/index.ts";
import { publishedLaws } from "./published.ts";
import { PATHS, referenceLaws } from "./reference.ts";
import { rules } from "./rules.ts";
import { systemLaws } from "./system.ts";
import { userLaws } from "./users.ts";

/** What this service alone has: its users, published files and pages. */
export const atpoint: Extension = {
  id: "atpoint",
  paths: PATHS,
  rules,
  golden,
  laws: [publishedLaws, referenceLaws, systemLaws, userLaws].flat(),
};
