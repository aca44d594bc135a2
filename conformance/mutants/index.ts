import { allowMutants } from "./derived/allow.ts";
import { answerMutants } from "./derived/answers.ts";
import { bodyMutants } from "./derived/bodies.ts";
import { bypassMutants } from "./derived/bypasses.ts";
import { credentialMutants } from "./derived/credentials.ts";
import { dispatchMutants } from "./derived/dispatch.ts";
import { echoMutants } from "./derived/echoes.ts";
import { effectMutants } from "./derived/effects.ts";
import { faultMutants } from "./derived/faults.ts";
import { headMutants } from "./derived/head.ts";
import { headerMutants } from "./derived/headers.ts";
import { inputMutants } from "./derived/input.ts";
import { limitMutants } from "./derived/limits.ts";
import { memberMutants } from "./derived/members.ts";
import { negotiationMutants } from "./derived/negotiation.ts";
import { pageMutants } from "./derived/pages.ts";
import { pagingMutants } from "./derived/paging.ts";
import { pathMutants } from "./derived/paths.ts";
import { placementMutants } from "./derived/placements.ts";
import { queryMutants } from "./derived/query.ts";
import { stepMutants } from "./derived/steps.ts";
import { validatorMutants } from "./derived/validators.ts";
import { writingMutants } from "./derived/writing.ts";
import type { Mutant } from "./mutant.ts";
import { answerRows } from "./rows/answers.ts";
import { bodyRows } from "./rows/body.ts";
import { browserRows } from "./rows/browsers.ts";
import { callerRows } from "./rows/callers.ts";
import { contractRows } from "./rows/contract.ts";
import { corsRows } from "./rows/cors.ts";
import { credentialRows } from "./rows/credentials.ts";
import { dispatchRows } from "./rows/dispatch.ts";
import { docsRows } from "./rows/docs.ts";
import { errorRows } from "./rows/errors.ts";
import { framingRows } from "./rows/framing.ts";
import { idempotencyRows } from "./rows/idempotency.ts";
import { landingRows } from "./rows/landing.ts";
import { pathRows } from "./rows/paths.ts";
import { referenceRows } from "./rows/reference.ts";
import { userRows } from "./rows/users.ts";
import { wireRows } from "./rows/wire.ts";
import { connectionMutants } from "./wild/connections.ts";
import { wildCredentials } from "./wild/credentials.ts";
import { limitRefusals } from "./wild/limits.ts";
import { parallelMutants } from "./wild/parallel.ts";
import { socketMutants } from "./wild/sockets.ts";
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
  ...bypassMutants,
  ...placementMutants,
  ...echoMutants,
  ...faultMutants,
  ...negotiationMutants,
  ...inputMutants,
  ...memberMutants,
  ...queryMutants,
  ...headMutants,
  ...bodyMutants,
  ...dispatchRows,
  ...bodyRows,
  ...credentialRows,
  ...errorRows,
  ...answerRows,
  ...browserRows,
  ...wildCredentials,
  ...pathMutants,
  ...limitMutants,
  ...writingMutants,
  ...pathRows,
  ...corsRows,
  ...callerRows,
  ...wireRows,
  ...framingRows,
  ...validatorMutants,
  ...pageMutants,
  ...effectMutants,
  ...pagingMutants,
  ...docsRows,
  ...contractRows,
  ...landingRows,
  ...referenceRows,
  ...userRows,
  ...idempotencyRows,
  ...limitRefusals,
  ...stateMutants,
  ...wholesaleMutants,
  ...parallelMutants,
  ...connectionMutants,
  ...socketMutants,
];
