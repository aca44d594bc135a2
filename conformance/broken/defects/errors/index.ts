import type { Defect } from "../../defect.ts";
import { echoDefects } from "./echoes.ts";
import { faultDefects } from "./faults.ts";
import { leakDefects } from "./leaks.ts";
import { memberDefects } from "./members.ts";

/** What can go wrong in refusing a request. */
export const errorDefects: readonly Defect[] = [...memberDefects, ...faultDefects, ...echoDefects, ...leakDefects];
