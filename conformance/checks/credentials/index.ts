import type { Check } from "../check.ts";
import { browsers } from "./browsers.ts";
import { forwarded } from "./forwarded.ts";
import { heads } from "./head.ts";
import { howeverAsked } from "./however-asked.ts";
import { invalidKeys } from "./invalid.ts";
import { isolation } from "./isolation.ts";
import { missingCredentials } from "./missing.ts";
import { neverShown } from "./never-shown.ts";
import { nowhereElse } from "./nowhere-else.ts";
import { operationCredentials } from "./operations.ts";
import { permissions } from "./permission.ts";
import { placement } from "./placement.ts";
import { publicOperations } from "./public.ts";

/** Who may call what, and how a call says who it is (G4, G5, D16 to D20), and from where (D15, D22). */
export const credentials: readonly Check[] = [
  ...operationCredentials,
  ...missingCredentials,
  ...howeverAsked,
  ...isolation,
  ...invalidKeys,
  ...permissions,
  ...heads,
  ...placement,
  ...nowhereElse,
  ...publicOperations,
  ...neverShown,
  ...browsers,
  ...forwarded,
];
