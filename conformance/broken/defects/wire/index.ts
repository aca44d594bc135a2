import type { Defect } from "../../defect.ts";
import { addressDefects } from "./address.ts";
import { aliveDefects } from "./alive.ts";
import { bodyLimitDefects } from "./body-limits.ts";
import { callerDefects } from "./callers.ts";
import { corsDefects } from "./cors.ts";
import { dotSegmentDefects } from "./dot-segments.ts";
import { elsewhereDefects } from "./elsewhere.ts";
import { expectationDefects } from "./expectations.ts";
import { framingDefects } from "./framing.ts";
import { headLimitDefects } from "./head-limits.ts";
import { answerHeaderDefects } from "./headers.ts";
import { lengthDefects } from "./lengths.ts";
import { malformedDefects } from "./malformed.ts";
import { parallelDefects } from "./parallel.ts";
import { pipeliningDefects } from "./pipelining.ts";
import { preflightDefects } from "./preflight.ts";
import { redirectDefects } from "./redirect.ts";
import { requestIdDefects } from "./request-id.ts";
import { singlePathDefects } from "./single-paths.ts";
import { timeoutDefects } from "./timeouts.ts";
import { unknownPathDefects } from "./unknown-paths.ts";
import { versionDefects } from "./versions.ts";

/** Faults of the wire as a whole, whatever the operation. */
export const wireDefects: readonly Defect[] = [
  ...redirectDefects,
  ...singlePathDefects,
  ...unknownPathDefects,
  ...dotSegmentDefects,
  ...answerHeaderDefects,
  ...requestIdDefects,
  ...corsDefects,
  ...preflightDefects,
  ...bodyLimitDefects,
  ...headLimitDefects,
  ...malformedDefects,
  ...expectationDefects,
  ...framingDefects,
  ...pipeliningDefects,
  ...lengthDefects,
  ...versionDefects,
  ...parallelDefects,
  ...aliveDefects,
  ...timeoutDefects,
  ...addressDefects,
  ...elsewhereDefects,
  ...callerDefects,
];
