import { answerLaws } from "./answers.ts";
import { credentialLaws } from "./credentials.ts";
import { dispatchLaws } from "./dispatch.ts";
import { framingLaws } from "./framing.ts";
import { headLaws } from "./head.ts";
import { headerLaws } from "./headers.ts";
import { inputLaws } from "./input.ts";
import { leakLaws } from "./leaks.ts";
import { pageLaws } from "./pages.ts";
import { problemLaws } from "./problems.ts";
import { requestIdLaws } from "./request-id.ts";

/** The laws: rules for every response. */
export const laws = [
  ...[...answerLaws, ...credentialLaws, ...dispatchLaws, ...headLaws, ...headerLaws, ...inputLaws, ...leakLaws],
  ...[...framingLaws, ...pageLaws, ...problemLaws, ...requestIdLaws],
];
