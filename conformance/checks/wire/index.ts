import type { Check } from "../check.ts";
import { stayingAlive } from "./alive.ts";
import { bodyLimits } from "./body-limits.ts";
import { bodyPieces } from "./body-pieces.ts";
import { connections } from "./connection.ts";
import { cors } from "./cors.ts";
import { framing } from "./framing.ts";
import { headLimits } from "./head-limits.ts";
import { headRefused } from "./head-refused.ts";
import { headers } from "./layers.ts";
import { malformedRequests } from "./malformed.ts";
import { parallel } from "./parallel.ts";
import { paths } from "./paths.ts";
import { pipelining } from "./pipelining.ts";
import { requestId } from "./request-id.ts";

/** Checks of HTTP that do not depend on the operation (D11 to D15, D22). */
export const wire: readonly Check[] = [
  ...paths,
  ...headers,
  ...requestId,
  ...cors,
  ...bodyLimits,
  ...bodyPieces,
  ...headLimits,
  ...malformedRequests,
  ...framing,
  ...pipelining,
  ...connections,
  headRefused,
  parallel,
  ...stayingAlive,
];
