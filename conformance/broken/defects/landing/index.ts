import type { Defect } from "../../defect.ts";
import { formatDefects } from "./formats.ts";
import { pageDefects } from "./page.ts";
import { safeDefects } from "./safe.ts";

/** The landing page. */
export const landingDefects: readonly Defect[] = [...pageDefects, ...formatDefects, ...safeDefects];
