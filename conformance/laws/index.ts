import type { Law } from "../exchange.ts";
import type { Contract } from "../oracle/contract.ts";
import { answerLaws } from "./answers.ts";
import { credentialLaws } from "./credentials.ts";
import { dispatchLaws } from "./dispatch.ts";
import { framingLaws } from "./framing.ts";
import { headLaws } from "./head.ts";
import { headerLaws } from "./headers.ts";
import { inputLaws } from "./input.ts";
import { lawsFrom } from "./law.ts";
import { leakLaws } from "./leaks.ts";
import { predictedLaws, predictedOf } from "./predicted.ts";
import { problemLaws } from "./problems.ts";
import { requestIdLaws } from "./request-id.ts";
import type { Views } from "./view.ts";

/**
 * What holds of every response of any service, by the clauses of the protocol. A memory belongs to one run; all laws may share it.
 * `views`: of the suite, where the laws of its extensions use them too.
 */
export const lawsOf = (contract: Contract, views?: Views): readonly Law[] =>
  lawsFrom(
    contract,
    [
      ...[...answerLaws, ...credentialLaws, ...dispatchLaws, ...framingLaws, ...headLaws, ...headerLaws],
      ...[...predictedLaws, ...predictedOf(contract)],
      ...[...inputLaws, ...leakLaws, ...problemLaws, ...requestIdLaws],
    ],
    views,
  );
