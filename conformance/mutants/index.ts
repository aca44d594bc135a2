import { answerMutants } from "./derived/answers.ts";
import { credentialMutants } from "./derived/credentials.ts";
import { dispatchMutants } from "./derived/dispatch.ts";
import { headerMutants } from "./derived/headers.ts";
import { inputMutants } from "./derived/input.ts";
import { negotiationMutants } from "./derived/negotiation.ts";
import { stepMutants } from "./derived/steps.ts";
import type { Mutant } from "./mutant.ts";
import { parallelMutants } from "./wild/parallel.ts";
import { wholesaleMutants } from "./wild/wholesale.ts";

/** Every broken server there is. */
export const mutants: readonly Mutant[] = [
  ...answerMutants,
  ...headerMutants,
  ...stepMutants,
  ...dispatchMutants,
  ...credentialMutants,
  ...negotiationMutants,
  ...inputMutants,
  ...wholesaleMutants,
  ...parallelMutants,
];
