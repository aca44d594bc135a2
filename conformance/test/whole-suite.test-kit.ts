import type { Suite } from "../cli/plan.ts";
import { ours } from "../lists/ours.ts";
import { checks, exclusions } from "../suite.ts";

/** All checks. A test that runs them all imports it from here, and is thereby not one of the quick tests. */
export const wholeSuite: Suite = { checks, exclusions, oracle: ours };
