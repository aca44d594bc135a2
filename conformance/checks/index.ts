import { answers } from "./answers/index.ts";
import { body } from "./body/index.ts";
import type { Check, Exclusion } from "./check.ts";
import { contractChecks } from "./contract/index.ts";
import { reference } from "./contract/reference.ts";
import { credentials } from "./credentials/index.ts";
import { limits } from "./credentials/limits.ts";
import { deployments } from "./deployments.ts";
import { dispatch } from "./dispatch/index.ts";
import { docs } from "./docs/index.ts";
import { errors } from "./errors/index.ts";
import { givenDispatch } from "./given/dispatch.ts";
import { givenOperations } from "./given/operations.ts";
import { input } from "./input/index.ts";
import { clientAddress } from "./system/client-address.ts";
import { landing } from "./system/landing.ts";
import { sysinfo } from "./system/sysinfo.ts";
import { testHealth } from "./system/test-health.ts";
import { userCreate } from "./user-create/index.ts";
import { userList } from "./user-list/index.ts";
import { wire } from "./wire/index.ts";

/** Every check of the suite. */
export const checks: readonly Check[] = [
  ...dispatch,
  ...answers,
  ...givenDispatch,
  ...givenOperations,
  ...sysinfo,
  ...clientAddress,
  ...landing,
  ...contractChecks,
  ...reference,
  ...docs,
  ...deployments,
  ...credentials,
  ...userList,
  ...testHealth,
  ...wire,
  ...body,
  ...input,
  ...errors,
  ...userCreate,
  ...limits,
];

/** Requirements that no check tries, each with the reason. */
export const exclusions: readonly Exclusion[] = [];
