import { allowMutants } from "./derived/allow.ts";
import { answerMutants } from "./derived/answers.ts";
import { bodyMutants } from "./derived/bodies.ts";
import { credentialMutants } from "./derived/credentials.ts";
import { dispatchMutants } from "./derived/dispatch.ts";
import { effectMutants } from "./derived/effects.ts";
import { headMutants } from "./derived/head.ts";
import { headerMutants } from "./derived/headers.ts";
import { inputMutants } from "./derived/input.ts";
import { memberMutants } from "./derived/members.ts";
import { negotiationMutants } from "./derived/negotiation.ts";
import { pageMutants } from "./derived/pages.ts";
import { pagingMutants } from "./derived/paging.ts";
import { queryMutants } from "./derived/query.ts";
import { stepMutants } from "./derived/steps.ts";
import { validatorMutants } from "./derived/validators.ts";
import type { Mutant } from "./mutant.ts";
import { bodyRows } from "./rows/body.ts";
import { contractRows } from "./rows/contract.ts";
import { dispatchRows } from "./rows/dispatch.ts";
import { docsRows } from "./rows/docs.ts";
import { landingRows } from "./rows/landing.ts";
import { userRows } from "./rows/users.ts";
import { parallelMutants } from "./wild/parallel.ts";
import { stateMutants } from "./wild/state.ts";
import { wholesaleMutants } from "./wild/wholesale.ts";

/** Every broken server there is. */
export const mutants: readonly Mutant[] = [
  ...answerMutants,
  ...headerMutants,
  ...stepMutants,
  ...dispatchMutants,
  ...allowMutants,
  ...credentialMutants,
  ...negotiationMutants,
  ...inputMutants,
  ...memberMutants,
  ...queryMutants,
  ...headMutants,
  ...bodyMutants,
  ...dispatchRows,
  ...bodyRows,
  ...validatorMutants,
  ...pageMutants,
  ...effectMutants,
  ...pagingMutants,
  ...docsRows,
  ...contractRows,
  ...landingRows,
  ...userRows,
  ...stateMutants,
  ...wholesaleMutants,
  ...parallelMutants,
];
