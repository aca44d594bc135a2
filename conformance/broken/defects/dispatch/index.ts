import type { Defect } from "../../defect.ts";
import { ambiguousDefects } from "./ambiguous.ts";
import { beforeTheMethodDefects } from "./before-the-method.ts";
import { bodyDefects } from "./bodies.ts";
import { givenDispatchDefects } from "./given.ts";
import { givenOperationDefects } from "./given-operations.ts";
import { headDefects } from "./head.ts";
import { methodDefects } from "./methods.ts";
import { nameDefects } from "./names.ts";
import { namingDefects } from "./naming.ts";
import { optionsDefects } from "./options.ts";
import { overrideDefects } from "./override.ts";
import { queryDefects } from "./query.ts";
import { readerDefects } from "./readers.ts";
import { stepDefects } from "./steps.ts";
import { unknownDefects } from "./unknown.ts";
import { unknownMethodDefects } from "./unknown-methods.ts";
import { operationHeaderDefects } from "./x-operation.ts";

/** What breaks the protocol: how a request names its operation, the methods, and the order of judgement. */
export const dispatchDefects: readonly Defect[] = [
  ...givenDispatchDefects,
  ...givenOperationDefects,
  ...bodyDefects,
  ...nameDefects,
  ...unknownDefects,
  ...namingDefects,
  ...ambiguousDefects,
  ...queryDefects,
  ...readerDefects,
  ...methodDefects,
  ...beforeTheMethodDefects,
  ...unknownMethodDefects,
  ...optionsDefects,
  ...overrideDefects,
  ...headDefects,
  ...stepDefects,
  ...operationHeaderDefects,
];
