import { answers } from "./answers/index.ts";
import { body } from "./body/index.ts";
import type { Check, Exclusion } from "./check.ts";
import { contractChecks } from "./contract/index.ts";
import { credentials } from "./credentials/index.ts";
import { deployments } from "./deployments.ts";
import { dispatch } from "./dispatch/index.ts";
import { docs } from "./docs/index.ts";
import { errors } from "./errors/index.ts";
import { givenOperations } from "./given-operations.ts";
import { input } from "./input/index.ts";
import { landing } from "./landing.ts";
import { limits } from "./limits.ts";
import { reference } from "./reference.ts";
import { sysinfo } from "./sysinfo.ts";
import { testHealth } from "./test-health.ts";
import { userCreate } from "./user-create/index.ts";
import { userList } from "./user-list/index.ts";
import { wire } from "./wire/index.ts";

/** Every check of the suite. */
export const checks: readonly Check[] = [
  ...dispatch,
  ...answers,
  ...givenOperations,
  ...sysinfo,
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
