import type { Check } from "../check.ts";
import { bodyOnGet } from "./body-on-get.ts";
import { head } from "./head.ts";
import { methods } from "./methods.ts";
import { names } from "./names.ts";
import { naming } from "./naming.ts";
import { pathMethods } from "./paths.ts";
import { query } from "./query.ts";
import { repeated } from "./repeated.ts";
import { judgement } from "./steps.ts";
import { unknown } from "./unknown.ts";
import { operationHeader } from "./x-operation.ts";

/** One path, the operation at `@` (G1 to G3, D1 to D5, the order of judgement). */
export const dispatch: readonly Check[] = [
  ...names,
  ...unknown,
  ...naming,
  ...query,
  ...repeated,
  ...methods,
  ...bodyOnGet,
  ...pathMethods,
  ...head,
  ...operationHeader,
  ...judgement,
];
