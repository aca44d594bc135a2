import type { Check } from "../check.ts";
import { asked } from "./asked.ts";
import { elsewhere } from "./elsewhere.ts";
import { neverShown } from "./never-shown.ts";
import { operationCredentials } from "./operations.ts";
import { publicOperations } from "./public.ts";
import { refused } from "./refused.ts";
import { told } from "./told.ts";
import { twice } from "./twice.ts";

/** Who may call what, and how a call says who it is (G4, G5, D16 to D20). */
export const credentials: readonly Check[] = [
  ...operationCredentials,
  ...refused,
  ...asked,
  ...told,
  ...twice,
  ...elsewhere,
  ...publicOperations,
  ...neverShown,
];
