import type { Defect } from "./defect.ts";
import { commonAnswerDefects } from "./defects/answers/index.ts";
import { answerDefects } from "./defects/answers.ts";
import { contractDefects } from "./defects/contract/index.ts";
import { credentialDefects } from "./defects/credentials/index.ts";
import { deploymentDefects } from "./defects/deployments.ts";
import { dispatchDefects } from "./defects/dispatch/index.ts";
import { docsDefects } from "./defects/docs/index.ts";
import { headerDefects } from "./defects/headers.ts";
import { inputAndErrorDefects } from "./defects/input-and-errors.ts";
import { landingDefects } from "./defects/landing/index.ts";
import { sysinfoDefects } from "./defects/sysinfo.ts";
import { testHealthDefects } from "./defects/test-health.ts";
import { userListDefects } from "./defects/user-list/index.ts";
import { wholesaleDefects } from "./defects/wholesale.ts";
import { wireDefects } from "./defects/wire/index.ts";

/** The broken servers in groups of what they break; a test file judges each group, so that they run side by side. */
export const groups = {
  dispatch: [...wholesaleDefects, ...dispatchDefects, ...commonAnswerDefects, ...answerDefects, ...headerDefects],
  credentials: [...credentialDefects, ...userListDefects, ...testHealthDefects],
  documents: [...docsDefects, ...sysinfoDefects, ...landingDefects, ...deploymentDefects, ...contractDefects],
  input: inputAndErrorDefects,
  wire: wireDefects,
} as const satisfies Record<string, readonly Defect[]>;

/** Every broken server there is. Each needs a check that catches it; a test holds the matrix closed. */
export const defects: readonly Defect[] = Object.values(groups).flat();
