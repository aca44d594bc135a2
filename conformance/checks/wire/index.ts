import type { Check } from "../check.ts";
import { stayingAlive } from "./alive.ts";
import { bodyLimits } from "./body-limits.ts";
import { connections } from "./connection.ts";
import { cors } from "./cors.ts";
import { framing } from "./framing.ts";
import { headLimits } from "./head-limits.ts";
import { headers } from "./layers.ts";
import { malformedRequests } from "./malformed.ts";
import { parallel } from "./parallel.ts";
import { paths } from "./paths.ts";
import { pipelining } from "./pipelining.ts";
import { requestId } from "./request-id.ts";
import { unknownPaths } from "./unknown-paths.ts";

/** What holds for the wire as a whole, whatever the operation (D11 to D15, D22). */
export const wire: readonly Check[] = [
  ...paths,
  ...unknownPaths,
  ...headers,
  ...requestId,
  ...cors,
  ...bodyLimits,
  ...headLimits,
  ...malformedRequests,
  ...framing,
  ...pipelining,
  ...connections,
  parallel,
  ...stayingAlive,
];
